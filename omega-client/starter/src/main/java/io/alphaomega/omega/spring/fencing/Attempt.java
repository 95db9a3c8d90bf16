package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.advice.FencedExecutionInterceptor;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.execution.BranchRunner;
import io.alphaomega.omega.spring.observe.Observations;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One try at the business of a branch: whether it was reached, what it returned, and what became of the local
 * transaction it ran in. {@link BranchRunner}, outside the transaction, makes it; {@link FencedExecutionInterceptor},
 * inside, fills it in; the transaction itself tells it the end.
 */
public final class Attempt implements TransactionSynchronization {
    /** How far the local work got. */
    public enum Local {
        /** The business method was not reached. */
        NOT_REACHED,
        /** It runs without a transaction, or threw there. */
        NO_TRANSACTION,
        /** It ran without a transaction, and returned: whatever throws now, it is done. */
        DONE,
        /** Its transaction, begun by somebody further out, has not ended yet. */
        OPEN,
        COMMITTED,
        /** Or rolled back to a savepoint from before the business, and then ended in whatever way. */
        ROLLED_BACK,
        /** The commit failed in a way that says nothing about the data, or had come before. */
        UNKNOWN
    }

    /** Under which an attempt travels with the invocation to {@link FencedExecutionInterceptor}. */
    public static final String ATTRIBUTE = Attempt.class.getName();

    private final SagaContext caller;
    private final String branch;
    private final BranchDefinition definition;
    private final String fence;
    private final boolean endTravels;
    private final Observations.Observed observed;
    private Local local = Local.NOT_REACHED;
    private byte[] result = new byte[0];
    private @Nullable Runnable atEnd;

    /** Savepoints set since the business was reached: to roll back to any other one undoes it. */
    private final Set<Object> inside = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean undone;
    private boolean ending;
    private boolean barred;
    private String place = "";

    /**
     * @param fence the id of the fence that it runs behind; empty if there is none
     * @param endTravels whether the end of the branch may be left to travel
     * @param observed is told how it ended
     */
    public Attempt(
            SagaContext caller,
            String branch,
            BranchDefinition definition,
            String fence,
            boolean endTravels,
            Observations.Observed observed) {
        this.caller = caller;
        this.branch = branch;
        this.definition = definition;
        this.fence = fence;
        this.endTravels = endTravels;
        this.observed = observed;
    }

    public String saga() {
        return caller.saga();
    }

    public String branch() {
        return branch;
    }

    public BranchDefinition definition() {
        return definition;
    }

    public boolean fenced() {
        return !fence.isEmpty();
    }

    public String fence() {
        return fence;
    }

    public synchronized Local local() {
        return local;
    }

    /** The business is about to run, in the current transaction if there is one. */
    public synchronized void reached() {
        boolean inTransaction = TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
        if (inTransaction) TransactionSynchronizationManager.registerSynchronization(this);
        reached(inTransaction);
    }

    /**
     * The business is about to run.
     *
     * @param inTransaction which will say how it ends
     */
    public synchronized void reached(boolean inTransaction) {
        if (barred) throw new CancellationException(definition.operation() + " was cancelled before it ran.");
        local = inTransaction ? Local.OPEN : Local.NO_TRANSACTION;
        ending = false; // As one before was that lost to another transaction.
    }

    /** Keeps the business from running, unless it has been reached: then it says false. */
    public synchronized boolean bar() {
        barred = local == Local.NOT_REACHED;
        return barred;
    }

    /** How far it got, as its fence says, where no transaction does. */
    synchronized void settle(Local outcome) {
        local = outcome;
    }

    /** Where the row of the branch would be: a hash tag of Redis. */
    synchronized void place(String tag) {
        place = tag;
    }

    /** The same; empty if nobody knows. */
    synchronized String place() {
        return place;
    }

    /** What its caller is told if the fence does not let it run. */
    SagaAbortedException refused() {
        return new SagaAbortedException(
                saga(),
                SagaAbortedException.Cause.OTHER,
                branch,
                "it has failed or been compensated before, so it did not run");
    }

    /** The business has returned. */
    public synchronized void done() {
        if (local == Local.NO_TRANSACTION) local = Local.DONE;
    }

    public synchronized void returned(byte[] encoded) {
        result = encoded;
    }

    /** What the business returned, encoded; empty if nobody needs it. */
    public synchronized byte[] result() {
        return result;
    }

    /** Leaves the end of the branch to travel, unless it must be reported by itself: then it says false. */
    public boolean leaveEnd() {
        return endTravels && caller.untold().leave(branch);
    }

    /**
     * Tells who observes the branch how it has ended, as far as that is known when its method has.
     *
     * @param returned rather than threw
     */
    public void observe(boolean returned) {
        observed.ended(
                switch (local()) {
                    case OPEN -> "OPEN";
                    case NO_TRANSACTION -> returned ? "ENDED" : definition.cleanOnException() ? "FAILED" : "UNKNOWN";
                    case DONE, COMMITTED -> returned ? "ENDED" : "UNKNOWN";
                    case NOT_REACHED, ROLLED_BACK -> "FAILED";
                    case UNKNOWN -> "UNKNOWN";
                });
    }

    public Observations.Observed observed() {
        return observed;
    }

    /** Whether a branch of that saga has joined the transaction that is open on this thread. */
    public static boolean isOpenHere(String saga) {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.getSynchronizations().stream()
                        .anyMatch(each -> each instanceof Attempt attempt
                                && attempt.saga().equals(saga));
    }

    /** Runs {@code action} when the transaction has ended: now, or on the thread that ends it. */
    public void atEnd(Runnable action) {
        synchronized (this) {
            if (local == Local.OPEN) {
                atEnd = action;
                return;
            }
        }
        action.run();
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
        Runnable action;
        synchronized (this) {
            local = ended(status);
            action = atEnd;
        }
        if (action != null) action.run();
    }

    private Local ended(int status) {
        if (undone || status == STATUS_ROLLED_BACK) return Local.ROLLED_BACK;
        return ending && status == STATUS_COMMITTED ? Local.COMMITTED : Local.UNKNOWN;
    }
}
