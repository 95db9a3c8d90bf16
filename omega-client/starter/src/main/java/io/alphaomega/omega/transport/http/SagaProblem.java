package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaOverException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.SagaRejectedException;
import io.alphaomega.omega.SagaRepeatedException;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.SagaHeaders;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP answer to a call in a saga that omega has refused, as RFC 9457 has it. It repeats no sentence of an exception: those
 * may tell what went wrong in other services, and where alpha is.
 *
 * @param reason why, for programs
 * @param saga empty if the exception does not name it
 */
record SagaProblem(int status, String title, String reason, String saga, String detail) {
    private static final Logger log = LoggerFactory.getLogger(SagaProblem.class);
    private static final int CONFLICT = 409;
    private static final int CAUSES_MAX = 50;

    /** Null if the exception is not omega's, or is a bug of the service: that stays a failure with a stack trace. */
    static @Nullable SagaProblem of(Throwable thrown) {
        Throwable each = unwrapped(thrown);
        if (each instanceof SagaAbortedException aborted) {
            return conflict(aborted.reason().name(), aborted.saga(), "is aborted; nothing more runs in it.");
        }
        if (each instanceof SagaRejectedException rejected) {
            return conflict(rejected.reason(), rejected.saga(), "refused what was called; it did not run.");
        }
        if (each instanceof SagaOverException over) {
            return conflict("SAGA_OVER", over.saga(), "takes nothing more; what was called did not run.");
        }
        if (each instanceof SagaPendingException pending) {
            return conflict("PENDING", pending.saga(), "is not decided yet: branches still run.");
        }
        if (each instanceof SagaRepeatedException) {
            return new SagaProblem(
                    CONFLICT,
                    "Conflict",
                    "REPEATED",
                    "",
                    "A saga of this business key was begun before; none ran again.");
        }
        if (each instanceof SagaOutcomeUnknownException unknown) {
            return new SagaProblem(
                    504,
                    "Gateway Timeout",
                    "OUTCOME_UNKNOWN",
                    unknown.saga(),
                    "Alpha did not say in time how saga " + unknown.saga() + " was decided.");
        }
        if (each instanceof AlphaUnavailableException) {
            return new SagaProblem(
                    503, "Service Unavailable", "ALPHA_UNAVAILABLE", "", "Alpha did not answer this service in time.");
        }
        return null;
    }

    static SagaProblem of(MalformedSagaHeadersException malformed) {
        return new SagaProblem(
                400, "Bad Request", "BAD_HEADERS", "", malformed.getMessage() + "; the request was not served.");
    }

    private static SagaProblem conflict(String reason, String saga, String sentence) {
        return new SagaProblem(CONFLICT, "Conflict", reason, saga, "Saga " + saga + " " + sentence);
    }

    /** Without the exceptions that say nothing but that the cause was thrown elsewhere, or that alpha did not hear of something. */
    private static Throwable unwrapped(Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; depth < CAUSES_MAX; depth++) {
            Throwable cause = each.getCause();
            boolean wraps = each instanceof CompletionException
                    || each instanceof ExecutionException
                    || each instanceof UndeclaredThrowableException
                    || each.getClass() == SagaException.class;
            if (cause == null || !wraps) return each;
            each = cause;
        }
        return each;
    }

    /** Instead of a stack trace. */
    void log(String method, String path, Throwable thrown) {
        log.info("{} {} is answered with {}: {}", method, path, status, thrown.getMessage());
    }

    /** Ids and reasons that are not what alpha writes are left out, so that nothing has to be escaped. */
    String json() {
        StringBuilder json = new StringBuilder("{\"title\":\"%s\",\"status\":%d".formatted(title, status));
        if (saga.isEmpty() || SagaHeaders.isId(saga)) json.append(",\"detail\":\"%s\"".formatted(detail));
        if (SagaHeaders.isId(reason)) json.append(",\"reason\":\"%s\"".formatted(reason));
        if (SagaHeaders.isId(saga)) json.append(",\"saga\":\"%s\"".formatted(saga));
        return json.append('}').toString();
    }
}
