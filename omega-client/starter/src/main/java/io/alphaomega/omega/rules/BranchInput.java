package io.alphaomega.omega.rules;

import io.alphaomega.omega.SagaException;

/** What can happen to a branch that runs here. */
public enum BranchInput {
    /** It is called, outside of transactions. */
    CALLED,
    CALLED_IN_TRANSACTION,

    /** It runs behind a fence that keeps what it returns. */
    FENCED,
    /** It runs behind a fence that cannot say later what it returned. */
    FENCED_WITHOUT_RESULTS,
    UNFENCED,

    /** The question whether it may begin is on its way to alpha; only now can it be withdrawn. */
    ASKED,
    /** Alpha has let it begin. */
    LET_IN,
    /** Alpha has not, or its saga is over. */
    REFUSED,
    /** Its saga is committed: a call that comes again may have been done before. */
    COMMITTED_BEFORE,
    /** Alpha has not answered in time. */
    UNAVAILABLE,
    /** Nor has it, and there is hardly room for further reports. */
    CROWDED,
    /** The question was withdrawn before it was answered. */
    WITHDRAWN,

    /** The fence has what it returned when it was done. */
    FOUND,
    NOT_FOUND,

    /** Another try begins. */
    NEXT_TRY,
    /** That the business begins is noted, and committed. */
    NOTED,
    /** The business is about to run outside of transactions. */
    REACHED,
    REACHED_IN_TRANSACTION,
    /** The business has returned to the advice next to it. */
    DONE,

    /** The local transaction has been committed. */
    COMMITTED,
    ROLLED_BACK,
    /** Nobody knows how it ended. */
    ENDED_UNKNOWN,

    /** The method has returned, past all advice. */
    RETURNED,
    /** The method has thrown something that another try may help against; before the business runs, its fence has. */
    THREW,
    /** Another try would be in vain, or must not be. */
    THREW_FOR_GOOD,
    /** The pause before another try was interrupted. */
    PAUSE_BROKEN,

    /** The caller does not want it any more. */
    CANCELLED,
    /** The caller has what it returned, and can cancel it no more. */
    HANDED_ON,

    /** The fence keeps later runs out, and no other run has left anything behind. */
    BARRED,
    /** Some other run has, or the fence does not answer. */
    NOT_BARRED;

    /** How the business threw: what omega itself says is not said otherwise by another try. */
    public static BranchInput threw(Throwable thrown) {
        return thrown instanceof Error || thrown instanceof SagaException ? THREW_FOR_GOOD : THREW;
    }
}
