package io.alphaomega.server.stream;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.receptionist.Receptionist;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.saga.Policy;
import io.alphaomega.server.saga.RouterCommand;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.saga.Sagas;
import java.time.Clock;

/**
 * What the cluster knows of one stream of one instance of a service: where callbacks for it go, and answers from other
 * nodes. It lives as long as the stream, and passes everything on to the stream's {@link Conversation}.
 */
final class Connection extends AbstractBehavior<Connection.Command> {

    /** What a connection is told. */
    sealed interface Command permits RunCallback, Own {}

    /** What a connection is told on its own node. */
    sealed interface Own extends Command, NoSerializationVerificationNeeded {}

    private record Replied(SagaReply reply) implements Own {}

    /** Which shards this node has. */
    record Here(Shards shards) implements Own {}

    /** How far the store has come. */
    record Marked(StoreMark mark) implements Own {}

    /** What a connection is told without words. */
    enum Signal implements Own {
        /** A node was lost, and with it what had been sent to it. */
        TELL_AGAIN,
        /** This node stops. */
        DRAIN,
        /** This node has more than its share of the streams. */
        MOVE,
        /** The peer, or this node, wants no new callbacks on this stream. */
        LEAVE,
        /** The stream is over. */
        END
    }

    /** What every connection of a node shares. */
    record Shared(
            Sagas sagas,
            ActorRef<RouterCommand> participants,
            Clock clock,
            Policy defaults,
            Welcome welcome,
            Budget budget,
            StreamMetrics metrics,
            Instances instances,
            Rehearsal rehearsal) {}

    /**
     * How a conversation reaches the cluster.
     *
     * @param replies where sagas on other nodes answer
     */
    record Address(ActorRef<SagaReply> replies, ActorRef<Command> connection) {
        void leave() {
            connection.tell(Signal.LEAVE);
        }

        void end() {
            connection.tell(Signal.END);
        }
    }

    private final Hello hello;
    private final OmegaCall wire;
    private final Shared shared;
    private final Conversation conversation;

    static Behavior<Command> create(Hello hello, OmegaCall wire, Shared shared) {
        return Behaviors.setup(context -> new Connection(context, hello, wire, shared));
    }

    private Connection(ActorContext<Command> context, Hello hello, OmegaCall wire, Shared shared) {
        super(context);
        this.hello = hello;
        this.wire = wire;
        this.shared = shared;
        ActorRef<SagaReply> replies = context.messageAdapter(SagaReply.class, Replied::new);
        this.conversation = new Conversation(hello, wire, shared, new Address(replies, context.getSelf()));
        shared.metrics().connected();
        shared.instances().connected(hello, shared.clock().instant());
        wire.attach(conversation);
        ActorRef<RunCallback> self = context.getSelf().narrow();
        shared.participants().tell(new CallbackRouter.Connected(hello.getService(), self));
        context.getSystem().receptionist().tell(Receptionist.register(CallbackRouter.key(hello.getService()), self));
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Replied.class, replied -> {
                    conversation.replies().accept(replied.reply());
                    return this;
                })
                .onMessage(RunCallback.class, run -> {
                    wire.run(() -> conversation.callback(run.callback()));
                    return this;
                })
                .onMessage(Here.class, here -> {
                    wire.run(() -> conversation.shards(here.shards()));
                    return this;
                })
                .onMessage(Marked.class, marked -> {
                    wire.run(() -> conversation.mark(marked.mark()));
                    return this;
                })
                .onMessage(Signal.class, this::signalled)
                .onSignal(PostStop.class, stopped -> {
                    shared.metrics().disconnected();
                    shared.instances().gone(hello, shared.clock().instant());
                    return this;
                })
                .build();
    }

    private Behavior<Command> signalled(Signal signal) {
        return switch (signal) {
            case TELL_AGAIN -> {
                wire.run(conversation::nodeLost);
                yield this;
            }
            case DRAIN -> {
                wire.run(conversation::drain);
                yield this;
            }
            case MOVE -> {
                wire.run(conversation::move);
                yield this;
            }
            case LEAVE -> {
                leave();
                yield this;
            }
            case END -> Behaviors.stopped();
        };
    }

    private void leave() {
        ActorRef<RunCallback> self = getContext().getSelf().narrow();
        shared.participants().tell(new CallbackRouter.Leaving(hello.getService(), self));
        getContext()
                .getSystem()
                .receptionist()
                .tell(Receptionist.deregister(CallbackRouter.key(hello.getService()), self));
    }
}
