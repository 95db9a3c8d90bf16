package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.rules.BranchState.Local;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.observe.OmegaMetrics;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Branches whose failure does not say what they have done: those that were rolled back because a call to somebody else
 * failed, which may have taken effect there, so that alpha is told that they have left nothing behind; and those that no
 * transaction has rolled back.
 */
public final class RemoteFailures {
    private static final Logger log = LoggerFactory.getLogger(RemoteFailures.class);

    /** Of libraries that need not be there. */
    private static final Set<String> UNKNOWABLE = Set.of(
            "org.springframework.web.client.ResourceAccessException",
            "org.springframework.web.client.HttpServerErrorException",
            "org.springframework.web.reactive.function.client.WebClientRequestException",
            "org.springframework.web.reactive.function.client.WebClientResponseException$InternalServerError",
            "org.springframework.web.reactive.function.client.WebClientResponseException$BadGateway",
            "org.springframework.web.reactive.function.client.WebClientResponseException$ServiceUnavailable",
            "org.springframework.web.reactive.function.client.WebClientResponseException$GatewayTimeout",
            "feign.RetryableException",
            "feign.FeignException$FeignServerException",
            "io.grpc.StatusException",
            "io.grpc.StatusRuntimeException");

    private final OmegaMetrics tally;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    public RemoteFailures(OmegaMetrics tally) {
        this.tally = tally;
    }

    /** The business of a branch has thrown, and its local transaction has ended. */
    void failed(Attempt attempt, Throwable thrown) {
        BranchDefinition definition = attempt.definition();
        warnIfUnknown(definition, attempt.local());
        if (definition.compensateOnException() || attempt.local() != Local.ROLLED_BACK) return;
        Throwable found = unknowable(thrown);
        if (found == null) return;
        tally.remoteFailure(definition.operation());
        if (!warned.add(definition.operation())) return;
        log.warn(
                "{} failed with {}, which does not say whether what it called took effect. Its local transaction was"
                        + " rolled back, so it is not compensated. If it calls what is no branch of the saga, such as a"
                        + " payment, say {}(compensateOnException = true). Further such failures are only counted.",
                definition.operation(),
                found.getClass().getName(),
                definition.annotation());
    }

    private void warnIfUnknown(BranchDefinition definition, Local local) {
        if (local != Local.NO_TRANSACTION || definition.cleanOnException()) return;
        if (!unknown.add(definition.operation())) return;
        log.warn(
                "{} threw, and no transaction was there to be rolled back: nobody knows what it has done, so alpha suspends"
                        + " the saga for a person to look at (BRANCH_END_UNKNOWN). If it has done nothing when it throws,"
                        + " say {}(cleanOnException = true); if it writes to a database, put it behind the fence. This is"
                        + " said once.",
                definition.operation(),
                definition.annotation());
    }

    /** What of the chain of causes says that others failed; not what the database says, nor omega itself. */
    private static @Nullable Throwable unknowable(Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < 50; depth++, each = each.getCause()) {
            if (each instanceof SQLException || each instanceof SagaException) return null;
            if (each instanceof FileSystemException || each instanceof FileNotFoundException) return null;
            if (each instanceof IOException || each instanceof TimeoutException) return each;
            for (Class<?> type = each.getClass(); type != null; type = type.getSuperclass()) {
                if (UNKNOWABLE.contains(type.getName())) return each;
            }
        }
        return null;
    }
}
