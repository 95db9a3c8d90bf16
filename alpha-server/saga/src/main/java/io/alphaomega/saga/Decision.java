package io.alphaomega.saga;

import java.util.List;

/**
 * The answer to one input: what to journal, and what to tell the sender once it is stored.
 *
 * @param after the state that the events lead to
 */
public record Decision(List<SagaEvent> events, Reply reply, SagaState after) {
    public Decision {
        events = List.copyOf(events);
    }
}
