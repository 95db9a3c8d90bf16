package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.fence.Found;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The fence as callbacks meet it, on a thread that may wait. */
public interface CallbackFence {
    /** A callback's work: given the result that the forward call stored, if it stored one. */
    interface CallbackWork {
        /** Returns what the method does, with which it may not be done yet. */
        @Nullable
        Object run(byte @Nullable [] result) throws Throwable;
    }

    /**
     * Runs a compensation at most once, unless there is nothing to undo. That a row is not there means that only while
     * it could not have been purged.
     *
     * @param began the id of the fence that the branch began behind; empty if it did not say
     * @param age of the branch
     * @throws UnknowableException if this is another fence
     */
    Compensation compensate(
            String saga, String branch, String began, boolean forwardEnded, Duration age, CallbackWork work)
            throws Throwable;

    /** Runs a confirmation at most once; otherwise as {@link #compensate}. */
    Confirmation confirm(String saga, String branch, String began, CallbackWork work) throws Throwable;

    /**
     * Runs at most once what follows a callback that has taken effect; otherwise as {@link #compensate}. After that, and
     * in a transaction of its own.
     */
    void follow(String saga, String branch, String began, CallbackWork work) throws Throwable;

    /**
     * What it has of a branch, and does nothing.
     *
     * @throws UnknowableException if this is another fence, or nobody could find the row
     */
    Found look(String saga, String branch, String began) throws Throwable;

    /** How long it keeps rows. */
    Duration retention();
}
