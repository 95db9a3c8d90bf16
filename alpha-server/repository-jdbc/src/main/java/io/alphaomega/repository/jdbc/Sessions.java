package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A few sessions that take turns: opened when needed, kept, and dropped after a failure. A pool of a library would wait
 * for a database that is away and try in the background; here the caller is told at once, and finds it when it is back.
 */
public final class Sessions implements AutoCloseable {
    /** A caller that has waited so long for its turn is told so while somebody still waits for its answer. */
    private static final Duration TURN_WITHIN = Duration.ofSeconds(3);

    /** Whoever asks alpha waits for ten seconds at most. */
    private static final Duration DONE_WITHIN = Duration.ofSeconds(8);

    /** To connect takes a remote database a few answers, each of which may be slow. */
    private static final Duration OPENED_WITHIN = Duration.ofSeconds(3);

    private static final Duration FOR_EVER = ChronoUnit.FOREVER.getDuration();

    /** A session that has rested, and since when. */
    private record Idle(Session session, long sinceNanos) {}

    /** Opens a session; what it throws is passed on. */
    public interface Opening {
        Session open() throws SQLException;
    }

    private final String name;
    private final int size;
    private final Opening opening;
    private final Duration trust;
    private final Semaphore turns;
    private final Queue<Idle> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /** Sessions that nothing can end but their own failures. */
    public Sessions(String name, int size, Opening opening) {
        this(name, size, opening, FOR_EVER);
    }

    /** @param trust a session that has rested for longer is asked first whether the database still answers */
    public Sessions(String name, int size, Opening opening, Duration trust) {
        this.name = name;
        this.size = size;
        this.opening = opening;
        this.trust = trust;
        turns = new Semaphore(size, true);
    }

    /**
     * What {@code work} returns.
     *
     * @throws SQLException of the work
     * @throws RepositoryUnavailableException if there was no turn in time
     */
    public <T> T use(SqlWork<T> work) throws SQLException {
        long last = System.nanoTime() + DONE_WITHIN.toNanos();
        takeTurn();
        try {
            if (closed) throw new RepositoryUnavailableException(name + " is closed.");
            Session session = session();
            session.finishBy(last);
            boolean sound = false;
            try {
                T result = work.on(session);
                sound = true;
                return result;
            } catch (SQLException e) {
                dropIdle();
                throw e;
            } finally {
                if (sound) idle.add(new Idle(session, System.nanoTime()));
                else drop(session);
            }
        } finally {
            turns.release();
        }
    }

    private Session session() throws SQLException {
        Idle rested = idle.poll();
        if (rested == null) return opened();
        Duration rest = Duration.ofNanos(System.nanoTime() - rested.sinceNanos());
        if (rest.compareTo(trust) <= 0 || rested.session().isAlive()) return rested.session();
        drop(rested.session());
        dropIdle();
        return opened();
    }

    /** Within the time, or not at all: drivers limit each step of it only. */
    private Session opened() throws SQLException {
        if (trust.equals(FOR_EVER)) return opening.open();
        FutureTask<Session> task = new FutureTask<>(opening::open);
        Thread.ofVirtual().start(task);
        try {
            return task.get(OPENED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException cause) throw cause;
            throw new IllegalStateException("A session with " + name + " could not be opened.", e.getCause());
        } catch (TimeoutException e) {
            Thread.ofVirtual().start(() -> dropLate(task));
            throw new SQLTimeoutException("it is too slow: no session within " + OPENED_WITHIN.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            Thread.ofVirtual().start(() -> dropLate(task));
            throw new SQLTimeoutException("the wait for a session was interrupted", e);
        }
    }

    private static void dropLate(FutureTask<Session> task) {
        try {
            drop(task.get());
        } catch (ExecutionException | InterruptedException e) {
            // There is none, then.
        }
    }

    /** What has ended one has most likely ended the others as well; to open a few is cheap, to fail once more is not. */
    private void dropIdle() {
        for (Idle rested = idle.poll(); rested != null; rested = idle.poll()) drop(rested.session());
    }

    private void takeTurn() {
        try {
            if (!turns.tryAcquire(TURN_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new RepositoryUnavailableException(
                        "%s is busy: %d callers wait, and none of them had a turn within %d s."
                                .formatted(name, turns.getQueueLength() + 1, TURN_WITHIN.toSeconds()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RepositoryUnavailableException("The wait for " + name + " was interrupted.", e);
        }
    }

    private static void drop(Session session) {
        try {
            session.close();
        } catch (SQLException e) {
            // It is dropped because it failed; that failure is on its way to the caller.
        }
    }

    /** Refuses new work, waits a bounded time for what is under way, and closes the sessions. */
    @Override
    public void close() {
        closed = true;
        boolean drained = false;
        try {
            drained = turns.tryAcquire(size, TURN_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        dropIdle();
        if (drained) turns.release(size);
    }
}
