package io.alphaomega.repository.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DatabaseServersTest {

    static Stream<Supplier<DatabaseServer>> servers() {
        return Stream.of(MariaDbServer::start, MySqlServer::start, PostgreSqlServer::start);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void a_database_server_is_killed_and_comes_back_on_its_port_and_leaves_nothing(Supplier<DatabaseServer> start) {
        ServerProcess process;
        try (DatabaseServer server = start.get()) {
            process = server.process();
            assertThat(server.url()).contains(":" + server.port() + "/");
            process.kill();
            assertThat(process.isRunning()).isFalse();
            process.start();
            process.stop();
            process.start();
        }
        assertThat(process.isRunning()).isFalse();
        assertThat(process.directory()).doesNotExist();
    }
}
