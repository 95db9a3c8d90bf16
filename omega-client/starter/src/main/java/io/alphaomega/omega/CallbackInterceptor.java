package io.alphaomega.omega;

import java.util.Map;

/**
 * Carries the context of a call to a {@link Compensable} method, such as its tenant or its user, to the callbacks. A
 * bean of the service; several are applied in the order of Spring's {@code @Order}, the first outermost.
 *
 * <p>A callback runs in any instance, on a thread of omega's that knows nothing but the saga. So the values that a
 * routing {@code DataSource} or a security context depends on are captured when the branch begins, kept by alpha with
 * the branch's arguments, and set again around the callback: before its local transaction begins, and until it has
 * ended.
 */
public interface CallbackInterceptor {
    /**
     * The values to carry along. Called on the thread that calls the method, before the branch begins. All interceptors
     * together may capture 2 KiB as JSON. A repeated call must capture the same values, or it counts as another call
     * ({@code BRANCH_CONFLICT}): so capture no times, and no tokens, which would have expired by then and should not be
     * stored.
     */
    default Map<String, String> capture() {
        return Map.of();
    }

    /**
     * Wraps a callback. It must call {@link CallbackInvocation#proceed} once, and afterwards reset whatever it has set.
     * If it throws, the callback has failed, and alpha retries it.
     *
     * <p>It also wraps a query of the fence, by which alpha learns what became of a branch after its store was set
     * back. Then nothing is called back, and {@link CallbackInvocation#name} only identifies the fence.
     */
    void intercept(CallbackInvocation callback) throws Throwable;
}
