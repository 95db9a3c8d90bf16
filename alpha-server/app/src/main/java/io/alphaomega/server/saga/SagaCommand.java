package io.alphaomega.server.saga;

import akka.actor.NoSerializationVerificationNeeded;
import io.alphaomega.repository.AppendResult;

/** What a saga's actor is told. */
sealed interface SagaCommand permits Deliver, SagaCommand.Own {
    /** From the actor itself, its timer, the store and its shard. */
    sealed interface Own extends SagaCommand, NoSerializationVerificationNeeded {}

    record Read(Situation.Loading load, SagaJournal.Read read) implements Own {}

    record Stored(Situation.Saving append, AppendResult result) implements Own {}

    /** @param asked which load or append it was */
    record Failed(Situation asked, Throwable cause) implements Own {}

    /** From a saga that is nested in this one. */
    record Nested(SagaReply reply) implements Own {}

    /** From its timer, and from its shard when it has to go. */
    enum Signal implements Own {
        ALARM,
        LEAVE
    }
}
