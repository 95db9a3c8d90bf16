package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.config.Texts;
import io.alphaomega.protocol.v1.Callback;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The service's {@link CallbackInterceptor}s, as one. */
public final class CallbackInterceptors {
    private final Supplier<List<CallbackInterceptor>> interceptors;

    /** @param interceptors the first outermost; asked for when they are there */
    public CallbackInterceptors(Supplier<List<CallbackInterceptor>> interceptors) {
        this.interceptors = interceptors;
    }

    /** What they capture on this thread. */
    Map<String, String> capture() {
        Map<String, String> captured = new TreeMap<>(); // In one order, so that a repeated call has the same bytes.
        for (CallbackInterceptor each : interceptors.get()) {
            each.capture().forEach((key, value) -> {
                requireText(each, key, value);
                if (captured.putIfAbsent(key, value) == null) return;
                throw new SagaException("Two CallbackInterceptors capture '" + key
                        + "'; the branch fails. Give one of them another key.");
            });
        }
        return captured;
    }

    /** What would come back as another text, or none, and would be missed only by the callback. */
    private static void requireText(CallbackInterceptor interceptor, @Nullable String key, @Nullable String value) {
        if (Texts.isWhole(key) && Texts.isWhole(value)) return;
        String what =
                key == null ? "a key that is null" : value == null ? "null for '" + key + "'" : "half a character";
        throw new SagaException(
                "%s captures %s, which does not come back; the branch fails and does not run. Leave out what is not there, and capture texts that UTF-8 can say."
                        .formatted(interceptor.getClass().getName(), what));
    }

    /** Runs the work with all of them around it; returns only if it ran and did not throw. */
    public void around(
            Callback callback, @Nullable Object[] arguments, Map<String, String> captured, CallbackInvocation.Work work)
            throws Throwable {
        List<CallbackInterceptor> all = interceptors.get();
        CallbackInvocation.Work next = work;
        for (int i = all.size() - 1; i >= 0; i--) next = around(all.get(i), callback, arguments, captured, next);
        next.run();
    }

    private static CallbackInvocation.Work around(
            CallbackInterceptor interceptor,
            Callback callback,
            @Nullable Object[] arguments,
            Map<String, String> captured,
            CallbackInvocation.Work inner) {
        return () -> {
            Watched watched = new Watched(inner);
            interceptor.intercept(new CallbackInvocation(
                    callback.getSaga(),
                    callback.getBranch(),
                    callback.getName(),
                    Arrays.asList(arguments),
                    captured,
                    watched));
            // Whatever the interceptor makes of it: only what was done is told to be done.
            if (watched.thrown != null) throw watched.thrown;
            if (!watched.done) {
                throw new SagaException(interceptor.getClass().getName()
                        + " returned without CallbackInvocation.proceed():" + " nothing was called back.");
            }
        };
    }

    private static final class Watched implements CallbackInvocation.Work {
        private final CallbackInvocation.Work work;
        private boolean done;
        private @Nullable Throwable thrown;

        Watched(CallbackInvocation.Work work) {
            this.work = work;
        }

        @Override
        public void run() throws Throwable {
            try {
                work.run();
                done = true;
            } catch (Throwable e) {
                thrown = e;
                throw e;
            }
        }
    }
}
