package io.alphaomega.omega;

import java.util.Map;

/**
 * Carries what surrounds the call of a {@link Compensable} method, such as its tenant or its user, to its callbacks. A
 * bean of the service; several stand in the order of Spring's {@code @Order}, the first outermost.
 *
 * <p>A callback comes on a thread of omega's that knows the saga and nothing else, in whichever instance. So what a
 * routing {@code DataSource} or a security context goes by is captured when the branch begins, kept by alpha with the
 * branch's arguments, and set again around the callback: before its local transaction begins, and until it has ended.
 */
public interface CallbackInterceptor {
    /**
     * What should travel, asked for on the thread that calls the method, before the branch begins. All interceptors
     * together may capture 2 KiB as JSON. A repeated call must capture the same, or is another call
     * ({@code BRANCH_CONFLICT}): so no times, and no tokens, which would be old by then and are nobody's to keep.
     */
    default Map<String, String> capture() {
        return Map.of();
    }

    /**
     * Stands around a callback. It must call {@link CallbackInvocation#proceed} once, and take back what it has set
     * afterwards. If it throws, the callback has failed, and alpha asks again.
     *
     * <p>It also stands around a look into the fence, by which alpha learns what became of a branch after its store was
     * set back: then nothing is called back, and {@link CallbackInvocation#name} only says by which callback the fence
     * is known.
     */
    void intercept(CallbackInvocation callback) throws Throwable;
}
