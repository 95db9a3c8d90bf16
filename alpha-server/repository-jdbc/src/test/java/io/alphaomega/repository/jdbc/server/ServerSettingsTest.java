package io.alphaomega.repository.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.Patience;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** What a server keeps, by its settings, and which servers are refused with which sentence. */
final class ServerSettingsTest {

    private static Durability durability(Servers servers) {
        try (SagaRepository repository =
                Patience.opened(ServerStore.repository(servers.shared().url()))) {
            return repository.durability();
        }
    }

    @Test
    void as_they_come_the_servers_keep_what_is_acknowledged_when_the_power_fails() {
        assertThat(durability(Servers.MARIADB).level()).isEqualTo(Level.POWER_LOSS);
        assertThat(durability(Servers.MARIADB).settings())
                .startsWith("MariaDB 10.")
                .contains("innodb_flush_log_at_trx_commit=1", "log_bin=OFF");
        assertThat(durability(Servers.MYSQL).level()).isEqualTo(Level.POWER_LOSS);
        assertThat(durability(Servers.MYSQL).settings())
                .startsWith("MySQL 9.")
                .contains("innodb_flush_log_at_trx_commit=1", "log_bin=ON", "sync_binlog=1");
        assertThat(durability(Servers.POSTGRESQL).level()).isEqualTo(Level.POWER_LOSS);
        assertThat(durability(Servers.POSTGRESQL).settings())
                .startsWith("PostgreSQL 15.")
                .contains("fsync=on", "synchronous_commit=on", "full_page_writes=on");
    }

    @ParameterizedTest
    @CsvSource({
        "innodb_flush_log_at_trx_commit = 2, innodb_flush_log_at_trx_commit = 1",
        "sync_binlog = 0, sync_binlog = 1",
        "sync_binlog = 100, sync_binlog = 1"
    })
    void mysql_that_does_not_sync_each_commit_declares_less(String worse, String asItWas) {
        try (Admin admin = Admin.of(Servers.MYSQL.shared())) {
            admin.execute("SET GLOBAL " + worse);
            try {
                Durability durability = durability(Servers.MYSQL);
                assertThat(durability.level()).isEqualTo(Level.PROCESS_CRASH);
                assertThat(durability.settings()).contains(worse.replace(" ", ""));
            } finally {
                admin.execute("SET GLOBAL " + asItWas);
            }
        }
    }

    @Test
    void what_loses_commits_with_its_process_is_refused() {
        for (Servers servers : List.of(Servers.MARIADB, Servers.MYSQL)) {
            try (Admin admin = Admin.of(servers.shared())) {
                admin.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
                try {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> durability(servers))
                            .withMessageContaining("innodb_flush_log_at_trx_commit=0): set it to 1.");
                } finally {
                    admin.execute("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
                }
            }
        }
        try (Admin admin = Admin.of(Servers.POSTGRESQL.shared())) {
            admin.execute("ALTER ROLE " + DatabaseServer.USER + " SET synchronous_commit = off");
            try {
                assertThatIllegalStateException()
                        .isThrownBy(() -> durability(Servers.POSTGRESQL))
                        .withMessageContaining("synchronous_commit=off): set it to on for alpha's user.");
            } finally {
                admin.execute("ALTER ROLE " + DatabaseServer.USER + " RESET synchronous_commit");
            }
        }
    }

