package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.server.AlphaProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An omega that would like to write alpha's log. */
class ForgedLinesTest {
    private static final String FORGED = "2026-11-24T00:00:00.000Z ERROR SagaActor";

    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Path directory;

    @Test
    void what_an_omega_says_begins_no_line_and_hides_none() {
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            String address = alpha.grpcAddress();
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            String service = "a\n" + FORGED + " forged by a service";
            String instance = "b\r" + FORGED + "\u001b[2K\u2028" + FORGED + "\u202e";
            try (TestOmega omega = TestOmega.welcomed(port, service, instance)) {
                omega.succeed(Callback.newBuilder()
                        .setSaga("c\r\n" + FORGED + " forged by a saga")
                        .build());
                await().atMost(Patience.LIMIT).until(() -> alpha.out().contains("an invalid result of a callback"));
            }
            assertThat(alpha.out().lines())
                    .noneMatch(line -> line.startsWith(FORGED))
                    .anyMatch(line -> line.contains("a\\n" + FORGED) && line.contains("b\\r" + FORGED));
            assertThat(alpha.out()).doesNotContain("\u001b", "\u2028", "\u202e", "\r");
        }
    }
}
