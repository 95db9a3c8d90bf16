package io.alphaomega.saga;

import java.time.Duration;

/**
 * How patient a saga is. It is journaled with the saga's first event, so replaying a saga never reads configuration and
 * a changed default never changes a running saga.
 *
 * @param timeout from the saga's begin to its end; then it is aborted
 * @param branchTimeout from a branch's begin to its end, unless the branch says otherwise
 * @param order whether callbacks are asked one at a time or all at once
 * @param callbacks how callbacks are retried, unless the branch says otherwise
 */
public record Policy(Duration timeout, Duration branchTimeout, Order order, CallbackPolicy callbacks) {
    public static final Policy DEFAULT =
            new Policy(Duration.ofMinutes(5), Duration.ofSeconds(30), Order.SEQUENTIAL, CallbackPolicy.DEFAULT);

    public Policy {
        Limits.requirePositive("saga timeout", timeout);
        Limits.requirePositive("branch timeout", branchTimeout);
    }

    /** In which order callbacks are asked. */
    public enum Order {
        /** One at a time: compensations last-finished-first, confirmations first-finished-first. */
        SEQUENTIAL,
        /** All at once. */
        PARALLEL
    }
}
