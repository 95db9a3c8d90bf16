package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.SagaId;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sagas in an SQL database, which the first call opens. To find out at startup whether that works, ask for {@link
 * #durability()}.
 */
public final class JdbcSagaRepository implements SagaRepository {

    /** Of a deadlock one side wins at once; who loses so often has met something else. */
    private static final int ATTEMPTS = 5;

    /** Who waits for a lock does so for seconds. After this there is no attempt more: somebody waits for the answer. */
    private static final Duration REPEATED_WITHIN = Duration.ofSeconds(3);

    private static final int DELETED_AT_ONCE = 256;

    /** To find out that the database is away takes no longer; to migrate it may. */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(5);

    /** Somebody waits in front of a screen; and there are few sessions for searches. */
    private static final Duration SEARCH_WITHIN = Duration.ofSeconds(5);

    private final Database.Opening opening;

    /** Held while the database is opened or closed. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Opened opened;
    private volatile boolean closed;

    /** Since the last write failed, until one succeeds. */
    private volatile boolean writesFail;

    private record Opened(Database database, BatchAppender appending) {}

    public JdbcSagaRepository(Database.Opening opening) {
        this.opening = opening;
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        if (batch.isEmpty()) return List.of();
        Opened to = opened();
        return write(to, session -> to.appending().run(session, batch));
    }

    @Override
    public Loaded load(SagaId id) {
        Database database = opened().database();
        try {
            return database.journals().use(session -> database.dialect().load(session, id));
        } catch (SQLException e) {
            if (!database.dialect().isDamage(e)) throw unavailable(database, e);
            throw new CorruptJournalException(
                    "The journal of saga %s cannot be read: %s. Other sagas continue; restart alpha to have the whole store checked."
                            .formatted(id, e.getMessage()),
                    e);
        }
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        Database database = opened().database();
        return read(
                database,
                database.journals(),
                session -> JournalRows.due(session, database.dialect(), until, cursor, limit));
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        Database database = opened().database();
        return search(database, session -> SearchStatements.find(session, database.dialect(), query, cursor, limit));
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        Database database = opened().database();
        return search(database, session -> SearchStatements.ordered(session, database.dialect(), since, cursor, limit));
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        Database database = opened().database();
        return search(database, session -> SearchStatements.counts(session, states));
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        requireLimit(limit, Integer.MAX_VALUE);
        return inChunks(limit, (session, chunk) -> PurgeTransaction.purge(session, dialect(), endedBefore, chunk));
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        requireLimit(limit, Integer.MAX_VALUE);
        return inChunks(limit, (session, chunk) -> PurgeTransaction.forget(session, dialect(), endedBefore, chunk));
    }

    private interface Deletion {
        int of(Session session, int chunk) throws SQLException;
    }

    /** Each chunk in a transaction of its own, so that none holds locks for long. */
    private int inChunks(int limit, Deletion deletion) {
        Opened to = opened();
        int deleted = 0;
        int last = DELETED_AT_ONCE;
        while (deleted < limit && last == DELETED_AT_ONCE) {
            int chunk = Math.min(DELETED_AT_ONCE, limit - deleted);
            last = write(to, session -> deletion.of(session, chunk));
            deleted += last;
        }
        return deleted;
    }

    @Override
    public Map<String, String> notes() {
        Database database = opened().database();
        return read(database, database.journals(), NoteRows::all);
    }

    @Override
    public void note(String name, String text) {
        SagaRepository.requireNote(name, text);
        boolean unused = write(opened(), session -> NoteRows.put(session, name, text));
    }

    private SqlDialect dialect() {
        return opened().database().dialect();
    }

    @Override
    public Durability durability() {
        Database database = opened().database();
        SqlDialect dialect = database.dialect();
        return read(
                database,
                database.writing(),
                session -> session.inTransaction(dialect.beginWriting(), dialect::durability));
    }

    @Override
    public Health check() {
        try {
            Opened at = opened();
            // A read tells nothing of a full disk or a lock: as long as writes fail, only a write can say that they
            // work.
            if (writesFail) {
                write(at, JdbcSagaRepository::takesAPayload);
            } else {
                read(at.database(), at.database().journals(), JdbcSagaRepository::answers);
            }
            return new Health.Up();
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            return new Health.Down(String.valueOf(e.getMessage()));
        }
    }

    private static boolean takesAPayload(Session session) throws SQLException {
        PreparedStatement update = session.prepared("UPDATE probe SET filling = ? WHERE id = 1");
        byte[] filling = new byte[Limits.PAYLOAD_BYTES];
        ThreadLocalRandom.current().nextBytes(filling); // PostgreSQL would compress anything else to nothing.
        update.setBytes(1, filling);
        return update.executeUpdate() == 1;
    }

    private static boolean answers(Session session) throws SQLException {
        PreparedStatement select = session.prepared("SELECT 1 FROM sagas LIMIT 1");
        select.executeQuery().close();
        return true;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            Opened open = opened;
            opened = null;
            if (open != null) open.database().close();
        } finally {
            lock.unlock();
        }
    }

    private Opened opened() {
        Opened open = opened;
        return open != null ? open : open();
    }

    private Opened open() {
        takeLock();
        try {
            if (closed) throw new RepositoryUnavailableException("The repository is closed.");
            Opened open = opened;
            if (open == null) {
                Database database = opening.open();
                open = new Opened(database, database.dialect().appending());
                opened = open;
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private void takeLock() {
        try {
            if (lock.tryLock(OPENED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RepositoryUnavailableException("The repository is not open yet: another thread is still trying.");
    }

    private <T> T write(Opened to, SqlWork<T> work) {
        Database database = to.database();
        try {
            T result = database.writing().use(session -> transact(session, database.dialect(), work));
            writesFail = false;
            return result;
        } catch (SQLException e) {
            writesFail = true;
            throw unavailable(database, e);
        } catch (RepositoryUnavailableException noTurn) {
            writesFail = true;
            throw noTurn;
        }
    }

    /**
     * Repeats what the database has certainly rolled back, such as the loser of a deadlock: nothing of it was stored.
     * After any other failure the outcome is unknown, and nobody repeats anything.
     */
    private static <T> T transact(Session session, SqlDialect dialect, SqlWork<T> work) throws SQLException {
        long began = System.nanoTime();
        for (int attempt = 1; true; attempt++) {
            try {
                return session.inTransaction(dialect.beginWriting(), work);
            } catch (SQLException e) {
                boolean late = System.nanoTime() - began > REPEATED_WITHIN.toNanos();
                if (attempt == ATTEMPTS || late || !dialect.isRolledBack(e)) throw e;
            }
        }
    }

    private static <T> T search(Database database, SqlWork<T> work) {
        return read(database, database.searches(), session -> {
            session.answerWithin(SEARCH_WITHIN);
            try {
                return work.on(session);
            } catch (SQLException e) {
                if (!session.isOverdue()) throw e;
                throw new RepositoryUnavailableException(
                        "The search was given up after %d s: it looks at too many sagas. Narrow it by time, state or service."
                                .formatted(SEARCH_WITHIN.toSeconds()),
                        e);
            }
        });
    }

    private static <T> T read(Database database, Sessions sessions, SqlWork<T> work) {
        try {
            return sessions.use(work);
        } catch (SQLException e) {
            throw unavailable(database, e);
        }
    }

    private static RepositoryUnavailableException unavailable(Database database, SQLException e) {
        return new RepositoryUnavailableException(
                "%s does not do what it should: %s".formatted(database.name(), e.getMessage()), e, AccessRefusal.in(e));
    }

    private static void requireLimit(int limit, int max) {
        if (limit < 1 || limit > max) {
            throw new IllegalArgumentException("limit must be 1 to %d but was %d".formatted(max, limit));
        }
    }
}
