package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;

/** An input on its way to the actor of its saga, on whichever node that is. */
record Deliver(SagaId saga, SagaInput input, long correlation, ActorRef<SagaReply> replyTo)
        implements SagaActor.Command {

    /** Whether the sender waits for the decision of the saga, however long that takes. */
    boolean awaitsDecision() {
        return input instanceof SagaInput.End end && end.awaitDecision();
    }

    void answer(SagaReply.Outcome outcome) {
        replyTo.tell(new SagaReply(saga, correlation, outcome));
    }
}
