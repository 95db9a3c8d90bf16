package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.PostgreSqlServer;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An alpha that stores its sagas on a database server, and one that is told of one that it cannot use. */
class JdbcRepositoryConfigurationTest {
    private static final Duration REFUSED_WITHIN = AlphaProcess.READY_WITHIN;

    @SuppressWarnings("NullAway.Init") // By JUnit.
    private static DatabaseServer mariaDb;

    @SuppressWarnings("NullAway.Init") // By JUnit.
    private static DatabaseServer postgreSql;

    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Path directory;

    @BeforeAll
    static void start() {
        mariaDb = MariaDbServer.start();
        postgreSql = PostgreSqlServer.start();
    }

    @AfterAll
    static void stop() {
        mariaDb.close();
        postgreSql.close();
    }

    @ParameterizedTest
    @CsvSource({"mysql", "postgresql"})
    void a_type_and_a_url_are_enough_to_store_on_a_server(String type) {
        DatabaseServer server = server(type);
        alpha(type, server.url(), DatabaseServer.USER).run(context -> {
            SagaRepository repository = context.getBean(SagaRepository.class);
            assertThat(repository.append(List.of(GatedRepository.append("of-" + type))))
                    .hasExactlyElementsOfTypes(AppendResult.Appended.class);
            assertThat(context.getBean(AlphaProperties.class).toString()).doesNotContain(DatabaseServer.PASSWORD);
        });
    }

    @Test
    void alpha_says_where_it_stores_and_how_durably_and_never_the_password() {
        try (AlphaProcess alpha = start("mysql", mariaDb.url()).awaitReady()) {
            assertThat(alpha.out())
                    .contains("repository mariadb://127.0.0.1:" + mariaDb.port() + "/alpha")
                    .contains("durability  POWER_LOSS (MariaDB 10")
                    .contains("innodb_flush_log_at_trx_commit=1")
                    .doesNotContain(DatabaseServer.PASSWORD);
            assertThat(alpha.get("/actuator/info").body())
                    .contains("POWER_LOSS", "mysql")
                    .doesNotContain(DatabaseServer.PASSWORD);
            assertThat(alpha.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
            assertThat(alpha.err()).isEmpty();
        }
    }

    /** Type, URL with PORT for the server's, username, what is said. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mysql|''|alpha|alpha.repository.jdbc.url must begin with jdbc:mysql:// or jdbc:mariadb:// for alpha.repository.type=mysql, as in jdbc:mysql://alpha-db/alpha, but is not set.",
                "mysql|jdbc:postgresql://127.0.0.1:PORT/alpha|alpha|alpha.repository.jdbc.url must begin with jdbc:mysql:// or jdbc:mariadb:// for",
                "postgresql|jdbc:mysql://127.0.0.1:PORT/alpha|alpha|alpha.repository.jdbc.url must begin with jdbc:postgresql:// for",
                "mysql|jdbc:mysql://127.0.0.1:PORT/alpha?password=secret|alpha|alpha.repository.jdbc.url: the URL must not hold a user or a password",
                "mysql|jdbc:mysql://no.such.host.invalid/alpha|alpha|no.such.host.invalid",
                "postgresql|jdbc:postgresql://no.such.host.invalid/alpha|alpha|no.such.host.invalid",
                "mysql|jdbc:mysql://127.0.0.1:1/alpha|alpha|127.0.0.1:1",
            })
    void a_database_that_it_cannot_use_is_named_and_the_start_refused(
            String type, String url, String username, String said) {
        String there = url.replace("PORT", Integer.toString(server(type).port()));
        refused(type, there, username, said, "0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mysql|jdbc:mysql://127.0.0.1:PORT/alpha|nobody|Access denied for user 'nobody'",
                "postgresql|jdbc:postgresql://127.0.0.1:PORT/alpha|nobody|password authentication failed for user \"nobody\"",
                "mysql|jdbc:mysql://127.0.0.1:PORT/nowhere|alpha|nowhere",
                "postgresql|jdbc:postgresql://127.0.0.1:PORT/nowhere|alpha|database \"nowhere\" does not exist",
            })
    void a_database_that_is_there_and_refuses_is_not_waited_for(String type, String url, String username, String said) {
        refused(type, url.replace("PORT", Integer.toString(server(type).port())), username, said, "1h");
    }

    @Test
    void what_listens_but_does_not_answer_is_refused_as_well() throws Exception {
        try (ServerSocket mute = new ServerSocket(0)) {
            String place = "://127.0.0.1:" + mute.getLocalPort() + "/alpha";
            refused("postgresql", "jdbc:postgresql" + place, "alpha", "cannot be opened now", "0");
            refused("mysql", "jdbc:mysql" + place, "alpha", "cannot be opened now", "0");
        }
    }

    @Test
    void a_refusal_is_one_line_without_the_password() {
        try (AlphaProcess alpha = start("mysql", mariaDb.url(), "--alpha.repository.jdbc.password=mistyped")) {
            assertThat(alpha.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(alpha.err().strip().lines()).as(alpha.err()).hasSize(1);
            assertThat(alpha.err())
                    .startsWith("alpha cannot start: alpha.repository.jdbc.url: The database alpha on 127.0.0.1")
                    .contains("Access denied for user 'alpha'")
                    .doesNotContain("mistyped");
            assertThat(alpha.out()).doesNotContain("mistyped", "Exception");
        }
    }

    private static void refused(String type, String url, String username, String said, String patience) {
        alpha(type, url, username)
                .withPropertyValues("alpha.repository.await-at-start=" + patience)
                .run(context -> assertThat(causes(context.getStartupFailure()))
                        .filteredOn(RefusedPropertyException.class::isInstance)
                        .singleElement()
                        .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
                        .hasMessageStartingWith("alpha.repository.jdbc.url")
                        .hasMessageContaining(said)
                        .hasMessageNotContaining(DatabaseServer.PASSWORD));
    }

    private static List<Throwable> causes(@Nullable Throwable failure) {
        return Stream.<Throwable>iterate(failure, Objects::nonNull, Throwable::getCause)
                .toList();
    }

    private static ApplicationContextRunner alpha(String type, String url, String username) {
        return new ApplicationContextRunner()
                .withUserConfiguration(
                        EmbeddedRepositoryConfigurationTest.Surroundings.class,
                        RepositoryConfiguration.class,
                        EmbeddedRepositoryConfiguration.class,
                        JdbcRepositoryConfiguration.class)
                .withPropertyValues(
                        "alpha.repository.type=" + type,
                        "alpha.repository.jdbc.url=" + url,
                        "alpha.repository.jdbc.username=" + username,
                        "alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD);
    }

    private AlphaProcess start(String type, String url, String... more) {
        String[] given = {
            "--alpha.repository.type=" + type,
            "--alpha.repository.jdbc.url=" + url,
            "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
            "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD
        };
        return AlphaProcess.start(
                directory, Stream.concat(Stream.of(given), Stream.of(more)).toArray(String[]::new));
    }

    private static DatabaseServer server(String type) {
        return type.equals("mysql") ? mariaDb : postgreSql;
    }
}
