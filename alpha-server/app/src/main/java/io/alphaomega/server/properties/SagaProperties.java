package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.refused;
import static io.alphaomega.server.properties.Refusals.requirePositive;
import static io.alphaomega.server.properties.Refusals.text;

import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Policy;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How patient sagas are, and how alpha looks after them. A running saga keeps the values it began with.
 *
 * @param timeout from a saga's begin to its end; then it is aborted. What the initiator says wins
 * @param branchTimeout from a branch's begin to its end; best 5 s or more, as ends may travel for a second or two. What the
 *     branch says wins
 * @param order whether compensations (and confirmations) are asked one at a time or all at once. What the initiator
 *     says wins
 * @param callbackAttempts failed attempts at a callback before the saga is suspended
 * @param callbackWithin time from the first request of a callback until the saga is suspended
 * @param callbackFirstDelay pause after the first failed attempt; it doubles with each further one
 * @param callbackMaxDelay longest pause between two attempts
 * @param callbackTimeout how long one attempt may take
 * @param passivateAfter how long a saga that waits stays in memory without an input
 * @param scanInterval how often the repository is asked for sagas that are due and not in memory
 * @param startGrace how long after the start the first scan waits, so that services connect first
 */
public record SagaProperties(
        @DefaultValue("5m") Duration timeout,
        @DefaultValue("30s") Duration branchTimeout,
        @DefaultValue("sequential") Policy.Order order,
        @DefaultValue("10") int callbackAttempts,
        @DefaultValue("24h") Duration callbackWithin,
        @DefaultValue("1s") Duration callbackFirstDelay,
        @DefaultValue("5m") Duration callbackMaxDelay,
        @DefaultValue("30s") Duration callbackTimeout,
        @DefaultValue("30s") Duration passivateAfter,
        @DefaultValue("1s") Duration scanInterval,
        @DefaultValue("5s") Duration startGrace) {
    public SagaProperties {
        requirePositive("alpha.saga.timeout", timeout);
        requirePositive("alpha.saga.branch-timeout", branchTimeout);
        if (callbackAttempts < 1 || callbackAttempts > Limits.ATTEMPTS) {
            throw refused("alpha.saga.callback-attempts", "1 to " + Limits.ATTEMPTS, callbackAttempts);
        }
        requirePositive("alpha.saga.callback-within", callbackWithin);
        requirePositive("alpha.saga.callback-first-delay", callbackFirstDelay);
        requirePositive("alpha.saga.callback-max-delay", callbackMaxDelay);
        if (callbackMaxDelay.compareTo(callbackFirstDelay) < 0) {
            throw refused(
                    "alpha.saga.callback-max-delay",
                    "at least alpha.saga.callback-first-delay, " + text(callbackFirstDelay),
                    text(callbackMaxDelay));
        }
        requirePositive("alpha.saga.callback-timeout", callbackTimeout);
        requirePositive("alpha.saga.passivate-after", passivateAfter);
        requirePositive("alpha.saga.scan-interval", scanInterval);
        if (startGrace.isNegative() || startGrace.compareTo(Limits.TIMEOUT) > 0) {
            throw refused("alpha.saga.start-grace", "0 to " + text(Limits.TIMEOUT), text(startGrace));
        }
    }

    /** The policy of sagas whose initiator does not say otherwise. */
    public Policy policy() {
        return new Policy(
                timeout,
                branchTimeout,
                order,
                new CallbackPolicy(
                        callbackAttempts, callbackWithin, callbackFirstDelay, callbackMaxDelay, callbackTimeout));
    }
}
