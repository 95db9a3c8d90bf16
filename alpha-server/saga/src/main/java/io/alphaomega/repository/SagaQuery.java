package io.alphaomega.repository;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Conditions on summaries, and-ed.
 *
 * @param states any of these; empty for all
 * @param service a service that takes part
 * @param text a part of the id, the business key, the operation or the reason; case does not matter
 * @param from begun at or after
 * @param to begun before
 */
public record SagaQuery(
        Set<SagaSummary.State> states,
        Optional<String> service,
        Optional<String> text,
        Optional<Instant> from,
        Optional<Instant> to) {
    public static final SagaQuery ALL =
            new SagaQuery(Set.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public SagaQuery {
        states = Set.copyOf(states);
    }
}
