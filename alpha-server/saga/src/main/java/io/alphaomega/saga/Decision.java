package io.alphaomega.saga;

import java.util.List;

/** The answer to one input: what to journal, and what to tell the sender once it is stored. */
public record Decision(List<SagaEvent> events, Reply reply) {
    public Decision {
        events = List.copyOf(events);
    }
}
