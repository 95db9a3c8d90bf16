package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.actor.typed.receptionist.Receptionist;
import akka.actor.typed.receptionist.ServiceKey;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.CallbackCommand;
import io.alphaomega.server.saga.FenceCommand;
import io.alphaomega.server.saga.RouterCommand;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.wire.WireAnswers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The router of callbacks of one node. It knows which instances of which service are connected to any node, asks the one
 * that ran the branch or another, and tells the saga when there is none or when the stream to it has broken.
 *
 * <p>It owes nothing to anybody: what it forgets in a crash, the sagas ask for again.
 */
final class CallbackRouter extends AbstractBehavior<RouterCommand> {
    /** Withdrawals of calls that nobody answers any more come from the saga; this is for sagas that have moved away. */
    private static final Duration STALE_AFTER = Duration.ofSeconds(5);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /**
     * Without streams and callbacks. Nodes learn within a second of each other's streams; whose sagas were told too early
     * that a service is back, and missed it, are woken by what this node still knows of it.
     */
    static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(10);

    /** What the router is told by others than sagas. */
    sealed interface Command extends RouterCommand
            permits Connected, Leaving, Gone, Listed, Answered, Signal, ServiceSweeps.Told {}

    /** An instance of the service has connected to this node. */
    record Connected(String service, ActorRef<RunCallback> connection) implements Command {}

    /** It takes no new callbacks, but goes on answering those it has. */
    record Leaving(String service, ActorRef<RunCallback> connection) implements Command {}

    private record Gone(String service, ActorRef<RunCallback> connection) implements Command {}

    private record Listed(String service, Set<ActorRef<RunCallback>> connections) implements Command {}

    private record Answered(SagaReply reply) implements Command {}

    private enum Signal implements Command {
        LOOK
    }

    /** What the router works with. */
    record Shared(
            Sagas sagas,
            SagaRepository repository,
            Clock clock,
            Budget budget,
            StreamMetrics metrics,
            CallbackNeeds needs,
            Executor virtualThreads) {}

    private final Shared shared;
    private final TimerScheduler<RouterCommand> timers;
    private final Reports reports;
    private final Map<String, Participant> participants = new HashMap<>();
    private final ServiceSweeps sweeps;

