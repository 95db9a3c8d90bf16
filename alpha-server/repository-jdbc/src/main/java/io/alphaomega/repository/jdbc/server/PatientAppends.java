package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Locked;
import io.alphaomega.repository.jdbc.BatchAppender;
import io.alphaomega.repository.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Appends to a server that wait for rows which others have locked, as long as a healthy transaction may take. If that is
 * not enough, somebody has stopped in the middle: the batch is written without the sagas that he holds, and so is each
 * further batch for a while, at once. A server that was paused holds up to a batch of sagas, and whoever comes for
 * another one of them would make everybody wait again.
 */
final class PatientAppends implements BatchAppender {
    /** Somebody who was paused comes back, or the database gives up on his locks. After this, another batch may wait. */
    private static final Duration IMPATIENT = Duration.ofSeconds(10);

    /** What was put after the first look is passed over by the second. */
    private static final int LOOKS = 2;

    private final ServerDialect dialect;
    private final BatchAppender waiting;
    private final BatchAppender passing;

    /** When a saga was last locked for too long; long ago, at first. */
    private volatile long lockedAt = System.nanoTime() - IMPATIENT.toNanos();

    /**
     * @param waiting waits for what others have locked
     * @param passing passes over it
     */
    PatientAppends(ServerDialect dialect, BatchAppender waiting, BatchAppender passing) {
        this.dialect = dialect;
        this.waiting = waiting;
        this.passing = passing;
    }

    @Override
    public List<AppendResult> run(Session session, List<Append> batch) throws SQLException {
        if (System.nanoTime() - lockedAt >= IMPATIENT.toNanos()) {
            try {
                return waiting.run(session, batch);
            } catch (SQLException e) {
                if (!dialect.isLockTimeout(e)) throw e;
                session.undo();
            }
        }
        List<AppendResult> results = pass(session, batch);
        if (results.stream().anyMatch(Locked.class::isInstance)) lockedAt = System.nanoTime();
        return results;
    }

    private List<AppendResult> pass(Session session, List<Append> batch) throws SQLException {
        for (int look = 1; look <= LOOKS; look++) {
            try {
                return passing.run(session, batch);
            } catch (SQLException e) {
                if (!dialect.isLockTimeout(e)) throw e;
                // A whole table is locked, or somebody has put a row since it was looked for. Nothing is stored.
                session.undo();
            }
        }
        return batch.stream().<AppendResult>map(item -> new Locked()).toList();
    }
}
