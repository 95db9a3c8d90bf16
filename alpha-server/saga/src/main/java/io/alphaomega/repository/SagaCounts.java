package io.alphaomega.repository;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/** How many sagas are in each state; every state has an entry. */
public record SagaCounts(Map<SagaSummary.State, Long> byState) {
    public SagaCounts {
        EnumMap<SagaSummary.State, Long> all = new EnumMap<>(SagaSummary.State.class);
        for (SagaSummary.State state : SagaSummary.State.values()) all.put(state, byState.getOrDefault(state, 0L));
        byState = Collections.unmodifiableMap(all); // In the order of the states.
    }

    public long in(SagaSummary.State state) {
        return byState.getOrDefault(state, 0L);
    }
}
