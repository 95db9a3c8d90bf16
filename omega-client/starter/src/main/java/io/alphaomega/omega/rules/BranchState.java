package io.alphaomega.omega.rules;

import io.alphaomega.omega.rules.BranchEffect.Cause;

/**
 * How far a branch has come that runs here.
 *
 * @param fenced whether it runs behind a fence
 * @param findsResult whether that fence can say later what it returned
 * @param inTransaction whether its caller was in a transaction
 * @param tries how many have begun
 * @param local how far the business of the last one got
 * @param clean whether the ones before have surely left nothing behind but what the fence knows of
 * @param cause why it has failed, as far as it has
 * @param awaited whether its caller waits until alpha knows
 * @param unclaimed whether the method has returned, and its caller can still cancel it
 */
public record BranchState(
        BranchTerms terms,
        Phase phase,
        boolean fenced,
        boolean findsResult,
        boolean inTransaction,
        int tries,
        Local local,
        boolean clean,
        Cause cause,
        boolean awaited,
        boolean unclaimed) {
    /** What is waited for. */
    public enum Phase {
        /** Nobody has called it. */
        NEW,
        /** What fence it runs behind. */
        LEARNING,
        /** Alpha's answer, to a question that is being written. */
        ASKING,
        /** Alpha's answer. */
        ASKED,
        /** The question, to withdraw it. */
        CANCELLED_WHILE_ASKING,
        /** What came of that. */
        WITHDRAWING,
        /** What the fence has of the time when it was done. */
        LOOKING,
        /** The first try, or another one. */
        PAUSING,
        /** The end of a try. */
        RUNNING,
        /** The end of the local transaction alone: the method has ended. */
        OPEN,
        /** Nothing but what alpha is told. */
        OVER
    }

    /** How far the local work got. */
    public enum Local {
        /** The business method was not reached. */
        NOT_REACHED,
        /** It runs without a transaction, or threw there. */
        NO_TRANSACTION,
        /** It ran without a transaction, and returned: whatever throws now, it is done. */
        DONE,
        /** Its transaction has not ended yet. */
        OPEN,
        COMMITTED,
        /** Or rolled back to a savepoint from before the business, and then ended in whatever way. */
        ROLLED_BACK,
        /** The commit failed in a way that says nothing about the data, or had come before. */
        UNKNOWN
    }

    public static BranchState of(BranchTerms terms) {
        return new BranchState(
                terms, Phase.NEW, false, false, false, 0, Local.NOT_REACHED, true, Cause.NONE, false, false);
    }

    BranchState in(Phase next) {
        return new BranchState(
                terms, next, fenced, findsResult, inTransaction, tries, local, clean, cause, awaited, unclaimed);
    }

    BranchState calledInTransaction() {
        return new BranchState(terms, phase, fenced, findsResult, true, tries, local, clean, cause, awaited, unclaimed);
    }

    BranchState behindFence(boolean keepsResults) {
        return new BranchState(
                terms, phase, true, keepsResults, inTransaction, tries, local, clean, cause, awaited, unclaimed);
    }

    BranchState with(Local reached) {
        return new BranchState(
                terms, phase, fenced, findsResult, inTransaction, tries, reached, clean, cause, awaited, unclaimed);
    }

    BranchState nextTry(boolean soFarClean) {
        return new BranchState(
                terms,
                Phase.RUNNING,
                fenced,
                findsResult,
                inTransaction,
                tries + 1,
                Local.NOT_REACHED,
                soFarClean,
                cause,
                awaited,
                unclaimed);
    }

    BranchState failing(Cause because, boolean isAwaited) {
        return new BranchState(
                terms, phase, fenced, findsResult, inTransaction, tries, local, clean, because, isAwaited, unclaimed);
    }

    BranchState claimed(boolean byCaller) {
        return new BranchState(
                terms, phase, fenced, findsResult, inTransaction, tries, local, clean, cause, awaited, !byCaller);
    }

    /** Whether this try's transaction has ended, if there is one. */
    boolean hasEnded() {
        return local != Local.OPEN;
    }

    /** Whether a try that threw has surely left nothing behind. */
    boolean leftNothing() {
        return switch (local) {
            case NOT_REACHED, ROLLED_BACK -> true;
            case NO_TRANSACTION -> terms.cleanOnException();
            // Done or committed all the same, as noRollbackFor may say; or nobody knows.
            case DONE, OPEN, COMMITTED, UNKNOWN -> false;
        };
    }

    /** Whether nothing is left of a try that nobody wants, whose business may still be running. */
    boolean isUndone() {
        return local == Local.NOT_REACHED || (local == Local.ROLLED_BACK && terms.inside());
    }

    /** A try of unknown outcome may be followed by another only where the fence tells whether it was committed. */
    boolean mayBeTriedAgain() {
        return switch (local) {
            case NOT_REACHED, ROLLED_BACK, NO_TRANSACTION -> true;
            case UNKNOWN -> fenced;
            case DONE, OPEN, COMMITTED -> false;
        };
    }

    /** As far as it is known when the method has ended. */
    BranchOutcome outcome(boolean returned) {
        return switch (local) {
            case OPEN -> BranchOutcome.OPEN;
            case NO_TRANSACTION -> {
                if (returned) yield BranchOutcome.ENDED;
                yield terms.cleanOnException() ? BranchOutcome.FAILED : BranchOutcome.UNKNOWN;
            }
            case DONE, COMMITTED -> returned ? BranchOutcome.ENDED : BranchOutcome.UNKNOWN;
            case NOT_REACHED, ROLLED_BACK -> BranchOutcome.FAILED;
            case UNKNOWN -> BranchOutcome.UNKNOWN;
        };
    }
}
