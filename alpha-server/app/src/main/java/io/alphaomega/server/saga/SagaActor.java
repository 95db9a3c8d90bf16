package io.alphaomega.server.saga;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.repository.RepositoryBusyException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * One saga, somewhere in the cluster. It owns the order of things and nothing else: load, decide, append, evolve, make
 * happen what is owed, then reply. What a saga does is in {@link SagaRules}.
 *
 * <p>It can be in five situations, each a behavior: {@link #unloaded}, {@link #loading}, {@link #ready}, {@link #saving},
 * {@link #unreadable}. What arrives while it waits for the store gathers and is decided together.
 */
final class SagaActor {
    /** A saga has a few callers at a time; who comes on top of this many is told to come back. */
    static final int GATHERED_MAX = 256;

    /** One initiator and its resends wait for the decision; more than this is a mistake. */
    static final int PARKED_MAX = 32;

    /** Two owners exist for moments; what has lost this often is better answered than tried again. */
    static final int ROUNDS_MAX = 5;

    /** A store that was away is asked again at this pace. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** A person may mend the store; until it is read again, refusals come from memory. */
    static final Duration UNREADABLE_FOR = Duration.ofSeconds(30);

    /** A wake-up that changed nothing is repeated no faster than this. */
    static final Duration FRUITLESS = Duration.ofSeconds(1);

    /** What a saga's actor is told. */
    sealed interface Command permits Deliver, Own {}

    /** From the actor itself, its timers and its shard. */
    sealed interface Own extends Command, NoSerializationVerificationNeeded {}

    private record Read(SagaJournal.Read read) implements Own {}

    private record Stored(AppendResult result) implements Own {}

    private record Failed(Throwable cause) implements Own {}

    /** What a saga's actor is told by timers, and by its shard when it has to go. */
    enum Signal implements Own {
        ALARM,
        IDLE,
        LEAVE
    }

    /** What every saga of a node shares. */
    record Shared(
            SagaJournal journal,
            Clock clock,
            ActorRef<ToParticipants> participants,
            SagaMetrics metrics,
            UnreadableSagas unreadable,
            Duration passivateAfter) {}

    private final SagaId id;
    private final Shared shared;
    private final ActorRef<ClusterSharding.ShardCommand> shard;
    private final ActorContext<Command> context;
    private final TimerScheduler<Command> timers;

    private final Deque<Deliver> gathered = new ArrayDeque<>();
    private final List<Deliver> parked = new ArrayList<>();
    private Set<SagaEffect> asked = Set.of();
    private SagaState state;
    private Version version = Version.NONE;
    private Instant now = Instant.EPOCH;
    private Optional<Instant> ticked = Optional.empty();
    private Optional<Instant> alarm = Optional.empty();
    private int rounds;
    private boolean passivating;
    private boolean leaving;

    static Behavior<Command> create(SagaId id, ActorRef<ClusterSharding.ShardCommand> shard, Shared shared) {
        return Behaviors.setup(context ->
                Behaviors.withTimers(timers -> new SagaActor(id, shard, shared, context, timers).unloaded()));
    }

    private SagaActor(
            SagaId id,
            ActorRef<ClusterSharding.ShardCommand> shard,
            Shared shared,
            ActorContext<Command> context,
            TimerScheduler<Command> timers) {
        this.id = id;
        this.shard = shard;
        this.shared = shared;
        this.context = context;
        this.timers = timers;
        this.state = new SagaState.Absent(id);
        shared.metrics().entered();
    }

    // ---- the five situations

    /** Nothing is known of the saga; whoever wants to know something makes it load. */
    private Behavior<Command> unloaded() {
        return receive(
                deliver -> {
                    gather(deliver);
                    return loading();
                },
                own -> own == Signal.LEAVE ? Behaviors.stopped() : Behaviors.same());
    }

    private Behavior<Command> loading() {
        int covered = gathered.size(); // Only these came before the look at the store.
        shared.metrics().loaded();
        context.pipeToSelf(
                shared.journal().load(id), (read, failure) -> failure == null ? new Read(read) : new Failed(failure));
        return gathering(own -> switch (own) {
            case Read(SagaJournal.Read read) -> loaded(read, covered);
            case Failed(Throwable failure) -> notLoaded(unwrapped(failure));
            case Stored stored -> Behaviors.unhandled();
            case Signal signal -> noted(signal);
        });
    }

    private Behavior<Command> ready() {
        if (leaving) return Behaviors.stopped();
        if (isOver()) passivate();
        setAlarm();
        return receive(
                deliver -> {
                    gather(deliver);
                    return decide(0);
                },
                own -> switch (own) {
                    case Signal signal ->
                        switch (signal) {
                            case ALARM -> {
                                gather(tick());
                                yield decide(0);
                            }
                            case IDLE -> {
                                if (!owesCalls() && parked.isEmpty()) passivate();
                                yield Behaviors.same();
                            }
                            case LEAVE -> Behaviors.stopped();
                        };
                    case Read read -> Behaviors.unhandled();
                    case Stored stored -> Behaviors.unhandled();
                    case Failed failed -> Behaviors.unhandled();
                });
    }

    private Behavior<Command> saving(Lot lot) {
        context.pipeToSelf(
                shared.journal().append(version, lot.events(), (SagaState.Known) lot.after()),
                (result, failure) -> failure == null ? new Stored(result) : new Failed(failure));
        return gathering(own -> switch (own) {
            case Stored(AppendResult.Appended(Version stored)) -> {
                state = lot.after();
                version = stored;
                perform();
                yield answered(lot);
            }
            case Stored(AppendResult.Conflict(Version actual)) -> {
                context.getLog()
                        .info(
                                "Saga {} is at event {}, expected {}: another node appended; reloading.",
                                id,
                                actual.sequence(),
                                version.sequence());
                shared.metrics().conflict();
                yield again(lot);
            }
            case Failed(Throwable failure) -> notStored(lot, unwrapped(failure));
            case Read read -> Behaviors.unhandled();
            case Signal signal -> noted(signal);
        });
    }

    /** Refuses everything. Leaves after a while, so that the next input reads the journal again. */
    private Behavior<Command> unreadable(String text) {
        SagaReply.Outcome.Unreadable refusal = new SagaReply.Outcome.Unreadable(text);
        shared.unreadable().add(id, text);
        drain().forEach(deliver -> deliver.answer(refusal));
        context.cancelReceiveTimeout();
        timers.startSingleTimer(Signal.IDLE, UNREADABLE_FOR);
        return receive(
                deliver -> {
                    deliver.answer(refusal);
                    return Behaviors.same();
                },
                own -> {
                    if (own == Signal.LEAVE) return Behaviors.stopped();
                    if (own == Signal.IDLE) passivate();
                    return Behaviors.same();
                });
    }

    // ---- what happens in them

    private Behavior<Command> loaded(SagaJournal.Read read, int covered) {
        state = read.state();
        version = read.version();
        now = latest(now, read.lastAt());
        shared.unreadable().remove(id);
        context.setReceiveTimeout(shared.passivateAfter(), Signal.IDLE);
        perform(); // After a restart, too, whatever is owed is asked.
        return decide(covered);
    }

    private Behavior<Command> notLoaded(Throwable failure) {
        if (failure instanceof JournalUnreadableException || failure instanceof CorruptJournalException) {
            String text = "The journal of saga %s cannot be read: %s Nothing is appended until it is mended."
                    .formatted(id, failure.getMessage());
            context.getLog().error(text);
            return unreadable(text);
        }
        context.getLog().warn("Saga {} was not loaded: {}", id, failure.toString());
        drain().forEach(deliver -> unavailable(deliver, RETRY_AFTER, "The saga could not be loaded; send it again."));
        asked = Set.of();
        timers.cancel(Signal.ALARM);
        alarm = Optional.empty();
        if (leaving) return Behaviors.stopped();
        passivate();
        return unloaded();
    }

    /**
     * Decides what has gathered.
     *
     * @param covered decide only as many, on a state that the store has confirmed since they came; 0 for all, on the
     *     state as remembered
     */
    private Behavior<Command> decide(int covered) {
        if (gathered.isEmpty()) return ready();
        now = latest(now, shared.clock().instant());
        List<Deliver> inputs = new ArrayList<>(gathered).subList(0, covered == 0 ? gathered.size() : covered);
        Lot lot = Lot.decide(state, inputs, now);
        inputs.forEach(input -> gathered.removeFirst());
        if (!lot.events().isEmpty()) return saving(lot);
        if (covered > 0 || lot.isSettled()) return answered(lot);
        return reloading(lot); // A newer owner may have journaled what this one misses.
    }

    /** The lot is stored: from here on the replies are promises that survive a crash. */
    private Behavior<Command> answered(Lot lot) {
        rounds = 0;
        shared.metrics().decided(lot);
        for (Lot.Answer answer : lot.answers()) {
            if (answer.reply() instanceof Reply.Pending && answer.deliver().awaitsDecision()) park(answer.deliver());
            else answer.deliver().answer(new SagaReply.Outcome.Decided(answer.reply()));
        }
        if (!parked.isEmpty() && state instanceof SagaState.Known known) {
            Reply standing = SagaRules.standing(known);
            if (!(standing instanceof Reply.Pending)) {
                parked.forEach(deliver -> deliver.answer(new SagaReply.Outcome.Decided(standing)));
                parked.clear();
            }
        }
        return decide(0);
    }

    private Behavior<Command> notStored(Lot lot, Throwable failure) {
        if (failure instanceof RepositoryBusyException busy) { // It was not even tried.
            lot.inputs().forEach(deliver -> unavailable(deliver, busy.retryAfter(), String.valueOf(busy.getMessage())));
            return decide(0);
        }
        context.getLog()
                .warn("Saga {}: nobody knows whether the append is stored; reloading. {}", id, failure.toString());
        shared.metrics().unknownOutcome();
        return again(lot);
    }

    /** Decides the inputs again, never reuses the events: they may be stored, or somebody else's may. */
    private Behavior<Command> again(Lot lot) {
        rounds++;
        if (rounds <= ROUNDS_MAX) return reloading(lot);
        rounds = 0;
        String text = "Saga %s was changed by others %d times meanwhile; send it again.".formatted(id, ROUNDS_MAX);
        lot.inputs().forEach(deliver -> unavailable(deliver, RETRY_AFTER, text));
        return loading();
    }

    private Behavior<Command> reloading(Lot lot) {
        for (Deliver deliver : lot.inputs().reversed()) gathered.addFirst(deliver);
        return loading();
    }

    // ---- inputs

    private void gather(Deliver deliver) {
        if (gathered.size() < GATHERED_MAX) gathered.addLast(deliver);
        else
            unavailable(
                    deliver, RETRY_AFTER, "Saga %s has %d inputs waiting; send it again.".formatted(id, GATHERED_MAX));
    }

    /** A sender that asks again, because it got no answer for a while, still waits only once. */
    private void park(Deliver waiter) {
        parked.removeIf(earlier -> earlier.correlation() == waiter.correlation()
                && earlier.replyTo().equals(waiter.replyTo()));
        if (parked.size() < PARKED_MAX) parked.add(waiter);
        else unavailable(waiter, RETRY_AFTER, "%d others wait for saga %s already.".formatted(PARKED_MAX, id));
    }

    /** Everybody who waits, for the store or for a decision. */
    private List<Deliver> drain() {
        List<Deliver> waiting = new ArrayList<>(gathered);
        waiting.addAll(parked);
        gathered.clear();
        parked.clear();
        return waiting;
    }

    private void unavailable(Deliver deliver, Duration retryAfter, String text) {
        shared.metrics().unavailable();
        deliver.answer(new SagaReply.Outcome.Unavailable(retryAfter, text));
    }

    // ---- effects and time

    /** Asks for what is owed and was not, and withdraws what was and is not. */
    private void perform() {
        Set<SagaEffect> owed = SagaRules.effects(state);
        Set<SagaEffect> settled = new HashSet<>(asked);
        settled.removeAll(owed);
        for (SagaEffect effect : settled) {
            if (effect instanceof SagaEffect.Call call) {
                shared.participants().tell(new CallbackOrder.Withdraw(id, call));
            }
        }
        for (SagaEffect effect : owed) {
            if (asked.contains(effect)) continue;
            switch (effect) {
                case SagaEffect.Call call -> shared.participants().tell(new CallbackOrder.Ask(id, call));
                case SagaEffect.Alert(var suspension) ->
                    context.getLog()
                            .warn(
                                    "Saga {} is suspended and waits for a person: {} of branch {} in service {}: {}",
                                    id,
                                    suspension.reason(),
                                    suspension.branch(),
                                    suspension.service(),
                                    suspension.lastError());
            }
        }
        asked = owed;
    }

    private void setAlarm() {
        Optional<Instant> wakeUpAt = SagaRules.wakeUpAt(state);
        if (wakeUpAt.equals(alarm)) return;
        alarm = wakeUpAt;
        if (wakeUpAt.isEmpty()) {
            timers.cancel(Signal.ALARM);
            return;
        }
        Duration delay = Duration.between(shared.clock().instant(), wakeUpAt.get());
        if (wakeUpAt.equals(ticked) && delay.compareTo(FRUITLESS) < 0) delay = FRUITLESS;
        timers.startSingleTimer(Signal.ALARM, delay.isNegative() ? Duration.ZERO : delay);
    }

    private Deliver tick() {
        ticked = alarm;
        alarm = Optional.empty();
        return new Deliver(id, new SagaInput.Tick(), 0, context.getSystem().ignoreRef());
    }

    // ---- coming and going

    private boolean isOver() {
        return !owesCalls() && (state instanceof SagaState.Ended || state instanceof SagaState.Absent);
    }

    private boolean owesCalls() {
        return asked.stream().anyMatch(SagaEffect.Call.class::isInstance);
    }

    /** The shard keeps what comes from now on for the next actor of this saga, and answers {@link Signal#LEAVE}. */
    private void passivate() {
        if (!passivating) shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
        passivating = true;
    }

    /** While the store is asked: it is finished first. */
    private Behavior<Command> noted(Signal signal) {
        if (signal == Signal.LEAVE) leaving = true;
        if (signal == Signal.ALARM) alarm = Optional.empty(); // Set anew when the store has answered.
        return Behaviors.same();
    }

    private Behavior<Command> stopped() {
        shared.metrics().left();
        drain().forEach(deliver ->
                unavailable(deliver, RETRY_AFTER, "Saga %s is moving; send it again.".formatted(id)));
        return Behaviors.same();
    }

    // ---- behaviors

    private Behavior<Command> receive(
            Function<Deliver, Behavior<Command>> onDeliver, Function<Own, Behavior<Command>> onOwn) {
        return Behaviors.receive(
                (self, command) -> switch (command) {
                    case Deliver deliver -> onDeliver.apply(deliver);
                    case Own own -> onOwn.apply(own);
                },
                (self, signal) -> signal instanceof PostStop ? stopped() : Behaviors.unhandled());
    }

    private Behavior<Command> gathering(Function<Own, Behavior<Command>> onOwn) {
        return receive(
                deliver -> {
                    gather(deliver);
                    return Behaviors.same();
                },
                onOwn);
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
