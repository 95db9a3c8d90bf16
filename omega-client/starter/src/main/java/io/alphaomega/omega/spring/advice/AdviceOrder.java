package io.alphaomega.omega.spring.advice;

import org.springframework.core.Ordered;

/**
 * Where omega's advice stands: the saga outermost, then the branch, then the transaction (by default at the very end),
 * then the fence. Far enough to the end that security and retries stand outside.
 */
public final class AdviceOrder {
    public static final int SAGA = Ordered.LOWEST_PRECEDENCE - 2000;
    public static final int BRANCH = Ordered.LOWEST_PRECEDENCE - 1000;

    /** As the transaction's default; what is registered later stands further in. */
    public static final int LOCAL_WORK = Ordered.LOWEST_PRECEDENCE;

    private AdviceOrder() {}
}
