package io.alphaomega.repository;

import io.alphaomega.saga.SagaId;
import java.util.List;

/** New events of one saga, the version they build on, and the summary that is true once they are stored. */
public record Append(SagaId id, Version expected, List<StoredEvent> events, SagaSummary summary) {
    public Append {
        events = List.copyOf(events);
        if (events.isEmpty()) throw new IllegalArgumentException("nothing to append to saga " + id);
        if (!summary.id().equals(id)) {
            throw new IllegalArgumentException("the summary of saga " + summary.id() + " was given to saga " + id);
        }
    }
}
