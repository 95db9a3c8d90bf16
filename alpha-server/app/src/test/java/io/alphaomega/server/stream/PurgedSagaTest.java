package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.server.AlphaProcess;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real alpha that forgets quickly: what comes late for a saga that is no longer stored. */
class PurgedSagaTest {

    @TempDir
    private Path directory;

    @Test
    void what_comes_late_is_answered_with_the_outcome_and_begins_nothing_anew() {
        try (AlphaProcess alpha = AlphaProcess.start(
                                directory, "--alpha.retention.ended=500ms", "--alpha.retention.interval=200ms")
                        .awaitReady();
                TestOmega omega = TestOmega.welcomed(
                        URI.create("grpc://" + alpha.grpcAddress()).getPort(), "hotel", "hotel-1")) {
            omega.ask(TestOmega.begin(1, "committed"));
            omega.run("committed", "room");
            assertThat(omega.ask(TestOmega.end(1, "committed", true)).hasCommitted())
                    .isTrue();
            omega.ask(TestOmega.begin(1, "compensated"));
            omega.run("compensated", "room");
            omega.send(TestOmega.abort(1, "compensated"));
            omega.succeed(omega.callback());
            omega.acks(1);
            for (String saga : new String[] {"committed", "compensated"}) {
                await().until(() -> status(alpha, saga) == 410);
            }

            assertThat(ask(omega, TestOmega.end(7, "committed", true)).hasCommitted())
                    .isTrue();
            assertThat(ask(omega, TestOmega.endBranch(8, "committed", "room")).hasCommitted())
                    .isTrue();
            assertThat(ask(omega, TestOmega.beginBranch(9, "committed", "late")).hasCommitted())
                    .isTrue();
            assertThat(ask(omega, TestOmega.begin(10, "committed")).hasCommitted())
                    .isTrue();
            assertThat(ask(omega, TestOmega.end(11, "compensated", true)).hasAborted())
                    .isTrue();
            assertThat(ask(omega, TestOmega.beginBranch(12, "compensated", "late"))
                            .hasAborted())
                    .isTrue();
            assertThat(ask(omega, TestOmega.endBranch(13, "compensated", "room"))
                            .getRejected()
                            .getReason())
                    .isEqualTo("SAGA_PURGED");

            assertThat(status(alpha, "committed")).isEqualTo(410);
            assertThat(alpha.get("/api/v1/sagas/compensated").body()).contains("ended as COMPENSATED", "SAGA_PURGED");
            assertThat(alpha.get("/api/v1/sagas").body()).contains("\"sagas\":[]");
            assertThat(alpha.get("/actuator/prometheus").body())
                    .contains("alpha_retention_deleted_total{what=\"histories\"} 2.0");
            assertThat(alpha.out()).contains("Deleted because it was old");
        }
    }

    /** The answer to this input, whatever else is answered meanwhile. */
    private static Ack ask(TestOmega omega, Input input) {
        Ack ack = omega.ask(input);
        while (ack.getCorrelation() != input.getCorrelation())
            ack = omega.acks(1).getFirst();
        return ack;
    }

    private static int status(AlphaProcess alpha, String saga) {
        return alpha.get("/api/v1/sagas/" + saga).statusCode();
    }
}
