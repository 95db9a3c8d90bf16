package io.alphaomega.omega.fence;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A service's database in a test: the fence's table, and bookings as its business. */
interface Participant extends Guarded {
    Instant NOW = Instant.parse("2026-11-20T08:00:00Z");

    /** Two that race lose to each other a few times. */
    int TRIES = 20;

    /** What the fence and the business do in one transaction, of branches of the saga {@code saga}. */
    interface Transaction {
        default Forward forward(String branch) throws Exception {
            return forward("saga", branch);
        }

        Forward forward(String saga, String branch) throws Exception;

        Forward again(String branch) throws Exception;

        void storeResult(String branch, byte[] result) throws Exception;

        void begin(String branch) throws Exception;

        boolean bar(String branch) throws Exception;

        Compensation compensation(String branch, boolean forwardEnded) throws Exception;

        Confirmation confirmation(String branch, boolean fenced) throws Exception;

        boolean sequel(String branch) throws Exception;

        int purge(Instant before, int limit) throws Exception;

        void book(String branch) throws Exception;

        /** Undoes one booking; one that is not there fails the test. */
        void cancel(String branch) throws Exception;

        int count(String sql, String branch) throws Exception;

        /** The fence's rows, by their operations. */
        Map<String, Found.Row> rows(String branch) throws Exception;

        /** What the forward call has stored. */
        Optional<byte[]> result(String branch) throws Exception;

        void commit() throws Exception;

        void rollback() throws Exception;
    }

    /** Work in one local transaction. */
    interface Work<T extends @Nullable Object> {
        T in(Transaction transaction) throws Exception;
    }

    /** Creates the table where it is missing. */
    void createTableIfMissing() throws Exception;

    Optional<byte[]> remembered() throws Exception;

    void remember(byte[] memory) throws Exception;

    /** The same database, with a fence whose clock shows that. */
    Participant at(Instant time);

    /** To be ended by the test. */
    Transaction open() throws Exception;

    /** Whether what was thrown is only that another transaction was preferred. */
    boolean hasLost(Exception e);

    /** Tries again what lost to another transaction, as whoever calls the fence may. */
    default <T extends @Nullable Object> T inTransaction(Work<T> work) throws Exception {
        for (int tries = 1; ; tries++) {
            Transaction transaction = open();
            T result;
            try {
                result = work.in(transaction);
                transaction.commit();
                return result;
            } catch (Exception e) {
                transaction.rollback();
                if (!hasLost(e) || tries == TRIES) throw e;
            }
        }
    }

    @Override
    default Forward.Verdict forward(String saga, String branch) throws Exception {
        return inTransaction(transaction -> {
            Forward forward = transaction.forward(saga, branch);
            if (forward.verdict() == Forward.Verdict.RUN) transaction.book(branch);
            return forward.verdict();
        });
    }

    @Override
    default Compensation compensate(String branch, boolean forwardEnded) throws Exception {
        return inTransaction(transaction -> {
            Compensation compensation = transaction.compensation(branch, forwardEnded);
            if (compensation == Compensation.RUN) transaction.cancel(branch);
            return compensation;
        });
    }

    default void begin(String branch) throws Exception {
        this.<@Nullable Object>inTransaction(transaction -> {
            transaction.begin(branch);
            return null;
        });
    }

    @Override
    default boolean bar(String branch) throws Exception {
        return inTransaction(transaction -> transaction.bar(branch));
    }

    @Override
    default Confirmation confirm(String branch, boolean fenced) throws Exception {
        return inTransaction(transaction -> transaction.confirmation(branch, fenced));
    }

    default boolean sequel(String branch) throws Exception {
        return inTransaction(transaction -> transaction.sequel(branch));
    }

    default int purge(Instant before, int limit) throws Exception {
        return inTransaction(transaction -> transaction.purge(before, limit));
    }

    @Override
    default int bookings(String branch) throws Exception {
        return inTransaction(t -> t.count("SELECT COUNT(*) FROM booking WHERE branch = ", branch));
    }

    @Override
    default int fenceRows(String branch) throws Exception {
        return inTransaction(t -> t.count("SELECT COUNT(*) FROM omega_fence WHERE branch = ", branch));
    }
}