    static Behavior<RouterCommand> create(Shared shared) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            timers.startTimerWithFixedDelay(Signal.LOOK, LOOK_EVERY);
            return new CallbackRouter(context, timers, shared);
        }));
    }

    private CallbackRouter(ActorContext<RouterCommand> context, TimerScheduler<RouterCommand> timers, Shared shared) {
        super(context);
        this.shared = shared;
        this.timers = timers;
        this.sweeps = new ServiceSweeps(context, timers, shared, participants::get);
        ActorRef<RouterCommand> self = context.getSelf();
        this.reports = new Reports(
                shared.sagas(),
                context.messageAdapter(SagaReply.class, Answered::new),
                reply -> self.tell(new Answered(reply)));
    }

    /** Under this key the connections of a service are found on every node. */
    static ServiceKey<RunCallback> key(String service) {
        return ServiceKey.create(RunCallback.class, service);
    }

    @Override
    public Receive<RouterCommand> createReceive() {
        return newReceiveBuilder()
                .onMessage(CallbackCommand.class, order -> {
                    switch (order) {
                        case CallbackCommand.Ask(SagaId saga, SagaEffect.Call call) ->
                            ask(new CallbackRequest(saga, call));
                        case CallbackCommand.Withdraw(SagaId saga, SagaEffect.Call call) ->
                            withdraw(new CallbackRequest(saga, call));
                    }
                    return this;
                })
                .onMessage(FenceCommand.class, order -> {
                    Participant participant = participant(order.question().service());
                    switch (order) {
                        case FenceCommand.Ask(SagaId saga, SagaEffect.AskFence question) ->
                            participant.inquiries.ask(saga, question);
                        case FenceCommand.Withdraw(SagaId saga, SagaEffect.AskFence question) ->
                            participant.inquiries.withdraw(saga, question);
                    }
                    participant.inquiries.send(participant, shared.clock().instant());
                    return this;
                })
                .onMessage(Command.class, command -> {
                    switch (command) {
                        case Connected connected -> connect(connected);
                        case Leaving leaving -> leave(leaving);
                        case Gone gone -> lose(gone);
                        case Listed listed -> list(listed);
                        case ServiceSweeps.Told told -> sweeps.told(told);
                        case Answered(SagaReply reply) -> reports.answered(reply);
                        case Signal.LOOK -> look();
                    }
                    return this;
                })
                .build();
    }

    // ---- calls

    private void ask(CallbackRequest ask) {
        Participant participant = participant(ask.call().service());
        if (participant.has(ask)) return; // A saga that has been loaded again asks for everything it is owed.
        reports.dropped(ask);
        CallbackRequest put = participant.enqueue(ask, shared.clock().instant());
        if (put != null) defer(put);
        send(participant);
    }

    private void withdraw(CallbackRequest ask) {
        Participant participant = participants.get(ask.call().service());
        if (participant == null) return;
        participant.remove(ask);
        send(participant);
    }

    /** Sends what may be sent now, and refuses what nobody is there for. */
    private void send(Participant participant) {
        Instant now = shared.clock().instant();
        for (Participant.Sending sending = participant.next(); sending != null; sending = participant.next()) {
            CallbackRequest ask = sending.ask();
            shared.metrics().callbackSent();
            sending.connection().tell(new RunCallback(WireAnswers.toCallback(ask.saga(), ask.call(), now)));
        }
        participant.inquiries.send(participant, now);
        if (participant.isAway()) participant.takeQueued().forEach(this::miss);
        participant.takeUnable().forEach(ask -> unable(participant, ask));
        participant.noteRoom();
    }

    private void miss(CallbackRequest ask) {
        shared.metrics().callbackMissed();
        SagaEffect.Call call = ask.call();
        report(ask, new SagaInput.MissParticipant(call.branch(), call.kind(), call.attempt()));
    }

    private void unable(Participant participant, CallbackRequest ask) {
        participant.toldUnable = true;
        shared.metrics().callbackUnable();
        SagaEffect.Call call = ask.call();
        report(ask, new SagaInput.MissBuild(call.branch(), call.kind(), call.attempt()));
    }

    /** Its turn has not come in half of its time. */
    private void putOff(Participant participant, CallbackRequest ask) {
        if (participant.isUnable(ask)) unable(participant, ask);
        else if (participant.hasOpen()) defer(ask);
        else miss(ask);
    }

    private void defer(CallbackRequest ask) {
        shared.metrics().callbackDeferred();
        SagaEffect.Call call = ask.call();
        report(ask, new SagaInput.DeferCallback(call.branch(), call.kind(), call.attempt()));
    }

    private void report(CallbackRequest ask, SagaInput input) {
        reports.report(ask, input, shared.clock().instant());
    }

    // ---- connections

    private void connect(Connected connected) {
        Participant participant = participant(connected.service());
        boolean first = !participant.hasOpen();
        Set<String> builds = participant.builds();
        if (participant.open(connected.connection(), true)) watch(connected.service(), connected.connection());
        if (first || !builds.containsAll(participant.builds())) {
            shared.needs().changed(connected.service());
            sweeps.wake(connected.service(), participant);
        }
        send(participant);
    }

    private void leave(Leaving leaving) {
        Participant participant = participants.get(leaving.service());
        if (participant != null) participant.close(leaving.connection());
    }

    private void list(Listed listed) {
        Participant participant = participants.get(listed.service());
        if (participant == null) return; // Forgotten meanwhile.
        boolean away = participant.isAway();
        Set<String> builds = participant.builds();
        for (ActorRef<RunCallback> connection : listed.connections()) {
            if (participant.open(connection, false)) watch(listed.service(), connection);
        }
        participant.listed(listed.connections());
        // Whom the router of another node has woken since then was missed here.
        boolean back = away && participant.hasOpen();
        boolean able = participant.toldUnable && !builds.containsAll(participant.builds());
        if (back || able) sweeps.wake(listed.service(), participant);
        send(participant);
    }

    private void lose(Gone gone) {
        Participant participant = participants.get(gone.service());
        if (participant == null) return;
        Set<String> builds = participant.builds();
        List<CallbackRequest> unanswered = participant.remove(gone.connection());
        if (participant.hasOpen() && !participant.builds().containsAll(builds)) {
            shared.needs().changed(gone.service());
            shared.virtualThreads().execute(() -> shared.needs().look(gone.service()));
        }
        for (CallbackRequest ask : unanswered) {
            shared.metrics().callbackLost();
            SagaEffect.Call call = ask.call();
            report(ask, new SagaInput.LoseCallback(call.branch(), call.kind(), call.attempt()));
        }
        send(participant);
    }

    private void watch(String service, ActorRef<RunCallback> connection) {
        getContext().watchWith(connection, new Gone(service, connection));
    }

    /** Of whoever needs it now; what nobody needs for a while is forgotten. */
    private Participant participant(String service) {
        Participant participant = participants.computeIfAbsent(service, this::meet);
        participant.neededAt = shared.clock().instant();
        return participant;
    }

    private Participant meet(String service) {
        // A subscription ends with its subscriber only, so each has one of its own.
        ActorRef<Receptionist.Listing> listings =
                getContext().spawnAnonymous(listings(service, getContext().getSelf()));
        getContext().getSystem().receptionist().tell(Receptionist.subscribe(key(service), listings));
        Participant participant = new Participant(shared.budget().open(0), listings);
        participant.sharedBy(nodes());
        return participant;
    }

    private static Behavior<Receptionist.Listing> listings(String service, ActorRef<RouterCommand> router) {
        return Behaviors.receiveMessage(listing -> {
            router.tell(new Listed(service, Set.copyOf(listing.getServiceInstances(key(service)))));
            return Behaviors.same();
        });
    }

    private void forget(String service, Participant participant) {
        getContext().stop(participant.listings);
        timers.cancel(service);
    }

    private int nodes() {
        int nodes = 0;
        for (Member member : Cluster.get(getContext().getSystem()).state().getMembers()) {
            if (member.status().equals(MemberStatus.up())) nodes++;
        }
        return nodes;
    }

    private void look() {
        Instant now = shared.clock().instant();
        int queued = 0;
        int underWay = 0;
        int nodes = nodes();
        for (Iterator<Map.Entry<String, Participant>> each =
                        participants.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<String, Participant> entry = each.next();
            Participant participant = entry.getValue();
            participant.sharedBy(nodes);
            participant.takeOverdue(now).forEach(ask -> putOff(participant, ask));
            participant.inquiries.look(now);
            sweeps.remind(entry.getKey(), participant);
            participant.forgetStale(now.minus(STALE_AFTER));
            queued += participant.queued();
            underWay += participant.underWay();
            send(participant);
            if (participant.isNeeded()) {
                participant.neededAt = now;
            } else if (!participant.neededAt.plus(FORGOTTEN_AFTER).isAfter(now)) {
                forget(entry.getKey(), participant);
                each.remove();
            }
        }
        reports.tellAgain(now);
        shared.needs().lookAgain(shared.virtualThreads());
        shared.metrics().callbacks(queued, underWay, participants.size());
    }
}
