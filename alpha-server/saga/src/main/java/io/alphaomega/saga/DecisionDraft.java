package io.alphaomega.saga;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A decision in the making: the events so far, and the state they lead to. */
final class DecisionDraft {
    final Instant now;
    final List<SagaEvent> events = new ArrayList<>();
    SagaState state;

    DecisionDraft(SagaState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    void add(SagaEvent event) {
        state = Fold.evolve(state, event);
        events.add(event);
    }

    /** Adds what the saga owes itself, one event at a time, until it owes nothing more at this moment. */
    void settle() {
        for (SagaEvent owed = Obligations.next(state, now); owed != null; owed = Obligations.next(state, now)) {
            add(owed);
        }
    }
}
