package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An alpha whose output goes into a pipe that is full. */
class UnreadLogTest {
    /** Linux's pipes have 64 KiB; less than a write may be free. */
    private static final int FULL = 60_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Path directory;

    @Test
    void an_alpha_whose_log_nobody_reads_starts_and_serves_and_stops() throws Exception {
        int http = ServerProcess.freePort();
        int grpc = ServerProcess.freePort();
        String[] arguments = {
            "--server.port=" + http,
            "--alpha.grpc.port=" + grpc,
            // The threads of the network say something of each frame, those of HTTP of each request.
            "--logging.level.io.grpc=debug",
            "--logging.level.io.netty=debug",
            "--logging.level.org.springframework=trace"
        };
        try (AlphaProcess alpha = AlphaProcess.startUnread(directory, arguments)) {
            await().atMost(AlphaProcess.READY_WITHIN).until(() -> isReady(http));
            await().atMost(Patience.LIMIT).until(() -> isReady(http) && alpha.unread() >= FULL);
            try (TestOmega omega = TestOmega.welcomed(grpc, "booking", "booking-1")) {
                for (int i = 0; i < 100; i++) {
                    omega.send(TestOmega.begin(i, "saga-" + i));
                    assertThat(omega.acks.poll(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                            .isNotNull();
                }
            }
            assertThat(alpha.unread()).isGreaterThanOrEqualTo(FULL);
            assertThat(alpha.terminate().exitCode(Patience.LIMIT)).isZero();
        }
    }

    private static boolean isReady(int port) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness")
                            .toURL()
                            .openConnection();
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }
}
