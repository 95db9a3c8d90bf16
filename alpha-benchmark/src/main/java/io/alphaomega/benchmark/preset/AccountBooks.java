package io.alphaomega.benchmark.preset;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The business database: accounts with a balance, and a journal with a row for every change of one. So it can be
 * checked afterwards that no change was lost, made twice, or left half undone.
 */
final class AccountBooks {
    private static final String ACCOUNTS = "benchmark_accounts";
    private static final String JOURNAL = "benchmark_journal";

    /** Far below the packets that servers take. */
    private static final int ROWS_AT_ONCE = 1_000;

    private static final String CREATE_ACCOUNTS =
            "CREATE TABLE IF NOT EXISTS benchmark_accounts (id INT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL) ENGINE = InnoDB";
    private static final String CREATE_JOURNAL =
            "CREATE TABLE IF NOT EXISTS benchmark_journal (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,"
                    + " account INT NOT NULL, amount INT NOT NULL) ENGINE = InnoDB";
    private static final String UPDATE = "UPDATE benchmark_accounts SET balance = balance + ? WHERE id = ?";
    private static final String INSERT = "INSERT INTO benchmark_journal (account, amount) VALUES (?, ?)";
    private static final String UNEQUAL = """
            SELECT COUNT(*) FROM benchmark_accounts a
            LEFT JOIN (SELECT account, SUM(amount) AS moved FROM benchmark_journal GROUP BY account) j ON j.account = a.id
            WHERE a.balance <> COALESCE(j.moved, 0)""";

    private final DataSource dataSource;

    AccountBooks(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Empty books with that many accounts, whatever an earlier run has left. */
    void open(int accounts) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(
                    CREATE_ACCOUNTS, CREATE_JOURNAL, "TRUNCATE TABLE " + ACCOUNTS, "TRUNCATE TABLE " + JOURNAL)) {
                statement.execute(sql);
            }
            for (int from = 0; from < accounts; from += ROWS_AT_ONCE) {
                StringBuilder insert = new StringBuilder("INSERT INTO " + ACCOUNTS + " (id, balance) VALUES ");
                for (int id = from; id < Math.min(accounts, from + ROWS_AT_ONCE); id++) {
                    insert.append(id == from ? "(" : ", (").append(id).append(", 0)");
                }
                statement.execute(insert.toString());
            }
        }
    }

    /** What the database server is, and how surely it writes what it says is committed. */
    String server() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT @@version, @@innodb_flush_log_at_trx_commit, @@innodb_doublewrite, @@log_bin, @@sync_binlog")) {
            row.next();
            return "%s, innodb_flush_log_at_trx_commit=%s, innodb_doublewrite=%s, log_bin=%s, sync_binlog=%s"
                    .formatted(
                            row.getString(1), row.getString(2), row.getString(3), row.getString(4), row.getString(5));
        }
    }

    /** In the caller's transaction: for each account a changed balance and a row that says so. */
    static void move(Connection connection, TransferPayload transfer) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(UPDATE);
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (int i = 0; i < transfer.accounts(); i++) {
                int account = transfer.firstAccount() + i;
                update.setInt(1, transfer.amount());
                update.setInt(2, account);
                if (update.executeUpdate() != 1) throw new SQLException("there is no account " + account);
                insert.setInt(1, account);
                insert.setInt(2, transfer.amount());
                insert.executeUpdate();
            }
        }
    }

    /**
     * What is wrong with the books, in sentences; none if they balance.
     *
     * @param rows how many the journal must have; negative if that cannot be said, because sagas were undone
     */
    List<String> faults(long rows) throws SQLException {
        List<String> faults = new ArrayList<>();
        try (Connection connection = dataSource.getConnection()) {
            long unequal = number(connection, UNEQUAL);
            if (unequal != 0) {
                faults.add("%d accounts have a balance that is not the sum of their rows in %s."
                        .formatted(unequal, JOURNAL));
            }
            long sum = number(connection, "SELECT COALESCE(SUM(balance), 0) FROM " + ACCOUNTS);
            if (sum != 0) {
                faults.add(
                        "All balances together are %d, but each saga takes as much as it gives: some took effect in part."
                                .formatted(sum));
            }
            long found = number(connection, "SELECT COUNT(*) FROM " + JOURNAL);
            if (rows >= 0 && found != rows) {
                faults.add(
                        "%s has %d rows, but the sagas that were committed make %d.".formatted(JOURNAL, found, rows));
            }
        }
        return faults;
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
