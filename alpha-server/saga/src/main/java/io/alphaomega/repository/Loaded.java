package io.alphaomega.repository;

import io.alphaomega.repository.SagaSummary.State;
import java.util.List;
import java.util.Optional;

/**
 * What is stored of a saga: its journal and where that stands; after it was purged only its tombstone; or nothing.
 *
 * @param version {@link Version#NONE} if nothing is stored; of a tombstone the sequence that the journal had, with a
 *     token that no append was ever told
 * @param tombstone how the saga ended, if it was purged: its events are gone, and nothing can be appended any more
 */
public record Loaded(List<StoredEvent> events, Version version, Optional<State> tombstone) {
    public static final Loaded NOTHING = new Loaded(List.of(), Version.NONE);

    /** A journal. */
    public Loaded(List<StoredEvent> events, Version version) {
        this(events, version, Optional.empty());
    }

    public Loaded {
        events = List.copyOf(events);
        if (tombstone.isPresent() && !events.isEmpty()) {
            throw new IllegalArgumentException("a purged saga has no events, but " + events.size() + " were given");
        }
    }

    /** What is left of a saga that was purged. */
    public static Loaded tombstone(State ended, Version version) {
        return new Loaded(List.of(), version, Optional.of(ended));
    }
}
