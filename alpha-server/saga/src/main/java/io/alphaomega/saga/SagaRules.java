package io.alphaomega.saga;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The rules of a saga, as four pure functions. */
@SuppressWarnings("DoNotCallSuggester")
public final class SagaRules {
    private SagaRules() {}

    public static Decision decide(SagaState state, SagaInput input, Instant now) {
        throw new UnsupportedOperationException(state + " " + input + " " + now);
    }

    public static SagaState evolve(SagaState state, SagaEvent event) {
        throw new UnsupportedOperationException(state + " " + event);
    }

    public static Set<SagaEffect> effects(SagaState state) {
        throw new UnsupportedOperationException("" + state);
    }

    public static Optional<Instant> wakeUpAt(SagaState state) {
        throw new UnsupportedOperationException("" + state);
    }

    /** What a saga's initiator may be told: {@code Committed} or {@code Aborted} once decided, {@code Pending} before. */
    public static Reply standing(SagaState.Known state) {
        throw new UnsupportedOperationException("" + state);
    }
}
