package io.alphaomega.saga.simulation;

import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.util.ArrayList;
import java.util.List;

/** The store: the events of the one saga, appended on the condition that nobody else has appended. */
final class Journal {
    private final SagaId id;
    private final List<SagaEvent> events = new ArrayList<>();
    private SagaState state;

    Journal(SagaId id) {
        this.id = id;
        state = new SagaState.Absent(id);
    }

    List<SagaEvent> events() {
        return events;
    }

    long version() {
        return events.size();
    }

    /** What the journal amounts to. */
    SagaState state() {
        return state;
    }

    /** False if the journal is not at {@code expected}. */
    boolean append(long expected, List<SagaEvent> more, SagaState after) {
        if (expected != version()) return false;
        events.addAll(more);
        state = after;
        return true;
    }

    /** Folds the events afresh, as a new owner does. */
    SagaState replay() {
        SagaState folded = new SagaState.Absent(id);
        for (SagaEvent event : events) folded = SagaRules.evolve(folded, event);
        return folded;
    }
}
