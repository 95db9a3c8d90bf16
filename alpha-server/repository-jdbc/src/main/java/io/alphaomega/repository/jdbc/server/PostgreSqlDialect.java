package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.jdbc.BatchAppender;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.repository.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** PostgreSQL, whose driver makes one statement of many rows out of a batch of inserts. */
final class PostgreSqlDialect implements ServerDialect {
    /** Whoever holds a saga's row for longer has stopped in the middle. */
    private static final String LOCKED = "500ms";

    /** Of those who put a row at the same time one is hardly ever done so soon, but 64 in a row cost less than a second. */
    private static final String BARELY = "10ms";

    /** Whoever changes a table is done with it after this, or makes everybody wait. */
    private static final String TABLE_LOCKED = "2s";

    /** As long as a search may take, see {@link JdbcSagaRepository}. */
    private static final String STATEMENT = "5s";

    /** A migration waits so long for those who use a table to be done; everybody else waits behind it. */
    private static final String MIGRATION_LOCK = "20s";

    /** The locks of a server that is paused or cut off are given up after this. */
    private static final String STALLED = "10s";

    private static final String DATA_CORRUPTED = "XX001";
    private static final String INDEX_CORRUPTED = "XX002";
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final Set<String> ROLLED_BACK = Set.of("40001", "40P01");

    private static final String SETTINGS = """
            SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit',
                'full_page_writes', 'synchronous_standby_names')""";

    private final String name;
    private final String folding;

    /** @param folding a collation, quoted, that knows the case of all letters */
    PostgreSqlDialect(String name, String folding) {
        this.name = name;
        this.folding = folding;
    }

    @Override
    public String settings(Use use) {
        // A commit that waits for a standby must not be given up here: it would return as if the standby had it.
        boolean limited = use == Use.READING || use == Use.SEARCHING;
        return String.join(
                "; ",
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE",
                "SET lock_timeout = '" + lockTimeout(use) + "'",
                "SET statement_timeout = '" + (limited ? STATEMENT : "0") + "'",
                "SET idle_in_transaction_session_timeout = '" + STALLED + "'");
    }

    private static String lockTimeout(Use use) {
        return switch (use) {
            case WRITING -> LOCKED;
            case READING, SEARCHING -> TABLE_LOCKED;
            case MIGRATING -> MIGRATION_LOCK;
        };
    }

    @Override
    public String migrations() {
        return "io/alphaomega/repository/jdbc/server/postgresql";
    }

    @Override
    public Map<String, String> placeholders() {
        return Map.of();
    }

    @Override
    public BatchAppender appending() {
        return new PatientAppends(
                this,
                new AppendTransaction(this, true, standing -> {}),
                new AppendTransaction(this, false, standing -> {}));
    }

    /** Nobody sees what is not committed, not even that it is there; so each is tried, together and then one by one. */
    @Override
    public void beginWithoutWaiting(Session session, Insert begin, SortedMap<String, @Nullable Object[]> rows)
            throws SQLException {
        session.prepared("SET LOCAL lock_timeout = '" + BARELY + "'").execute();
        if (!begun(session, begin, List.copyOf(rows.values()))) {
            for (@Nullable Object[] row : rows.values()) begun(session, begin, List.<@Nullable Object[]>of(row));
        }
        session.prepared("SET LOCAL lock_timeout = '" + LOCKED + "'").execute();
    }

    /** Whether nobody was in the way. */
    private boolean begun(Session session, Insert begin, List<@Nullable Object[]> rows) throws SQLException {
        session.prepared("SAVEPOINT begins").execute();
        boolean free = true;
        try {
            begin.write(session, rows);
        } catch (SQLException e) {
            if (!isLockTimeout(e)) throw e;
            free = false;
            session.prepared("ROLLBACK TO SAVEPOINT begins").execute();
        }
        session.prepared("RELEASE SAVEPOINT begins").execute();
        return free;
    }

    @Override
    public void awaitTurn(Session session, Duration patience) throws SQLException {
        session.execute("SET lock_timeout = " + patience.toMillis());
        session.execute("SELECT pg_advisory_lock(hashtext('alpha migrates'))");
    }

    @Override
    public String byKey() {
        return "";
    }

    @Override
    public String orUpdate(String key, List<String> columns) {
        return columns.stream()
                .map(column -> column + " = excluded." + column)
                .collect(Collectors.joining(", ", " ON CONFLICT (" + key + ") DO UPDATE SET ", ""));
    }

    @Override
    public String orIgnore(String key) {
        return " ON CONFLICT (" + key + ") DO NOTHING";
    }

    @Override
    public int statementBytes() {
        return 0;
    }

    /** It knows by itself, and cannot be told. */
    @Override
    public String thenJoins() {
        return " CROSS JOIN ";
    }

    @Override
    public String mentions(List<String> columns) {
        return columns.stream()
                .map(column -> "position(lower(CAST(? AS TEXT) COLLATE %1$s) IN lower(%2$s COLLATE %1$s)) > 0"
                        .formatted(folding, column))
                .collect(Collectors.joining(" OR ", "(", ")"));
    }

    @Override
    public String contains(String column) {
        return "strpos(" + column + ", ?) > 0";
    }

    @Override
    public Durability durability(Session session) throws SQLException {
        return durability(name, new TreeMap<>(session.settings(SETTINGS)));
    }

    static Durability durability(String name, Map<String, String> all) {
        String commit = all.getOrDefault("synchronous_commit", "on");
        if (commit.equals("off")) {
            throw new IllegalStateException(
                    "%s would lose what it has acknowledged when its process is killed (synchronous_commit=off): set it to on for alpha's user."
                            .formatted(name));
        }
        boolean synced = !"off".equals(all.get("fsync")) && !"off".equals(all.get("full_page_writes"));
        boolean elsewhere = !all.getOrDefault("synchronous_standby_names", "").isBlank()
                && Set.of("on", "remote_apply").contains(commit);
        return new Durability(
                synced ? (elsewhere ? Level.FAILOVER : Level.POWER_LOSS) : Level.PROCESS_CRASH,
                all.entrySet().stream()
                        .filter(setting -> !setting.getKey().equals("server_version"))
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .collect(Collectors.joining(
                                ", ", "PostgreSQL " + all.getOrDefault("server_version", "") + ", ", "")));
    }

    @Override
    public boolean isDamage(SQLException e) {
        return DATA_CORRUPTED.equals(e.getSQLState()) || INDEX_CORRUPTED.equals(e.getSQLState());
    }

    @Override
    public boolean isLockTimeout(SQLException e) {
        return LOCK_NOT_AVAILABLE.equals(e.getSQLState());
    }

    @Override
    public boolean isRolledBack(SQLException e) {
        return ROLLED_BACK.contains(String.valueOf(e.getSQLState()));
    }
}