    /** Galera, disabled logs and standbys, which are not to be had here: by what such servers say. */
    @Test
    void the_level_follows_from_what_the_server_says() {
        Map<String, String> galera = new HashMap<>(Map.of("version", "10.11.6-MariaDB", "wsrep_on", "ON"));
        galera.put("wsrep_cluster_size", "3");
        assertThat(MySqlDurability.of("x", galera).level()).isEqualTo(Level.FAILOVER);
        galera.put("wsrep_cluster_size", "1");
        assertThat(MySqlDurability.of("x", galera).level()).isEqualTo(Level.POWER_LOSS);
        assertThat(level("innodb_doublewrite", "OFF")).isEqualTo(Level.PROCESS_CRASH);
        assertThat(level("innodb_doublewrite", "DETECT_ONLY")).isEqualTo(Level.PROCESS_CRASH);
        assertThat(level("innodb_doublewrite", "DETECT_AND_RECOVER")).isEqualTo(Level.POWER_LOSS);
        assertThat(level("innodb_flush_method", "nosync")).isEqualTo(Level.PROCESS_CRASH);
        assertThatIllegalStateException()
                .isThrownBy(() -> level("Innodb_redo_log_enabled", "OFF"))
                .withMessageContaining("redo log is disabled");

        assertThat(postgreSql("fsync", "off")).isEqualTo(Level.PROCESS_CRASH);
        assertThat(postgreSql("full_page_writes", "off")).isEqualTo(Level.PROCESS_CRASH);
        assertThat(postgreSql("synchronous_standby_names", "FIRST 1 (b)")).isEqualTo(Level.FAILOVER);
        assertThat(PostgreSqlDialect.durability(
                                "x", Map.of("synchronous_standby_names", "b", "synchronous_commit", "local"))
                        .level())
                .isEqualTo(Level.POWER_LOSS);
    }

    private static Level level(String setting, String value) {
        return MySqlDurability.of("x", Map.of("version", "9.7.0", setting, value))
                .level();
    }

    private static Level postgreSql(String setting, String value) {
        return PostgreSqlDialect.durability("x", Map.of(setting, value)).level();
    }

    @ParameterizedTest
    @CsvSource({
        "read_only = ON, read_only = OFF, takes no writes (read_only=ON)",
        "binlog_format = STATEMENT, binlog_format = ROW, set it to ROW",
        "max_allowed_packet = 524288, max_allowed_packet = 67108864, may need 1048576; raise it",
    })
    void a_mysql_that_cannot_do_its_work_is_refused(String worse, String asItWas, String sentence) {
        try (Admin admin = Admin.of(Servers.MYSQL.shared())) {
            admin.execute("SET GLOBAL " + worse);
            try {
                assertRefused(Servers.MYSQL, sentence);
            } finally {
                admin.execute("SET GLOBAL " + asItWas);
            }
        }
    }

    @Test
    void a_postgresql_that_takes_no_writes_is_refused() {
        try (Admin admin = Admin.of(Servers.POSTGRESQL.shared())) {
            admin.execute("ALTER ROLE " + DatabaseServer.USER + " SET default_transaction_read_only = on");
            try {
                assertRefused(Servers.POSTGRESQL, "takes no writes (default_transaction_read_only=on)");
            } finally {
                admin.execute("ALTER ROLE " + DatabaseServer.USER + " RESET default_transaction_read_only");
            }
        }
    }

    @Test
    void a_postgresql_of_another_encoding_is_refused() {
        try (Admin admin = Admin.of(Servers.POSTGRESQL.shared())) {
            admin.execute("DROP DATABASE IF EXISTS latin");
            admin.execute("CREATE DATABASE latin OWNER alpha ENCODING 'LATIN1' TEMPLATE template0");
            String url = Servers.POSTGRESQL.shared().url().replace("/alpha", "/latin");
            try (SagaRepository repository = ServerStore.repository(url)) {
                assertThatIllegalStateException()
                        .isThrownBy(repository::durability)
                        .withMessageContaining("has the encoding LATIN1");
            }
        }
    }

