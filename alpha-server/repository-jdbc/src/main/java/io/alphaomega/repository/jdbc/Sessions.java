package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A few sessions that take turns: opened when needed, kept, and dropped after a failure. */
final class Sessions implements AutoCloseable {
    /** A caller that has waited so long for its turn is told so while somebody still waits for its answer. */
    private static final Duration TURN_WITHIN = Duration.ofSeconds(5);

    /** Opens a session; what it throws is passed on. */
    interface Opening {
        Session open() throws SQLException;
    }

    private final String name;
    private final int size;
    private final Opening opening;
    private final Semaphore turns;
    private final Queue<Session> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    Sessions(String name, int size, Opening opening) {
        this.name = name;
        this.size = size;
        this.opening = opening;
        turns = new Semaphore(size, true);
    }

    /**
     * What {@code work} returns.
     *
     * @throws SQLException of the work
     * @throws RepositoryUnavailableException if there was no turn in time
     */
    <T> T use(SqlWork<T> work) throws SQLException {
        takeTurn();
        try {
            if (closed) throw new RepositoryUnavailableException(name + " is closed.");
            Session session = idle.poll();
            if (session == null) session = opening.open();
            boolean sound = false;
            try {
                T result = work.on(session);
                sound = true;
                return result;
            } finally {
                if (sound) idle.add(session);
                else drop(session);
            }
        } finally {
            turns.release();
        }
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
        for (Session session = idle.poll(); session != null; session = idle.poll()) drop(session);
        if (drained) turns.release(size);
    }
}
