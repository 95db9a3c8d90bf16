package io.alphaomega.repository.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ServerProcessTest {
    private final int port = ServerProcess.freePort();
    private final Path directory = ServerProcess.newDirectory("redis");

    private ServerProcess redis(Object... more) {
        return new ServerProcess(
                directory,
                Command.of(Installed.redisServer(), "--port", port, "--dir", directory)
                        .with(more),
                ServerProcess.listening(port));
    }

    @AfterEach
    void delete() {
        ServerProcess.delete(directory);
    }

    @Test
    void a_server_is_killed_and_comes_back_on_its_port() {
        try (ServerProcess server = redis().start()) {
            long first = server.pid();
            server.kill();
            assertThat(server.isRunning()).isFalse();
            assertThat(ProcessHandle.of(first)).isEmpty();

            server.start();
            assertThat(server.isRunning()).isTrue();
            assertThat(server.pid()).isNotEqualTo(first);

            server.stop();
            assertThat(server.isRunning()).isFalse();
            assertThat(server.log()).content().contains("User requested shutdown");
        }
        assertThat(directory).doesNotExist();
    }

    @Test
    void a_server_that_ends_at_once_is_refused_with_the_end_of_its_log() {
        try (ServerProcess server = redis("--no-such-setting", "yes")) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(server::start)
                    .withMessageContaining("ended at once")
                    .withMessageContaining("no-such-setting");
        }
    }

    @Test
    void a_program_that_refuses_root_runs_as_somebody_else() throws Exception {
        Path place = Files.createDirectories(directory);
        String user = Command.of("id", "-un").asOrdinaryUser().run(place).strip();
        Command.of("touch", "mine").asOrdinaryUser().run(place);

        assertThat(user)
                .isNotEqualTo("root")
                .isEqualTo(Files.getOwner(place.resolve("mine")).getName());
    }

    @Test
    void a_program_that_fails_says_why() {
        assertThatExceptionOfType(java.io.IOException.class)
                .isThrownBy(() -> Command.of("ls", "no such file").run(Path.of("")))
                .withMessageStartingWith("ls no such file ended with 2: ");
    }
}
