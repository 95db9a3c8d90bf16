package io.alphaomega.server.saga;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An input on its way to the actor of its saga, on whichever node that is.
 *
 * @param replyTo who gets the answer, from whichever node
 * @param here takes the answer instead, on any thread, if the saga is on the sender's node; not sent to other nodes
 * @param arrived when it was read from a stream, of {@link System#nanoTime}, else {@link #UNTIMED}; not sent to other
 *     nodes, to which it would mean nothing
 */
public record Deliver(
        SagaId saga,
        SagaInput input,
        long correlation,
        ActorRef<SagaReply> replyTo,
        @Nullable Consumer<SagaReply> here,
        long arrived)
        implements SagaCommand {

    /** Of what nobody read from a stream of this node, or has been told before. */
    public static final long UNTIMED = 0;

    public Deliver(SagaId saga, SagaInput input, long correlation, ActorRef<SagaReply> replyTo) {
        this(saga, input, correlation, replyTo, null, UNTIMED);
    }

    /** Whether it may be the first that the saga hears. */
    boolean begins() {
        return switch (input) {
            case SagaInput.Begin begin -> true;
            case SagaInput.BeginOnce begin -> true;
            case SagaInput.BeginNested begin -> true;
            case SagaInput.Carrying carrying -> carrying.begin().isPresent();
            case SagaInput other -> false;
        };
    }

    /** Whether the sender waits for the decision of the saga, however long that takes. */
    boolean awaitsDecision() {
        return input.itself() instanceof SagaInput.End end && end.awaitDecision();
    }

    public void answer(SagaReply.Outcome outcome) {
        SagaReply reply = new SagaReply(saga, correlation, outcome);
        if (here == null) replyTo.tell(reply);
        else here.accept(reply);
    }
}
