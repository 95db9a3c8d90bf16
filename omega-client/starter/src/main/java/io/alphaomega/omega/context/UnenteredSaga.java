package io.alphaomega.omega.context;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** A saga that the request or messages name which a thread serves, while the thread is in none. */
public final class UnenteredSaga {
    private static final String BATCH =
            "Its thread serves a batch of messages, some of which belong to sagas: handle each"
                    + " message by SagaRecords.handle(…) or SagaMessages.handle(…).";

    private static final boolean SERVLETS = isPresent("jakarta.servlet.http.HttpServletRequest")
            && isPresent("org.springframework.web.context.request.ServletRequestAttributes");

    private UnenteredSaga() {}

    /**
     * A sentence for people if what this thread serves names a saga which the thread is not in; null if nothing here says so.
     * A thread that was taken {@link SagaContext#outside} is in none on purpose.
     */
    public static @Nullable String sentence() {
        if (SagaContext.isLeft() || SagaContext.current().isPresent()) return null;
        if (Deliveries.isInBatch()) return BATCH;
        String saga = SERVLETS ? Servlets.saga() : null;
        if (saga == null) return null;
        return "Its thread serves a request that belongs to saga %s, but is not in that saga: an executor has handed over the request without the saga, or a filter in front of omega's has called it."
                .formatted(saga);
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, UnenteredSaga.class.getClassLoader());
    }

    /** Loaded only where there are servlets. */
    private static final class Servlets {
        static @Nullable String saga() {
            RequestAttributes request = RequestContextHolder.getRequestAttributes();
            if (!(request instanceof ServletRequestAttributes servlet)) return null;
            try {
                String saga = servlet.getRequest().getHeader(SagaHeaders.SAGA);
                return saga != null && SagaHeaders.isId(saga) ? saga : null;
            } catch (IllegalStateException over) {
                return null; // The container has taken the request back from a thread that inherited it.
            }
        }
    }
}
