package io.alphaomega.server.saga;

import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaInput;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results of callbacks that were refused because another service gave them. Their senders are told nothing, so people are:
 * of each service once in a while, however many it sends. Safe for use by many threads.
 */
final class WrongAnswers {
    /** Soon enough for whoever is looking, and no flood from a service that answers whatever it reads. */
    static final Duration TOLD_EVERY = Duration.ofMinutes(1);

    /** A deployment has some dozens of services; more names than this, and somebody makes them up. */
    static final int SERVICES_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(WrongAnswers.class);

    private final Clock clock;
    private final Map<String, Instant> toldAt = new HashMap<>();

    WrongAnswers(Clock clock) {
        this.clock = clock;
    }

    /** {@code reply} is what the rules say to {@code input}. */
    void refused(SagaInput input, Reply.Rejected reply) {
        String service = reply.reason() == Refusal.OTHER_SERVICE ? answering(input) : null;
        if (service != null && isToBeTold(service, clock.instant())) {
            LOG.warn(
                    "Service {} has answered a callback that another was asked for, and nothing comes of it: {}. Further ones within a minute are only counted.",
                    service,
                    reply.text());
        }
    }

    private static @Nullable String answering(SagaInput input) {
        return switch (input) {
            case SagaInput.SucceedCallback success -> success.service();
            case SagaInput.FailCallback failure -> failure.service();
            case SagaInput.DeferCallback busy -> busy.service();
            case SagaInput other -> null; // Its sender is answered.
        };
    }

    private synchronized boolean isToBeTold(String service, Instant now) {
        Instant before = toldAt.get(service);
        if (before != null && now.isBefore(before.plus(TOLD_EVERY))) return false;
        if (before == null && toldAt.size() >= SERVICES_MAX) {
            toldAt.values().removeIf(at -> !now.isBefore(at.plus(TOLD_EVERY)));
            if (toldAt.size() >= SERVICES_MAX) return false;
        }
        toldAt.put(service, now);
        return true;
    }
}
