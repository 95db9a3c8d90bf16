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
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.repository.RepositoryBusyException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
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
    /** Two owners exist for moments; what has lost this often is better answered than tried again. */
    static final int ROUNDS_MAX = 5;

    /** A person may mend the store; until it is read again, refusals come from memory. */
    static final Duration UNREADABLE_FOR = Duration.ofSeconds(30);

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

    private final Callers callers;
    private final Owed owed;
    private final Alarm alarm;
    private SagaState state;
    private Version version = Version.NONE;
    private Instant now = Instant.EPOCH;
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
        this.callers = new Callers(id, shared.metrics());
        this.owed = new Owed(id, shared.participants(), context.getLog());
        this.alarm = new Alarm(timers, shared.clock());
        this.state = new SagaState.Absent(id);
        context.setReceiveTimeout(shared.passivateAfter(), Signal.IDLE);
        shared.metrics().entered();
    }

    // ---- the five situations

    /** Nothing is known of the saga; whoever wants to know something makes it load. Who begins it hardly needs to. */
    private Behavior<Command> unloaded() {
        return receive(
                deliver -> {
                    callers.gather(deliver);
                    return neverLoaded() && deliver.input() instanceof SagaInput.Begin ? decide(0) : loading();
                },
                own -> own == Signal.LEAVE ? Behaviors.stopped() : Behaviors.same());
    }

    private Behavior<Command> loading() {
        int covered = callers.gathered(); // Only these came before the look at the store.
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
        alarm.set(SagaRules.wakeUpAt(state));
        return receive(
                deliver -> {
                    callers.gather(deliver);
                    return decide(0);
                },
                own -> switch (own) {
                    case Signal signal ->
                        switch (signal) {
                            case ALARM -> {
                                alarm.wentOff();
                                callers.gather(tick());
                                yield decide(0);
                            }
                            case IDLE -> {
                                if (!owed.anyCalls() && !callers.anyParked()) passivate();
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
                owed.perform(state);
                yield answered(lot);
            }
            case Stored(AppendResult.Conflict(Version actual)) -> {
                if (!neverLoaded()) forestalled(actual);
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
        callers.takeAll().forEach(deliver -> deliver.answer(refusal));
        if (leaving) return Behaviors.stopped();
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
        if (read.version().sequence() < version.sequence()) lost(read.version());
        state = read.state();
        version = read.version();
        now = latest(now, read.lastAt());
        shared.unreadable().remove(id);
        owed.perform(state); // After a restart, too, whatever is owed is asked.
        return decide(covered);
    }

    private Behavior<Command> notLoaded(Throwable failure) {
        if (failure instanceof JournalUnreadableException || failure instanceof CorruptJournalException) {
            String text = "The journal of saga %s cannot be read: %s Nothing is appended until it is mended."
                    .formatted(id, failure.getMessage());
            context.getLog().error(text);
            return unreadable(text);
        }
        // The repository logs its outages, each once; a line for each saga would bury that.
        context.getLog().debug("Saga {} was not loaded: {}", id, failure.toString());
        callers.refuse(
                callers.takeAll(),
                Callers.RETRY_AFTER,
                "Saga %s could not be loaded, because the store does not answer; send it again.".formatted(id));
        owed.forget();
        alarm.set(Optional.empty());
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
        if (callers.gathered() == 0) return ready();
        now = latest(now, shared.clock().instant());
        Lot lot = Lot.decide(state, callers.take(covered == 0 ? callers.gathered() : covered), now);
        if (!lot.events().isEmpty()) return saving(lot);
        if (covered > 0 || lot.isSettled()) return answered(lot);
        return reloading(lot); // A newer owner may have journaled what this one misses.
    }

    /** The lot is stored: from here on the replies are promises that survive a crash. */
    private Behavior<Command> answered(Lot lot) {
        rounds = 0;
        shared.metrics().decided(lot);
        callers.answer(lot);
        if (callers.anyParked() && state instanceof SagaState.Known known) {
            Reply standing = SagaRules.standing(known);
            if (!(standing instanceof Reply.Pending)) callers.tellDecision(standing);
        }
        return decide(0);
    }

    private Behavior<Command> notStored(Lot lot, Throwable failure) {
        if (failure instanceof RepositoryBusyException busy) { // It was not even tried.
            callers.refuse(lot.inputs(), busy.retryAfter(), String.valueOf(busy.getMessage()));
            return decide(0);
        }
        context.getLog()
                .debug("Saga {}: nobody knows whether the append is stored; reloading. {}", id, failure.toString());
        shared.metrics().unknownOutcome();
        return again(lot);
    }

    /** Decides the inputs again, never reuses the events: they may be stored, or somebody else's may. */
    private Behavior<Command> again(Lot lot) {
        rounds++;
        if (rounds <= ROUNDS_MAX) return reloading(lot);
        rounds = 0;
        String text = "Saga %s was changed by others %d times meanwhile; send it again.".formatted(id, ROUNDS_MAX);
        callers.refuse(lot.inputs(), Callers.RETRY_AFTER, text);
        return loading();
    }

    private Behavior<Command> reloading(Lot lot) {
        callers.putBack(lot.inputs());
        return loading();
    }

    private boolean neverLoaded() {
        return version.equals(Version.NONE);
    }

    private void forestalled(Version actual) {
        shared.metrics().conflict();
        context.getLog()
                .info(
                        "Saga {} is at event {}, expected {}: another node appended; reloading.",
                        id,
                        actual.sequence(),
                        version.sequence());
    }

    private void lost(Version actual) {
        shared.metrics().lost();
        context.getLog()
                .error(
                        "Saga {} is at event {}, but {} were stored and acknowledged: the store has lost writes.",
                        id,
                        actual.sequence(),
                        version.sequence());
    }

    // ---- coming and going

    private Deliver tick() {
        return new Deliver(id, new SagaInput.Tick(), 0, context.getSystem().ignoreRef());
    }

    private boolean isOver() {
        return !owed.anyCalls()
                && switch (state) {
                    case SagaState.Absent absent -> true;
                    case SagaState.Ended ended -> true;
                    case SagaState.Purged purged -> true;
                    case SagaState.Known running -> false;
                };
    }

    /** The shard keeps what comes from now on for the next actor of this saga, and answers {@link Signal#LEAVE}. */
    private void passivate() {
        if (!passivating) shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
        passivating = true;
    }

    /** While the store is asked: it is finished first. */
    private Behavior<Command> noted(Signal signal) {
        if (signal == Signal.LEAVE) leaving = true;
        if (signal == Signal.ALARM) alarm.wentOff(); // Set anew when the store has answered.
        return Behaviors.same();
    }

    private Behavior<Command> stopped() {
        shared.metrics().left();
        callers.refuse(callers.takeAll(), Callers.RETRY_AFTER, "Saga %s is moving; send it again.".formatted(id));
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
                    callers.gather(deliver);
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
