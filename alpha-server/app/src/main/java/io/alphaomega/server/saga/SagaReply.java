package io.alphaomega.server.saga;

import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import java.time.Duration;

/** The answer to the input of that correlation: a promise that survives a crash, or why there is none. */
public record SagaReply(SagaId saga, long correlation, Outcome outcome) {

    /** What became of the input. */
    public sealed interface Outcome {
        /** The rules have answered, and what they decided is stored. */
        record Decided(Reply reply) implements Outcome {}

        /** Nothing is decided as far as this node knows: the same input may be sent again after {@code retryAfter}. */
        record Unavailable(Duration retryAfter, String text) implements Outcome {}

        /** The saga's journal cannot be read, so nothing is decided until a person has looked. */
        record Unreadable(String text) implements Outcome {}
    }
}
