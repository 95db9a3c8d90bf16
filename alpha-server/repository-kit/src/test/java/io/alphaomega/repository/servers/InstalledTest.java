package io.alphaomega.repository.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class InstalledTest {
    private static final Path HERE = Path.of("");

    @Test
    void each_server_says_its_version() throws Exception {
        assertThat(Command.of(Installed.redisServer(), "--version").run(HERE)).contains("Redis server v=");
        assertThat(Command.of(Installed.mariaDbServer(), "--version").run(HERE)).contains("MariaDB");
        assertThat(Command.of(Installed.postgreSqlPrograms().resolve("postgres"), "--version")
                        .run(HERE))
                .contains("PostgreSQL");
        assertThat(Installed.mySqlServer().with("--version").run(HERE))
                .contains("Ver 9.")
                .doesNotContain("MariaDB");
        assertThat(Installed.mariaDbInstaller()).isExecutable();
        assertThat(Installed.elasticsearch("8").resolve("bin/elasticsearch")).isExecutable();
        assertThat(Installed.elasticsearch("9.5").getFileName()).asString().startsWith("elasticsearch-9.5.");
    }

    @Test
    void a_server_that_is_not_there_is_refused_with_the_way_to_get_it() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Installed.elasticsearch("1.7"))
                .withMessageStartingWith("Elasticsearch 1.7 is not in ")
                .withMessageContaining("run scripts/test once");
    }
}
