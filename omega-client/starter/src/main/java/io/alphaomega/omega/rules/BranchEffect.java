package io.alphaomega.omega.rules;

/** What is to be made happen, in the order in which it is said. */
public sealed interface BranchEffect {
    /** What needs no more words. */
    enum Act implements BranchEffect {
        /** Find out what fence it runs behind: {@link BranchInput#FENCED} or another. */
        LEARN_FENCE,
        WITHDRAW_QUESTION,
        /** Ask the fence what it returned when it was done: {@link BranchInput#FOUND} or not. */
        LOOK_UP_RESULT,
        /** Commit at the fence that the business is about to begin, then {@link BranchInput#NOTED}. */
        NOTE_BEGIN,
        /** Call the method, of which every end is an input. */
        RUN,
        /** Keep this run from the business. */
        STOP,
        /** Abort the saga, of which a caller goes on as if the branch had not been done. */
        ABORT_SAGA,
        /** The caller gets what the method returned. */
        TELL_VALUE,
        /** The caller gets what the method returned when it was done, and did not run again. */
        TELL_EARLIER_VALUE,
        /** The caller gets what was thrown last. */
        TELL_THROWN,
        TELL_CANCELLED,
        /** The method answered without being run. That is what it threw: {@link BranchInput#THREW_FOR_GOOD}. */
        REFUSE_ANSWER,
        /** The caller is told that {@code compensateOnException} does not go with its transaction. */
        REFUSE_NOTE_IN_TRANSACTION,
        /** The caller is told that retries do not go with its transaction. */
        REFUSE_RETRIES_IN_TRANSACTION
    }

    /** Ask alpha whether it may begin. */
    record Ask(boolean endTravels) implements BranchEffect {}

    /** {@link BranchInput#NEXT_TRY} when so much time has passed. */
    record TryAfter(long pauseNanos) implements BranchEffect {}

    /**
     * The branch has ended for those that observe it.
     *
     * @param told what its caller gets
     */
    record Observe(BranchOutcome outcome, Act told) implements BranchEffect {}

    /**
     * Have the fence keep later runs out, and say whether any other has left something: {@link BranchInput#BARRED} or not.
     *
     * @param awaited whether the caller waits until alpha knows
     */
    record Bar(Cause cause, boolean awaited) implements BranchEffect {}

    /**
     * Report that the business is done.
     *
     * @param travels whether its caller may take the report along
     */
    record ReportEnd(boolean travels, boolean awaited) implements BranchEffect {}

    /**
     * Report that the branch has failed.
     *
     * @param clean whether it has surely left nothing behind, in this run or any other
     */
    record ReportFailure(Cause cause, boolean clean, boolean awaited) implements BranchEffect {}

    /** Why a branch has failed, for operators. */
    enum Cause {
        NONE(""),
        UNANSWERED("alpha did not answer in time; the business did not run"),
        WITHDRAWN("its caller cancelled it; the business did not run"),
        CANCELLED("CancellationException: its caller cancelled it"),
        ROLLED_BACK("its local transaction was rolled back"),
        UNKNOWN("the outcome of its local transaction is unknown"),
        /** Says what it threw instead. */
        THROWN("");

        private final String sentence;

        Cause(String sentence) {
            this.sentence = sentence;
        }

        public String sentence() {
            return sentence;
        }
    }
}
