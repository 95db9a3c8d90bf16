package io.alphaomega.omega.stream;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for what must come, however busy the machine is: only one that fails waits for so long. Awaitility
 * waits so where a test says no other limit; Jupiter finds this extension by itself.
 */
public final class Patience implements BeforeAllCallback {
    public static final Duration LIMIT = Duration.ofMinutes(2);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
