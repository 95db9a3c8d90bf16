package io.alphaomega.server.saga;

import akka.actor.NoSerializationVerificationNeeded;
import io.alphaomega.repository.AppendResult;

/** What a saga's actor is told. */
sealed interface SagaCommand permits Deliver, SagaCommand.Own {
    /** From the actor itself, its timer, the store and its shard. */
    sealed interface Own extends SagaCommand, NoSerializationVerificationNeeded {}

    record Read(SagaPhase.Loading load, SagaJournal.Read read) implements Own {}

    record Stored(SagaPhase.Saving append, AppendResult result) implements Own {}

    /**
     * A load did not succeed, or nobody knows whether an append did.
     *
     * @param asked which of them it was
     */
    record Failed(SagaPhase asked, Throwable cause) implements Own {}

    /** From a saga that is nested in this one. */
    record Nested(SagaReply reply) implements Own {}

    /** From its timer, and from its shard when it has to go. */
    enum Signal implements Own {
        ALARM,
        LEAVE
    }
}