    private static void assertRefused(Servers servers, String sentence) {
        try (SagaRepository repository = ServerStore.repository(servers.shared().url())) {
            assertThatIllegalStateException()
                    .isThrownBy(repository::durability)
                    .withMessageStartingWith("The database alpha on 127.0.0.1")
                    .withMessageContaining(sentence)
                    .withMessageEndingWith(".");
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://h/alpha?user=x",
                "jdbc:mysql://h/alpha?ssl=1&PASSWORD=geheim",
                "jdbc:mariadb://x:geheim@h/alpha",
                "jdbc:postgresql://h/alpha?password=geheim",
                "jdbc:mysql://h/alpha?requireSSL=true",
                "jdbc:mysql://h/alpha?connectTimeout=1&sslmode=preferred",
                "jdbc:mariadb://h/alpha?transactionReplay=true",
                "jdbc:mysql://h/alpha?useAffectedRows=false",
                "jdbc:mariadb://h/alpha?useAffectedRows=true&USEAFFECTEDROWS=0",
                "jdbc:mariadb://h/alpha?tcpKeepAlive=true&useserverprepstmts=true",
                "jdbc:mariadb://h/alpha?useServerPrepStmts",
                "jdbc:mysql://h/alpha?allowMultiQueries=false",
                "jdbc:mariadb:sequential://h,i/alpha",
                "jdbc:oracle:thin:geheim@h"
            })
    void a_url_with_a_secret_or_of_another_database_or_with_what_would_be_misunderstood_is_refused_and_not_repeated(
            String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerRepository.at(url, "alpha", "secret"))
                .satisfies(e ->
                        assertThat(e.getMessage()).startsWith("the URL must ").doesNotContain("geheim"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"?useAffectedRows=true", "?USEAFFECTEDROWS=TRUE&useServerPrepStmts=false", ""})
    void what_alpha_needs_may_be_said_and_goes_to_the_driver_in_any_case(String options) throws Exception {
        ServerAccess server = ServerRepository.server("jdbc:mysql://h/alpha" + options, "alpha", "secret");
        assertThat(server.dataSource(Duration.ofSeconds(5))
                        .unwrap(MariaDbDataSource.class)
                        .getUrl())
                .contains("allowMultiQueries=true", "useAffectedRows=true")
                .doesNotContain("useServerPrepStmts=true");
    }

    @Test
    void a_wrong_password_is_an_outage_that_does_not_tell_it() {
        for (Servers servers : List.of(Servers.MARIADB, Servers.MYSQL, Servers.POSTGRESQL)) {
            try (SagaRepository repository =
                    ServerRepository.at(servers.shared().url(), "alpha", "mistyped")) {
                assertThatExceptionOfType(RepositoryUnavailableException.class)
                        .isThrownBy(repository::durability)
                        .satisfies(e -> assertThat(e.getMessage())
                                .contains("alpha on 127.0.0.1", "cannot be opened now")
                                .doesNotContain("mistyped"));
            }
        }
    }

    @Test
    void a_version_is_the_numbers_that_it_begins_with() {
        assertThat(ServerVersion.of("10.11.19-MariaDB-0+deb12u1")).isEqualTo(new ServerVersion(10, 11, 19));
        assertThat(ServerVersion.of("15.18 (Debian 15.18-0)")).isEqualTo(new ServerVersion(15, 18, 0));
        assertThat(ServerVersion.of("8.0.17").compareTo(new ServerVersion(8, 0, 9)))
                .isPositive();
        assertThatIllegalStateException().isThrownBy(() -> ServerVersion.of("none"));
    }

    @Test
    void what_the_url_says_wins_over_our_defaults_and_the_name_has_neither_options_nor_secrets() {
        ServerUrl url = ServerUrl.of("jdbc:mysql://one:3306,two/alpha?SocketTimeout=9", "jdbc:mysql:");
        assertThat(url.withDefaults(Map.of("socketTimeout", "1", "tcpKeepAlive", "true")))
                .isEqualTo("//one:3306,two/alpha?SocketTimeout=9&tcpKeepAlive=true");
        assertThat(url.name()).isEqualTo("alpha on one:3306,two");
        assertThat(ServerUrl.of("jdbc:mysql://h/alpha", "jdbc:mysql:").withDefaults(Map.of("a", "0")))
                .isEqualTo("//h/alpha?a=0");
    }
}
