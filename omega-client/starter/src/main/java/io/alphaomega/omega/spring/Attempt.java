package io.alphaomega.omega.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * One try at the business of a branch: whether it was reached, what it returned, and what became of the local
 * transaction it ran in. {@link BranchInterceptor}, outside the transaction, makes it; {@link LocalWorkInterceptor},
 * inside, fills it in; the transaction itself tells it the end.
 */
final class Attempt implements TransactionSynchronization {
    /** How far the local work got. */
    enum Local {
        /** The business method was not reached. */
        NOT_REACHED,
        /** It ran without a transaction. */
        NO_TRANSACTION,
        /** Its transaction, begun by somebody further out, has not ended yet. */
        OPEN,
        COMMITTED,
        ROLLED_BACK,
        /** The commit failed in a way that says nothing about the data. */
        UNKNOWN
    }

    private final String saga;
    private final String branch;
    private final BranchDefinition definition;
    private final boolean fenced;
    private Local local = Local.NOT_REACHED;
    private byte[] result = new byte[0];
    private @Nullable Runnable atEnd;

    Attempt(String saga, String branch, BranchDefinition definition, boolean fenced) {
        this.saga = saga;
        this.branch = branch;
        this.definition = definition;
        this.fenced = fenced;
    }

    String saga() {
        return saga;
    }

    String branch() {
        return branch;
    }

    BranchDefinition definition() {
        return definition;
    }

    boolean fenced() {
        return fenced;
    }

    synchronized Local local() {
        return local;
    }

    /** The business is about to run, in the current transaction if there is one. */
    synchronized void reached() {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive()) {
            local = Local.OPEN;
            TransactionSynchronizationManager.registerSynchronization(this);
        } else {
            local = Local.NO_TRANSACTION;
        }
    }

    synchronized void returned(byte[] encoded) {
        result = encoded;
    }

    /** What the business returned, encoded; empty if nobody needs it. */
    synchronized byte[] result() {
        return result;
    }

    /** Runs {@code action} when the transaction has ended: now, or on the thread that ends it. */
    void atEnd(Runnable action) {
        synchronized (this) {
            if (local == Local.OPEN) {
                atEnd = action;
                return;
            }
        }
        action.run();
    }

    @Override
    public void afterCompletion(int status) {
        Runnable action;
        synchronized (this) {
            local = status == STATUS_COMMITTED
                    ? Local.COMMITTED
                    : status == STATUS_ROLLED_BACK ? Local.ROLLED_BACK : Local.UNKNOWN;
            action = atEnd;
        }
        if (action != null) action.run();
    }
}
