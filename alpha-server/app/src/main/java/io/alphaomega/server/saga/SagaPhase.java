package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.server.repository.AppendListener;

/**
 * What a saga's actor is doing. No load and no append equals another one, so that an answer that comes late, or once more,
 * is never taken for another's.
 */
sealed interface SagaPhase {
    /** Nothing is known of the saga; the first input that needs to know something makes it load. */
    record Unloaded() implements SagaPhase {}

    /** A look at the store. */
    final class Loading implements SagaPhase {
        /** Only so many of those that have gathered came before it. */
        final int covered;

        /** Of {@link System#nanoTime}, here and below. */
        final long since = System.nanoTime();

        Loading(int covered) {
            this.covered = covered;
        }
    }

    record Ready() implements SagaPhase {}

    /** One append, and who is told what becomes of it. */
    final class Saving implements SagaPhase, AppendListener {
        final DecisionBatch batch;
        private final ActorRef<SagaCommand> self;
        private final long since = System.nanoTime();

        /** For how long, in nanoseconds; known when the store has answered. */
        long waited;

        Saving(DecisionBatch batch, ActorRef<SagaCommand> self) {
            this.batch = batch;
            this.self = self;
        }

        /** On a thread of the store. */
        @Override
        public void stored(AppendResult result) {
            waited = System.nanoTime() - since;
            self.tell(new SagaCommand.Stored(this, result));
        }

        /** On a thread of the store, or at once. */
        @Override
        public void failed(RuntimeException failure) {
            waited = System.nanoTime() - since;
            self.tell(new SagaCommand.Failed(this, failure));
        }
    }

    /** Refuses everything. Leaves after a while, so that the next input reads the journal again. */
    record Unreadable(SagaReply.Outcome refusal) implements SagaPhase {}

    /** Whether the store has been asked and has not answered. */
    default boolean awaitsStore() {
        return this instanceof Loading || this instanceof Saving;
    }
}
