package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.jdbc.Database;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.Sessions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** Opens the embedded store: SQLite in a directory that is nobody else's. */
final class SqliteDatabase {
    static final String FILE = "alpha.db";

    /** One sync per commit, of the log, before the commit returns. */
    static final List<String> SYNCED = List.of("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL");

    /** "alph" in ASCII, in the header of the file: tells ours from another program's. */
    static final int APPLICATION_ID = 0x616C7068;

    /** How many {@code sqlite-N.sql} there are. A file says in its header how many of them it has. */
    static final int SCHEMA_VERSION = 6;

    /** Nobody but a backup or a curious person ever holds the lock. */
    private static final Duration BUSY = Duration.ofSeconds(3);

    /** Saga actors load after a start or a failover; SQLite's readers do not wait for each other or for the writer. */
    private static final int JOURNAL_SESSIONS = 4;

    private static final int SEARCH_SESSIONS = 2;

    /** Pages of 4 KiB. Four times SQLite's own: what is written again before a checkpoint is copied once. */
    private static final int CHECKPOINT_PAGES = 4_000;

    /** After a long reader has kept the log from being reused, it shrinks to this again. */
    private static final int LOG_BYTES = 64 << 20;

    private static final int WRITER_CACHE_KIBIBYTES = 32 << 10;
    private static final int READER_CACHE_KIBIBYTES = 4 << 10;

    /** A session is used by one thread at a time, so SQLite need not lock it. */
    private static final SQLiteConfig SETTINGS = new SQLiteConfig();

    static {
        SETTINGS.setOpenMode(SQLiteOpenMode.NOMUTEX);
    }

    private final Path directory;
    private final List<String> durability;
    private final Driver driver;
    private final String name;
    private final SqliteDialect dialect = new SqliteDialect();

    private SqliteDatabase(Path directory, List<String> durability, Driver driver) {
        this.directory = directory;
        this.durability = durability;
        this.driver = driver;
        name = "The embedded store in " + directory;
    }

    /**
     * The way to open it.
     *
     * @param durability settings of the writer; anything but {@link #SYNCED} is for tests that must see a loss
     */
    static Database.Opening in(Path directory, List<String> durability) {
        return in(directory, durability, new JDBC());
    }

    /** @param driver SQLite's, named here because to ask for it by a URL would load the drivers of every database */
    static Database.Opening in(Path directory, List<String> durability, Driver driver) {
        return () -> new SqliteDatabase(directory, durability, driver).open();
    }

    private Database open() {
        DirectoryLock lock = DirectoryLock.take(directory);
        Sessions writing = new Sessions(name, 1, this::writer);
        boolean opened = false;
        try {
            // Looked at before the writer's settings change the file: it may be somebody else's.
            try (Session plain = session(List.of())) {
                requireOurs(plain);
            }
            opened = writing.use(this::migrate);
        } catch (SQLException e) {
            if (dialect.isDamage(e)) throw damaged(String.valueOf(e.getMessage()), e);
            throw new RepositoryUnavailableException("%s cannot be opened now: %s".formatted(name, e.getMessage()), e);
        } finally {
            if (!opened) {
                writing.close();
                lock.close();
            }
        }
        return new Database(
                name,
                dialect,
                writing,
                new Sessions(name, JOURNAL_SESSIONS, this::reader),
                new Sessions(name, SEARCH_SESSIONS, this::reader),
                lock::close);
    }

    private Session writer() throws SQLException {
        List<String> settings = new ArrayList<>(durability);
        settings.add("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
        settings.add("PRAGMA journal_size_limit = " + LOG_BYTES);
        settings.add("PRAGMA cache_size = -" + WRITER_CACHE_KIBIBYTES);
        return session(settings);
    }

    private Session reader() throws SQLException {
        return session(List.of("PRAGMA query_only = ON", "PRAGMA cache_size = -" + READER_CACHE_KIBIBYTES));
    }

    private Session session(List<String> settings) throws SQLException {
        Connection connection = driver.connect(JDBC.PREFIX + directory.resolve(FILE), SETTINGS.toProperties());
        boolean ready = false;
        try {
            Session session = new Session(connection);
            session.execute("PRAGMA busy_timeout = " + BUSY.toMillis());
            // Noticed before it is followed, where a page of a tree is not one.
            session.execute("PRAGMA cell_size_check = ON");
            for (String setting : settings) session.execute(setting);
            SqliteDialect.addFunctions(connection);
            SqliteDialect.addDeadline(connection, session);
            ready = true;
            return session;
        } finally {
            if (!ready) connection.close();
        }
    }

    private void requireOurs(Session session) throws SQLException {
        String check = session.text("PRAGMA quick_check(1)");
        if (!check.equals("ok")) throw damaged(check, null);
        int applicationId = Integer.parseInt(session.text("PRAGMA application_id"));
        int version = Integer.parseInt(session.text("PRAGMA user_version"));
        boolean empty = session.text("SELECT COUNT(*) FROM sqlite_master").equals("0");
        if (applicationId != APPLICATION_ID && !empty) {
            throw new IllegalStateException(
                    "The file %s in %s is not alpha's: name another directory.".formatted(FILE, directory));
        }
        if (version > SCHEMA_VERSION) {
            throw new IllegalStateException(
                    "%s has schema version %d, and this alpha knows up to %d: it was used by a newer alpha; run that one, or restore a backup from before."
                            .formatted(name, version, SCHEMA_VERSION));
        }
    }

    /** Flyway would cost more than the rest of the opening; here the version is a number in the file's header. */
    private boolean migrate(Session session) throws SQLException {
        int version = Integer.parseInt(session.text("PRAGMA user_version"));
        for (int next = version + 1; next <= SCHEMA_VERSION; next++) migrateTo(session, next);
        return true;
    }

    private void migrateTo(Session session, int version) throws SQLException {
        String script = script("sqlite-" + version + ".sql");
        session.inTransaction(dialect.beginWriting(), on -> {
            for (String statement : script.split(";\n", -1)) {
                if (!statement.isBlank()) on.execute(statement);
            }
            on.execute("PRAGMA application_id = " + APPLICATION_ID);
            on.execute("PRAGMA user_version = " + version);
            return version;
        });
    }

    static String script(String name) {
        try (InputStream script = SqliteDatabase.class.getResourceAsStream(name)) {
            if (script == null) throw new IllegalStateException(name + " is missing beside " + SqliteDatabase.class);
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(name + " cannot be read", e);
        }
    }

    private IllegalStateException damaged(String found, @Nullable Throwable cause) {
        return new IllegalStateException(
                "%s is damaged (%s): alpha does not start on it, so that nothing is lost in silence. Restore a backup, or keep a copy and salvage it with 'sqlite3 %s .recover'."
                        .formatted(name, found.strip(), FILE),
                cause);
    }
}
