package io.alphaomega.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A saga that is held, because a service has seen alpha's store further than it is: a real alpha, and what its fence says. */
class HeldSagaTest {
    private static final Path ALPHA = Path.of("../app/target/alpha-server.jar").toAbsolutePath();

    private final int http = ServerProcess.freePort();
    private final int grpc = ServerProcess.freePort();
    private final Path directory = ServerProcess.newDirectory("alphactl-held");
    private final ServerProcess alpha = new ServerProcess(
            directory,
            Command.of(AlphaCommand.of(ALPHA).toArray())
                    .with(
                            "--alpha.repository.embedded.directory=" + directory.resolve("data"),
                            "--server.port=" + http,
                            "--alpha.grpc.port=" + grpc,
                            "--alpha.cluster.port=0"),
            () -> run("check").equals("0"));

    @BeforeEach
    void start() {
        alpha.start();
    }

    @AfterEach
    void stop() {
        alpha.close();
    }

    /** What a command has said, or its exit code if it has nothing to say. */
    private String run(String... arguments) {
        StringWriter out = new StringWriter();
        String[] all = Stream.concat(Arrays.stream(arguments), Stream.of("--server", "http://127.0.0.1:" + http))
                .toArray(String[]::new);
        int code = AlphaCtl.commands()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(new StringWriter()))
                .execute(all);
        return arguments[0].equals("check") ? String.valueOf(code) : out.toString();
    }

    @Test
    void a_saga_that_is_held_is_shown_with_what_the_fences_have_and_ends_as_a_person_says() throws Exception {
        try (Hotel hotel = new Hotel(grpc)) {
            StoreMark lost = hotel.mark().toBuilder()
                    .setRun(UUID.randomUUID().toString())
                    .build();
            hotel.booked("held");
            await().untilAsserted(() -> assertThat(run("sagas", "show", "held"))
                    .contains("ACTIVE", "ENDED")
                    .doesNotContain("FENCE"));

            try (Hotel further = new Hotel(grpc, "hotel-2", "1.0-aaaa", lost)) {
                assertThat(further.mark().getStore()).isEqualTo(lost.getStore());
                await().untilAsserted(() -> assertThat(run("sagas", "show", "held"))
                        .contains("SUSPENDED", "RESTORED: The store was set back", "docs/operating/runbook#restored")
                        .containsPattern("LAST ERROR +FENCE")
                        .containsPattern("Rooms.reserve .* RAN"));
                assertThat(run("sagas", "history", "held")).contains("the fence has it as committed");
                await().untilAsserted(() -> assertThat(run("stuck")).containsPattern("SUSPENDED.*RESTORED"));

                run("resolve", "held", "--outcome", "COMMITTED", "--reason", "the books say so");
                assertThat(run("sagas", "show", "held")).contains("COMMITTED").doesNotContain("FENCE");
            }
        }
    }
}
