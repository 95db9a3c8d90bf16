package io.alphaomega.ctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No command says that all is well where nobody could look: a real alpha, whose store is stopped. */
class StoreAwayTest {
    private static final Path ALPHA = Path.of("../app/target/alpha-server.jar").toAbsolutePath();

    private final RedisServer redis = RedisServer.start();
    private final int http = ServerProcess.freePort();
    private final ServerProcess alpha = new ServerProcess(
            ServerProcess.newDirectory("alphactl-store-away"),
            Command.of(AlphaCommand.of(ALPHA).toArray())
                    .with(
                            "--alpha.repository.type=redis",
                            "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis.port(),
                            "--server.port=" + http,
                            "--alpha.grpc.port=0",
                            "--alpha.cluster.port=0"),
            () -> run("check").code() == 0);

    @AfterEach
    void stop() {
        alpha.close();
        redis.close();
    }

    /** What a command has said, and its exit code. */
    private record Said(int code, String out, String err) {}

    private Said run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = Stream.concat(Arrays.stream(arguments), Stream.of("--server", "http://127.0.0.1:" + http))
                .toArray(String[]::new);
        int code = AlphaCtl.commands()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all);
        return new Said(code, out.toString(), err.toString());
    }

    @Test
    void while_the_store_is_away_no_command_says_that_nothing_is_stuck() {
        alpha.start();
        Said well = run("stuck");
        assertThat(well.out()).contains("Nothing is stuck, as of ");
        assertThat(well.code()).isZero();
        assertThat(well.err()).isEmpty();

        redis.process().kill();
        await().untilAsserted(() -> {
            Said stuck = run("stuck");
            assertThat(stuck.code()).isEqualTo(AlphaCtl.UNKNOWN);
            assertThat(stuck.out()).startsWith("Unknown since 20").doesNotContain("Nothing");
            assertThat(stuck.err()).contains("! The store has been away since 20");
        });
        assertThat(run("stuck", "-o", "json").code()).isEqualTo(AlphaCtl.UNKNOWN);
        Said check = run("check");
        assertThat(check.code()).isEqualTo(AlphaCtl.WRONG);
        assertThat(check.out())
                .containsPattern("FAIL +stuck +unknown since 20")
                .containsPattern("FAIL +cluster +The store has been away since 20");
        assertThat(run("services").err()).contains("! The store has been away since 20");
        assertThat(run("sagas", "list").code()).isEqualTo(AlphaCtl.REFUSED);

        redis.process().start();
        await().untilAsserted(() -> assertThat(run("check").code()).isZero());
        assertThat(run("stuck").err()).isEmpty();
    }
}
