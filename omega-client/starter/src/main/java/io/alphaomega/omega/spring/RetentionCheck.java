package io.alphaomega.omega.spring;

import java.time.Duration;

/** Whether the fence keeps its rows for as long as the service's annotations let alpha call back. */
final class RetentionCheck {
    /** Alpha's defaults, see docs/client.md. */
    private static final Duration FORWARD_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration REVERSE_TIME_LIMIT = Duration.ofHours(24);

    private final Duration retention;
    private Duration sagaTimeout;

    /** @param sagaTimeout of sagas that do not say */
    RetentionCheck(Duration retention, Duration sagaTimeout) {
        this.retention = retention;
        this.sagaTimeout = sagaTimeout;
    }

    /** A saga that may begin here. */
    void add(SagaDefinition saga) {
        if (saga.timeout().compareTo(sagaTimeout) > 0) sagaTimeout = saga.timeout();
    }

    /** To be asked when all sagas are known: branches that joined one early are called back last. */
    void require(BranchDefinition branch) {
        Duration forward = orElse(branch.forwardTimeout(), FORWARD_TIMEOUT);
        Duration reverse = orElse(Duration.ofMillis(branch.offer().getPolicy().getWithinMillis()), REVERSE_TIME_LIMIT);
        Duration needed = sagaTimeout.plus(forward).plus(reverse);
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
    void require(String name) {
        Duration needed = sagaTimeout.plus(FORWARD_TIMEOUT).plus(REVERSE_TIME_LIMIT);
        if (retention.compareTo(needed) >= 0) return;
        throw new IllegalArgumentException(
                "%s did not begin: omega.fence.retention is %s, but a saga that may take %s may be compensated up to %s after a branch of it began. Keep rows longer, or give the saga less time."
                        .formatted(name, retention, sagaTimeout, needed));
    }

    private static Duration orElse(Duration said, Duration other) {
        return said.isZero() ? other : said;
    }
}
