package io.alphaomega.benchmark.preset;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.DatabaseServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code preset dtm} and {@code preset pack} against a real alpha, business and sagas on one real MariaDB. */
@Tag("processes")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class PresetsTest {
    @SuppressWarnings("NullAway.Init")
    private static AlphaOnMariaDb servers;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() {
        servers = new AlphaOnMariaDb();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    private int preset(String... arguments) {
        return new CommandLine(new PresetCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void every_row_is_measured_and_the_books_balance(@TempDir Path files) throws Exception {
        Path json = files.resolve("dtm.json");
        // Truncation takes a right that alpha's user has not.
        int code = preset(
                "dtm",
                "--address=" + servers.address(),
                "--mysql-url=" + servers.database().url(),
                "--mysql-user=root",
                "--rounds=1",
                "-c=4",
                "--duration=1s",
                "--warmup=0s",
                "--json=" + json);

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains("| empty ", "| 2 SQL, no coordinator ", "| 2 SQL + fence ", "| 10 SQL + fence ", "MariaDB");
        JsonNode report = JsonMapper.builder().build().readTree(Files.readString(json));
        assertThat(report.get("verified").booleanValue()).isTrue();
        assertThat(report.get("rows"))
                .hasSize(7)
                .allSatisfy(
                        row -> assertThat(row.get("globalTps").doubleValue()).isPositive());
    }

    @Test
    void without_SQL_it_needs_no_database() {
        int code = preset(
                "dtm",
                "--empty-only",
                "--address=" + servers.address(),
                "--rounds=1",
                "-c=2",
                "--duration=100ms",
                "--warmup=0s");

        assertThat(code).as(err.toString()).isZero();
        assertThat(out.toString()).contains("| empty ");
    }

    @Test
    void pack_s_table_has_a_row_for_each_number_of_sagas_at_each_concurrency(@TempDir Path files) throws Exception {
        Path markdown = files.resolve("pack.md");
        int code = preset(
                "pack",
                "--address=" + servers.address(),
                "--http=" + servers.http(),
                "-n=50,100",
                "-c=5,20",
                "--rounds=1",
                "--warmup=0s",
                "--markdown=" + markdown);

        assertThat(code).as(err.toString()).isZero();
        assertThat(Files.readString(markdown))
                .containsSubsequence("|     50 |         5 |", "|     50 |        20 |", "|    100 |         5 |")
                .contains("Pack's own tool counts events");
    }

    @Test
    void books_that_do_not_balance_are_told() throws Exception {
        MariaDbDataSource source = new MariaDbDataSource(servers.database().url());
        source.setUser("root");
        AccountBooks books = new AccountBooks(source);
        books.open(20);
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            AccountBooks.move(connection, new TransferPayload(0, 5, -1, false));
            AccountBooks.move(connection, new TransferPayload(5, 5, 1, false));
            connection.commit();
        }
        assertThat(books.faults(10)).isEmpty();
        assertThat(books.faults(12)).singleElement().asString().contains("has 10 rows", "make 12");

        execute("UPDATE benchmark_accounts SET balance = balance + 1 WHERE id = 3");
        assertThat(books.faults(10))
                .hasSize(2)
                .anySatisfy(fault -> assertThat(fault).startsWith("1 accounts"))
                .anySatisfy(fault -> assertThat(fault).contains("All balances together are 1"));
    }

    @Test
    void a_user_who_may_not_empty_the_tables_is_told_so() {
        int code = preset(
                "dtm",
                "--address=" + servers.address(),
                "--mysql-url=" + servers.database().url(),
                "--mysql-user=" + DatabaseServer.USER,
                "--mysql-password=" + DatabaseServer.PASSWORD);

        assertThat(code).isEqualTo(1);
        assertThat(err.toString()).contains("The database of --mysql-url cannot be used", "DROP command denied");
    }

    private static void execute(String sql) throws Exception {
        try (Connection connection =
                        DriverManager.getConnection(servers.database().url(), "root", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void a_database_that_is_not_there_is_told() {
        int code = preset("dtm", "--mysql-url=jdbc:mariadb://127.0.0.1:1/nothing?connectTimeout=500");

        assertThat(code).isEqualTo(1);
        assertThat(List.of(err.toString().split("\n")))
                .anySatisfy(line -> assertThat(line).startsWith("The database of --mysql-url cannot be used: "));
    }
}
