package io.alphaomega.repository;

import java.util.List;

/** A saga's journal as stored; no events and {@link Version#NONE} if there is none. */
public record Loaded(List<StoredEvent> events, Version version) {
    public static final Loaded NOTHING = new Loaded(List.of(), Version.NONE);

    public Loaded {
        events = List.copyOf(events);
    }
}
