package io.alphaomega.repository.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The end of a mounted disk. */
final class Mount {
    /** Who used it may need a moment to go. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Mount() {}

    /** A disk that is still in use is an exception, and gone as soon as it no longer is. */
    static void end(Path mount) throws IOException {
        try {
            Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
                Command.run("umount", mount.toString());
                return true;
            });
        } catch (ConditionTimeoutException e) {
            Command.run("umount", "--lazy", mount.toString());
            throw new IOException("%s is still in use after %s".formatted(mount, PATIENCE), e);
        }
    }
}
