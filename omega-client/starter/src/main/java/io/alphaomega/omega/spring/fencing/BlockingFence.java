package io.alphaomega.omega.spring.fencing;

import org.jspecify.annotations.Nullable;

/** The fence of branches whose threads may wait. */
public interface BlockingFence extends CallbackFence {
    /** The id of the fence that a branch which begins now begins behind. */
    String id();

    /** Notes, and commits, that the business of a branch is about to begin; to be told outside of transactions. */
    void begin(String saga, String branch) throws Throwable;

    /** Runs the business of a branch at most once, or returns what it returned before. */
    @Nullable
    Object forward(Attempt attempt, FencedExecution.Business business) throws Throwable;

    /**
     * Whether a branch that did not run here has surely left nothing behind, in no other run of it either, and never will; to
     * be asked outside of transactions.
     */
    boolean bar(String saga, String branch);

    /** The same of a branch that threw and was rolled back. */
    default boolean bar(Attempt attempt) {
        return bar(attempt.saga(), attempt.branch());
    }
}
