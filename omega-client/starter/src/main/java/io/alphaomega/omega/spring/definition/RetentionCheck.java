package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** Whether the fence keeps its rows for as long as the service's annotations, and its code, let alpha call back. */
public final class RetentionCheck {
    /** Alpha's defaults, see docs/client/compensable.md. */
    private static final Duration FORWARD_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration REVERSE_TIME_LIMIT = Duration.ofHours(24);

    private final Duration retention;
    private Duration sagaTimeout;

    /** Of the branches here, for how long after its saga's time one may still need its row; zero if there are none. */
    private volatile Duration afterSaga = Duration.ZERO;

    /** @param sagaTimeout of sagas that do not say */
    public RetentionCheck(Duration retention, Duration sagaTimeout) {
        this.retention = retention;
        this.sagaTimeout = sagaTimeout;
    }

    /** A saga that may begin here. */
    public void add(SagaDefinition saga) {
        if (saga.timeout().compareTo(sagaTimeout) > 0) sagaTimeout = saga.timeout();
    }

    /** To be asked when all sagas are known: branches that joined one early are called back last. */
    public void require(BranchDefinition branch) {
        Duration forward = forward(branch);
        Duration reverse = reverse(branch);
        Duration after = forward.plus(reverse);
        if (after.compareTo(afterSaga) > 0) afterSaga = after;
        Duration needed = sagaTimeout.plus(after);
        if (retention.compareTo(needed) >= 0) return;
        throw new OmegaConfigurationException(
                "omega.fence.retention is %s, but alpha may ask for %s, which undoes %s, up to %s after that began: a saga of this service may take %s, the method %s, and its reverseTimeLimit is %s."
                        .formatted(
                                retention,
                                branch.compensation().describe(),
                                branch.operation(),
                                needed,
                                sagaTimeout,
                                forward,
                                reverse),
                "Keep rows longer, and longer than a suspended saga may wait for a person, or shorten one of the others.");
    }

    /**
     * The same of a saga that code begins by itself, for branches with alpha's defaults.
     *
     * @throws IllegalArgumentException if rows might be gone before a branch of it is compensated
     */
    public void require(String name) {
        Duration needed = sagaTimeout.plus(FORWARD_TIMEOUT).plus(REVERSE_TIME_LIMIT);
        if (retention.compareTo(needed) >= 0) return;
        throw new IllegalArgumentException(
                "%s did not begin: omega.fence.retention is %s, but a saga that may take %s may be compensated up to %s after a branch of it began. Keep rows longer, or give the saga less time."
                        .formatted(name, retention, sagaTimeout, needed));
    }

    /**
     * The same of a saga that is nested in another, which says when its branches are undone at the latest: perhaps one of
     * another service, of which the start knew nothing.
     *
     * @throws SagaException if rows might be gone before a branch of this service is compensated
     */
    public void requireWithin(String operation, SagaContext outer) {
        Duration left = left(outer);
        if (afterSaga.isZero() || retention.compareTo(left.plus(afterSaga)) >= 0) return;
        throw new SagaException(
                "%s did not begin: omega.fence.retention is %s, but the saga that it would be a part of may take %s, and a branch of this service may be compensated up to %s after that. Keep rows longer, or give the outer saga less time."
                        .formatted(operation, retention, left.truncatedTo(ChronoUnit.SECONDS), afterSaga));
    }

    /**
     * The same of a branch that code runs by itself, of which the start knew nothing either.
     *
     * @throws SagaException if its row might be gone before it is compensated
     */
    public void requireWithin(BranchDefinition branch, SagaContext saga) {
        Duration left = left(saga);
        Duration after = forward(branch).plus(reverse(branch));
        if (retention.compareTo(left.plus(after)) >= 0) return;
        throw new SagaException(
                "%s did not run: omega.fence.retention is %s, but the saga that it would be a part of may take %s, and it may be compensated up to %s after that. Keep rows longer, or give the saga less time."
                        .formatted(branch.operation(), retention, left.truncatedTo(ChronoUnit.SECONDS), after));
    }

    /** Until the timeout of the outermost saga: the start counts so, too. */
    private static Duration left(SagaContext saga) {
        return Duration.ofNanos(saga.outermostByNanos() - System.nanoTime()).minus(SagaContext.DECISION_GRACE);
    }

    private static Duration forward(BranchDefinition branch) {
        return orElse(branch.forwardTimeout(), FORWARD_TIMEOUT);
    }

    private static Duration reverse(BranchDefinition branch) {
        return orElse(Duration.ofMillis(branch.offer().getPolicy().getWithinMillis()), REVERSE_TIME_LIMIT);
    }

    private static Duration orElse(Duration said, Duration other) {
        return said.isZero() ? other : said;
    }
}
