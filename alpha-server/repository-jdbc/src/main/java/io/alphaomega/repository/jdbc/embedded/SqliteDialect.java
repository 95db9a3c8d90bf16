package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.jdbc.BatchAppender;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.SqlDialect;
import io.alphaomega.repository.jdbc.Tokens;
import io.alphaomega.saga.SagaId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.sqlite.Function;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** SQLite: one writer at a time, and a function of ours where it folds only the case of ASCII. */
final class SqliteDialect implements SqlDialect {
    private static final String MENTIONS = "mentions";

    /** Steps of SQLite's machine, a few milliseconds. */
    private static final int STEPS_BETWEEN_LOOKS = 100_000;

    /** Gives a connection the functions that {@link #mentions} uses. */
    static void addFunctions(Connection connection) throws SQLException {
        Function.create(connection, MENTIONS, new Function() {
            @Override
            protected void xFunc() throws SQLException {
                String part = value_text(args() - 1).toLowerCase(Locale.ROOT);
                boolean found = false;
                for (int i = 0; i < args() - 1 && !found; i++) {
                    found = value_text(i).toLowerCase(Locale.ROOT).contains(part);
                }
                result(found ? 1 : 0);
            }
        });
    }

    /** Makes a connection give up when its session is overdue; SQLite itself would look at every row, however many. */
    static void addDeadline(Connection connection, Session session) throws SQLException {
        ProgressHandler.setHandler(connection, STEPS_BETWEEN_LOOKS, new ProgressHandler() {
            @Override
            protected int progress() {
                return session.isOverdue() ? 1 : 0;
            }
        });
    }

    @Override
    public String beginWriting() {
        return "BEGIN IMMEDIATE";
    }

    @Override
    public String toLockWhatIsFree() {
        return "";
    }

    @Override
    public BatchAppender appending() {
        return new EmbeddedAppends();
    }

    @Override
    public Loaded load(Session session, SagaId id) throws SQLException {
        return EmbeddedJournals.load(session, id);
    }

    @Override
    public String summaries() {
        return "summaries";
    }

    @Override
    public String key() {
        return "number";
    }

    @Override
    public String journal() {
        return "appends";
    }

    /** Spelt out whose number it is: an append has one, too. */
    @Override
    public String bury() {
        return """
                UPDATE sagas SET state = ?, token = ?, sequence = (SELECT MAX(sequence) FROM appends WHERE saga = sagas.number),
                    buried_at = ended_at, ended_at = NULL, due_at = NULL,
                    service = '', operation = '', business_key = '', reason = '', attributes = NULL, ordered_at = NULL
                WHERE number = ? AND ended_at IS NOT NULL""";
    }

    @Override
    public Object newToken() {
        return Tokens.nextNumber();
    }

    /** Without statistics it believes that any index by equality is the best. */
    @Override
    public String unindexed(String column) {
        return "+" + column;
    }

    @Override
    public String thenJoins() {
        return " CROSS JOIN ";
    }

    @Override
    public String mentions(List<String> columns) {
        return MENTIONS + "(" + String.join(", ", columns) + ", ?)";
    }

    @Override
    public String contains(String column) {
        return "INSTR(" + column + ", ?) > 0";
    }

    @Override
    public Durability durability(Session session) throws SQLException {
        String journal = session.text("PRAGMA journal_mode");
        int synchronous = Integer.parseInt(session.text("PRAGMA synchronous"));
        List<String> names = List.of("OFF", "NORMAL", "FULL", "EXTRA");
        boolean synced = journal.equals("wal") && synchronous >= names.indexOf("FULL");
        return new Durability(
                synced ? Level.POWER_LOSS : Level.PROCESS_CRASH,
                "SQLite, journal_mode=%s, synchronous=%s".formatted(journal, names.get(synchronous)));
    }

    @Override
    public boolean isDamage(SQLException e) {
        return e instanceof SQLiteException failure
                && Stream.of(SQLiteErrorCode.SQLITE_CORRUPT, SQLiteErrorCode.SQLITE_NOTADB)
                        .anyMatch(code -> code.code == (failure.getResultCode().code & 0xFF));
    }

    /** Whoever holds the lock for longer than SQLite waits is an outage. */
    @Override
    public boolean isRolledBack(SQLException e) {
        return false;
    }
}
