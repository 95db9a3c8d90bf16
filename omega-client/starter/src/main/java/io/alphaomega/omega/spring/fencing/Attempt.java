package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.rules.BranchInput;
import io.alphaomega.omega.rules.BranchState;
import io.alphaomega.omega.rules.BranchState.Local;
import io.alphaomega.omega.spring.advice.FencedExecutionInterceptor;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.observe.Observations;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One try at the business of a branch: watches the local transaction it runs in, and feeds the branch what it sees. The
 * driver of the branch, outside the transaction, makes it; {@link FencedExecutionInterceptor}, inside, fills it in; the transaction
 * itself says how it ended.
 */
public final class Attempt implements TransactionSynchronization {
    /** Under which an attempt travels with the invocation to {@link FencedExecutionInterceptor}. */
    public static final String ATTRIBUTE = Attempt.class.getName();

    private final Branch life;
    private final int number;
    private byte[] result = new byte[0];
    private String place = "";

    /** Savepoints set since the business was reached: to roll back to any other one undoes it. */
    private final Set<Object> inside = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean undone;
    private boolean ending;

    /** The branch that it is a try of. */
    public interface Branch {
        String saga();

        String branch();

        BranchDefinition definition();

        /** The id of the fence that it runs behind; empty if there is none. */
        String fence();

        Observations.Observed observed();

        BranchState state();

        /** What a try says of its business. */
        void on(int attempt, BranchInput input);
    }

    /**
     * A try that begins.
     *
     * @param number from 1 on
     */
    public Attempt(Branch life, int number) {
        this.life = life;
        this.number = number;
    }

    public String saga() {
        return life.saga();
    }

    public String branch() {
        return life.branch();
    }

    public BranchDefinition definition() {
        return life.definition();
    }

    public boolean fenced() {
        return !life.fence().isEmpty();
    }

    public String fence() {
        return life.fence();
    }

    public Observations.Observed observed() {
        return life.observed();
    }

    public Local local() {
        return life.state().local();
    }

    /** The business is about to run, in the current transaction if there is one. */
    public void reached() {
        boolean inTransaction = TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
        if (inTransaction) TransactionSynchronizationManager.registerSynchronization(this);
        reached(inTransaction);
    }

    /**
     * The business is about to run.
     *
     * @param inTransaction whether in a transaction, which will say how it ends
     */
    public void reached(boolean inTransaction) {
        life.on(number, inTransaction ? BranchInput.REACHED_IN_TRANSACTION : BranchInput.REACHED);
        synchronized (this) {
            ending = false; // As one before was that lost to another transaction.
        }
    }

    /** How far it got, as its fence says, where no transaction does. */
    public void settle(BranchInput outcome) {
        life.on(number, outcome);
    }

    /** Where the row of the branch would be: a hash tag of Redis. */
    public synchronized void place(String tag) {
        place = tag;
    }

    /** The same; empty if nobody knows. */
    public synchronized String place() {
        return place;
    }

    /** What its caller is told if the fence does not let it run. */
    public SagaAbortedException refused() {
        return new SagaAbortedException(
                saga(),
                SagaAbortedException.Cause.OTHER,
                branch(),
                "it has failed or been compensated before, so it did not run");
    }

    /** The business has returned. */
    public void done() {
        life.on(number, BranchInput.DONE);
    }

    public synchronized void returned(byte[] encoded) {
        result = encoded;
    }

    /** What the business returned, encoded; empty if nobody needs it. */
    public synchronized byte[] result() {
        return result;
    }

    /** Whether a branch of that saga has joined the transaction that is open on this thread. */
    public static boolean isOpenHere(String saga) {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.getSynchronizations().stream()
                        .anyMatch(each -> each instanceof Attempt attempt
                                && attempt.saga().equals(saga));
    }

    @Override
    public synchronized void savepoint(Object savepoint) {
        inside.add(savepoint);
    }

    @Override
    public synchronized void savepointRollback(Object savepoint) {
        undone |= !inside.contains(savepoint);
    }

    /** Does not come if the business was reached in a transaction that had been committed already. */
    @Override
    public synchronized void beforeCompletion() {
        ending = true;
    }

    @Override
    public void afterCompletion(int status) {
        life.on(number, ended(status));
    }

    private synchronized BranchInput ended(int status) {
        if (undone || status == STATUS_ROLLED_BACK) return BranchInput.ROLLED_BACK;
        return ending && status == STATUS_COMMITTED ? BranchInput.COMMITTED : BranchInput.ENDED_UNKNOWN;
    }
}
