package io.alphaomega.server.stream;

import akka.Done;
import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.wire.WireInputs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parent of the connections of a node. */
final class OmegaConnections extends AbstractBehavior<OmegaConnections.Command> {

    /** Between the goodbyes of a node that stops. */
    private static final Duration SPREAD = Duration.ofMillis(5);

    /** From the first to the last of them, however many. */
    private static final Duration SPREAD_MAX = Duration.ofSeconds(3);

    /** The same of those that are asked to move: nobody is in a hurry, and two dozen at once would be felt by others. */
    private static final Duration MOVE_SPREAD = Duration.ofSeconds(6);

    /** What the parent is told. */
    sealed interface Command extends NoSerializationVerificationNeeded {}

    record Open(Hello hello, OmegaCall wire) implements Command {}

    /** A node is gone, and with it perhaps what had been sent to it. */
    record TellAgain() implements Command {}

    /** Which shards this node has now. */
    record Here(Shards shards) implements Command {}

    /** How far the store has come. */
    record Marked(StoreMark mark) implements Command {}

    /** Ask so many to connect to another node. */
    record Move(int count) implements Command {}

    /** Say goodbye to everybody; answered once everybody has left. */
    record Drain(ActorRef<Done> replyTo) implements Command {}

    private final Connection.Shared shared;

    /** In the order in which they came. */
    private final Set<ActorRef<Void>> open = new LinkedHashSet<>();

    /** Those of them that were asked to. */
    private final Set<ActorRef<Void>> moving = new HashSet<>();

    private final List<ActorRef<Done>> waiting = new ArrayList<>();
    private Shards shards = Shards.getDefaultInstance();
    private @Nullable StoreMark mark;
    private boolean draining;
    private long opened;

    static Behavior<Command> create(Connection.Shared shared) {
        return Behaviors.setup(context -> new OmegaConnections(context, shared));
    }

    private OmegaConnections(ActorContext<Command> context, Connection.Shared shared) {
        super(context);
        this.shared = shared;
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(Open.class, this::open)
                .onMessage(TellAgain.class, again -> {
                    tellAll(Connection.Signal.TELL_AGAIN);
                    return this;
                })
                .onMessage(Here.class, this::here)
                .onMessage(Marked.class, this::marked)
                .onMessage(Move.class, this::move)
                .onMessage(Drain.class, this::drain)
                .onSignal(Terminated.class, this::gone)
                .build();
    }

    private Behavior<Command> open(Open message) {
        Hello hello = message.hello();
        String name = Participant.name(
                ++opened,
                hello.getCapacity(),
                hello.getInstance(),
                WireInputs.build(hello),
                hello.getAnswersInquiries());
        ActorRef<Connection.Command> connection =
                getContext().spawn(Connection.create(message.hello(), message.wire(), shared), name);
        getContext().watch(connection);
        open.add(connection.unsafeUpcast());
        if (mark != null) connection.tell(new Connection.Marked(mark));
        if (shards.getCount() > 0) connection.tell(new Connection.Here(shards));
        if (draining) connection.tell(Connection.Signal.DRAIN);
        return this;
    }

    private Behavior<Command> drain(Drain message) {
        draining = true;
        waiting.add(message.replyTo());
        Duration between = SPREAD_MAX.dividedBy(Math.max(1, open.size()));
        tell(open, Connection.Signal.DRAIN, between.compareTo(SPREAD) > 0 ? SPREAD : between);
        return answerIfEmpty();
    }

    private Behavior<Command> move(Move message) {
        List<ActorRef<Void>> told = open.stream()
                .filter(connection -> !moving.contains(connection))
                .limit(message.count())
                .toList();
        moving.addAll(told);
        tell(told, Connection.Signal.MOVE, MOVE_SPREAD.dividedBy(Math.max(1, told.size())));
        return this;
    }

    /** One after the other, so that not all of them knock at the next node at the same moment. */
    private void tell(Collection<ActorRef<Void>> connections, Connection.Signal goodbye, Duration between) {
        int number = 0;
        for (ActorRef<Void> connection : connections) {
            ActorRef<Connection.Command> told = connection.unsafeUpcast();
            getContext().scheduleOnce(between.multipliedBy(number++), told, goodbye);
        }
    }

    private Behavior<Command> here(Here now) {
        if (now.shards().equals(shards)) return this;
        shards = now.shards();
        tellAll(new Connection.Here(shards));
        return this;
    }

    private Behavior<Command> marked(Marked now) {
        mark = now.mark();
        tellAll(new Connection.Marked(now.mark()));
        return this;
    }

    private void tellAll(Connection.Command command) {
        for (ActorRef<Void> connection : open) {
            connection.<Connection.Command>unsafeUpcast().tell(command);
        }
    }

    private Behavior<Command> gone(Terminated terminated) {
        open.remove(terminated.getRef());
        moving.remove(terminated.getRef());
        return answerIfEmpty();
    }

    private Behavior<Command> answerIfEmpty() {
        if (draining && open.isEmpty()) {
            waiting.forEach(replyTo -> replyTo.tell(Done.getInstance()));
            waiting.clear();
        }
        return this;
    }
}
