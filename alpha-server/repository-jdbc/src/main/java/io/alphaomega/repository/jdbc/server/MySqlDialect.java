package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.jdbc.BatchAppender;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.StoredSaga;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** MySQL and MariaDB: alike but for the names of some settings. */
final class MySqlDialect implements ServerDialect {
    /** Whoever holds a saga's row for longer has stopped in the middle. No server takes less. */
    private static final int LOCKED_SECONDS = 1;

    /** Whoever changes a table is done with it after this, or makes everybody wait. */
    private static final int TABLE_LOCKED_SECONDS = 2;

    /** As long as a search may take, see {@link JdbcSagaRepository}. */
    private static final int SEARCH_SECONDS = 5;

    /** A migration waits so long for those who use a table to be done; everybody else waits behind it. */
    private static final int MIGRATION_LOCK_SECONDS = 20;

    /** The locks of a server that is paused or cut off are given up after this. */
    private static final int STALLED_SECONDS = 10;

    private static final int DEADLOCK = 1213;
    private static final int LOCK_TIMEOUT = 1205;

    private static final Set<Integer> DAMAGE = Set.of(126, 127, 1034, 1035, 1194, 1195);

    private final String name;
    private final boolean mariaDb;
    private final int packetBytes;
    private final boolean galera;

    /** A collation. With most others, a text equals one that ends with more spaces. */
    private final String byBytes;

    MySqlDialect(String name, boolean mariaDb, int packetBytes, boolean galera) {
        this.name = name;
        this.mariaDb = mariaDb;
        this.packetBytes = packetBytes;
        this.galera = galera;
        byBytes = mariaDb ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
    }

    @Override
    public String settings(Use use) {
        List<String> variables = new ArrayList<>(List.of(
                "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
                (mariaDb ? "tx_isolation" : "transaction_isolation") + " = 'READ-COMMITTED'",
                "innodb_lock_wait_timeout = " + LOCKED_SECONDS,
                "lock_wait_timeout = " + (use == Use.MIGRATING ? MIGRATION_LOCK_SECONDS : TABLE_LOCKED_SECONDS)));
        switch (use) {
            case WRITING ->
                variables.add((mariaDb ? "idle_transaction_timeout = " : "wait_timeout = ") + STALLED_SECONDS);
            case SEARCHING ->
                variables.add(
                        mariaDb
                                ? "max_statement_time = " + SEARCH_SECONDS
                                : "max_execution_time = " + 1_000 * SEARCH_SECONDS);
            // For Flyway's own table.
            case MIGRATING -> variables.add("default_storage_engine = InnoDB");
            case READING -> {}
        }
        // Else a node of the cluster may answer before it has seen what another one has committed.
        if (galera) variables.add("wsrep_sync_wait = 7");
        return "SET SESSION " + String.join(", ", variables);
    }

    @Override
    public String migrations() {
        return "io/alphaomega/repository/jdbc/server/mysql";
    }

    @Override
    public Map<String, String> placeholders() {
        return Map.of("byBytes", byBytes);
    }

    /** By a lock of the server's; nodes of a cluster have each their own, and some of them refuse it. */
    @Override
    public void awaitTurn(Session session, Duration patience) throws SQLException {
        if (galera) return;
        String lock = "SELECT GET_LOCK(CONCAT('alpha ', SHA2(DATABASE(), 224)), %d)".formatted(patience.toSeconds());
        if (!session.text(lock).equals("1")) {
            throw new SQLTimeoutException(
                    "another alpha has been migrating it for %d minutes".formatted(patience.toMinutes()));
        }
    }

    @Override
    public BatchAppender appending() {
        StoredSaga.Remembered remembered = new StoredSaga.Remembered();
        return new PatientAppends(
                this,
                new OptimisticAppends(this, new AppendTransaction(this, true, remembered::put), remembered),
                new AppendTransaction(this, false, remembered::put));
    }

    /** Reads what nobody has committed yet, so that nothing is put that would have to wait. */
    @Override
    public void beginWithoutWaiting(Session session, Insert begin, SortedMap<String, @Nullable Object[]> rows)
            throws SQLException {
        // Of this transaction; for what it locks and writes it is the same as READ COMMITTED.
        session.prepared("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED").execute();
        SortedMap<String, @Nullable Object[]> absent = new TreeMap<>(rows);
        absent.keySet().removeAll(AppendTransaction.existing(session, this, rows.keySet()));
        begin.write(session, List.copyOf(absent.values()));
    }

    /** In a small table it would look at every row, and wait for those that others have locked. */
    @Override
    public String byKey() {
        return " FORCE INDEX (PRIMARY)";
    }

    @Override
    public String orUpdate(String key, List<String> columns) {
        return columns.stream()
                .map(column -> column + " = VALUES(" + column + ")")
                .collect(Collectors.joining(", ", " ON DUPLICATE KEY UPDATE ", ""));
    }

    @Override
    public String orIgnore(String key) {
        return " ON DUPLICATE KEY UPDATE " + key + " = " + key;
    }

    @Override
    public int statementBytes() {
        return packetBytes;
    }

    /** Else it begins with the sagas, all of them, where a service takes part in many. */
    @Override
    public String thenJoins() {
        return " STRAIGHT_JOIN ";
    }

    @Override
    public String mentions(List<String> columns) {
        return columns.stream()
                .map(column -> "LOCATE(LOWER(? COLLATE %2$s), LOWER(CONVERT(%1$s USING utf8mb4) COLLATE %2$s)) > 0"
                        .formatted(column, byBytes))
                .collect(Collectors.joining(" OR ", "(", ")"));
    }

    @Override
    public String contains(String column) {
        return "INSTR(" + column + ", ?) > 0";
    }

    @Override
    public Durability durability(Session session) throws SQLException {
        return MySqlDurability.read(name, session);
    }

    @Override
    public boolean isDamage(SQLException e) {
        return DAMAGE.contains(e.getErrorCode());
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return e.getErrorCode() == LOCK_TIMEOUT;
    }

    @Override
    public boolean isRolledBack(SQLException e) {
        return e.getErrorCode() == DEADLOCK;
    }
}
