package io.alphaomega.server.saga;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.ExtensibleBehavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.repository.RepositoryBusyException;
import io.alphaomega.server.repository.Waiter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One saga, somewhere in the cluster. It owns the order of things and nothing else: load, decide, append, evolve, make
 * happen what is owed, then reply. What a saga does is in {@link SagaRules}.
 *
 * <p>What arrives while it waits for the store gathers and is decided together. An input that is stored costs it two
 * messages, the input and the store's answer, and no object that stays: there is one such actor for each open saga.
 */
final class SagaActor extends ExtensibleBehavior<SagaActor.Command> {
    /** Two owners exist for moments; what has lost this often is better answered than tried again. */
    static final int ROUNDS_MAX = 5;

    /** A person may mend the store; until it is read again, refusals come from memory. */
    static final Duration UNREADABLE_FOR = Duration.ofSeconds(30);

    /** The class's, not the context's, which would look through the stack for each saga anew. */
    private static final Logger LOG = LoggerFactory.getLogger(SagaActor.class);

    /** What a saga's actor is told. */
    sealed interface Command permits Deliver, Own {}

    /** From the actor itself, its timer, the store and its shard. */
    sealed interface Own extends Command, NoSerializationVerificationNeeded {}

    private record Read(Situation.Loading load, SagaJournal.Read read) implements Own {}

    private record Stored(Situation.Saving append, AppendResult result) implements Own {}

    /** @param asked which load or append it was */
    private record Failed(Situation asked, Throwable cause) implements Own {}

    /** From a saga that is nested in this one. */
    private record Nested(SagaReply reply) implements Own {}

    /** What a saga's actor is told by its timer, and by its shard when it has to go. */
    enum Signal implements Own {
        ALARM,
        LEAVE
    }

    /** What every saga of a node shares. */
    record Shared(
            SagaJournal journal,
            Clock clock,
            ActorRef<ToParticipants> participants,
            SagaMetrics metrics,
            SagaTraces traces,
            UnreadableSagas unreadable,
            Alerts alerts,
            WrongAnswers wrongAnswers,
            Ownership ownership,
            Sagas sagas,
            Residents residents,
            Room room,
            Holds holds) {}

    /**
     * What it is doing. No load and no append equals another one, so that an answer that comes late, or once more, is
     * never taken for another's.
     */
    private sealed interface Situation {
        /** Nothing is known of the saga; whoever wants to know something makes it load. */
        record Unloaded() implements Situation {}

        final class Loading implements Situation {
            /** Only so many of those that have gathered came before the look at the store. */
            final int covered;

            /** Of {@link System#nanoTime}, here and below. */
            final long since = System.nanoTime();

            Loading(int covered) {
                this.covered = covered;
            }
        }

        record Ready() implements Situation {}

        /** One append, and who is told what becomes of it. */
        final class Saving implements Situation, Waiter {
            final Lot lot;
            private final ActorRef<Command> self;
            private final long since = System.nanoTime();

            /** For how long, in nanoseconds; known when the store has answered. */
            long waited;

            Saving(Lot lot, ActorRef<Command> self) {
                this.lot = lot;
                this.self = self;
            }

            /** On a thread of the store. */
            @Override
            public void stored(AppendResult result) {
                waited = System.nanoTime() - since;
                self.tell(new Stored(this, result));
            }

            /** On a thread of the store, or at once. */
            @Override
            public void failed(RuntimeException failure) {
                waited = System.nanoTime() - since;
                self.tell(new Failed(this, failure));
            }
        }

        /** Refuses everything. Leaves after a while, so that the next input reads the journal again. */
        record Unreadable(SagaReply.Outcome refusal) implements Situation {}
    }

    private static final Situation UNLOADED = new Situation.Unloaded();
    private static final Situation READY = new Situation.Ready();

    private final SagaId id;
    private final Shared shared;
    private final ActorContext<Command> context;
    private final ActorRef<Command> self;
    private final Presence presence;
    private final Callers callers;
    private final Owed owed;
    private final SagaTime time;
    private final Alarm alarm;
    private final StoreTime storeTime;
    private Situation situation = UNLOADED;
    private SagaState state;
    private Version version = Version.NONE;
    private Instant decidedAt = Instant.EPOCH;
    private int size;
    private int rounds;

    /** Of which nobody knows whether it is stored. */
    private @Nullable Lot doubtful;

    static Behavior<Command> create(SagaId id, ActorRef<ClusterSharding.ShardCommand> shard, Shared shared) {
        return Behaviors.setup(context -> new SagaActor(id, shard, shared, context));
    }

    private SagaActor(
            SagaId id, ActorRef<ClusterSharding.ShardCommand> shard, Shared shared, ActorContext<Command> context) {
        this.id = id;
        this.shared = shared;
        this.context = context;
        this.self = context.getSelf();
        this.presence = new Presence(id, self, shard, shared.residents());
        this.callers = new Callers(id, shared.metrics());
        this.owed = new Owed(
                id,
                shared.participants(),
                shared.alerts(),
                shared.sagas(),
                () -> context.messageAdapter(SagaReply.class, Nested::new));
        this.time = new SagaTime(shared.clock());
        this.alarm = new Alarm(context, time, shared.room());
        this.storeTime = new StoreTime(shared.metrics());
        this.state = new SagaState.Absent(id);
        this.size = Room.size(state);
        shared.room().take(size);
        shared.metrics().entered();
    }

    // ---- what it is told

    @Override
    public Behavior<Command> receive(TypedActorContext<Command> same, Command command) {
        return switch (command) {
            case Deliver deliver -> delivered(deliver);
            case Stored stored when stored.append.equals(situation) -> answered(stored.append, stored.result);
            case Failed failed when failed.asked.equals(situation) -> failed(failed);
            case Read read when read.load.equals(situation) -> loaded(read.read, read.load);
            case Nested(SagaReply reply) -> {
                SagaInput answer = owed.answered(reply);
                yield answer == null ? Behaviors.same() : delivered(toItself(answer));
            }
            case Signal signal ->
                switch (signal) {
                    case ALARM -> alarmed();
                    case LEAVE -> toldToLeave();
                };
            case Stored late -> Behaviors.same();
            case Failed late -> Behaviors.same();
            case Read late -> Behaviors.same();
        };
    }

    private Behavior<Command> answered(Situation.Saving append, AppendResult result) {
        storeTime.add(append.waited);
        Lot lot = append.lot;
        return switch (result) {
            case AppendResult.Appended(Version stored) -> {
                shared.metrics().appended(append.waited);
                yield stored(lot, stored);
            }
            case AppendResult.Conflict(Version actual) -> forestalled(lot, actual);
            case AppendResult.Locked locked -> locked(lot);
        };
    }

    private Behavior<Command> failed(Failed failed) {
        if (!(failed.asked instanceof Situation.Saving saving)) return notLoaded(failed.cause);
        storeTime.add(saving.waited);
        return notStored(saving.lot, failed.cause);
    }

    private Behavior<Command> delivered(Deliver deliver) {
        shared.metrics().taken(deliver);
        return switch (situation) {
            case Situation.Ready ready -> {
                callers.gather(deliver);
                yield decide(0);
            }
            case Situation.Saving saving -> gathered(deliver);
            case Situation.Loading loading -> gathered(deliver);
            case Situation.Unloaded unloaded -> {
                callers.gather(deliver);
                // Who begins a saga hardly ever needs to know what is stored of it.
                yield neverLoaded() && begins(deliver.input()) ? decide(0) : loading();
            }
            case Situation.Unreadable(SagaReply.Outcome refusal) -> {
                deliver.answer(refusal);
                yield Behaviors.same();
            }
        };
    }

    private static boolean begins(SagaInput input) {
        return switch (input) {
            case SagaInput.Begin begin -> true;
            case SagaInput.BeginOnce begin -> true;
            case SagaInput.BeginNested begin -> true;
            case SagaInput.Carrying carrying -> carrying.begin().isPresent();
            case SagaInput other -> false;
        };
    }

    private Behavior<Command> gathered(Deliver deliver) {
        callers.gather(deliver);
        return Behaviors.same();
    }

    private Behavior<Command> alarmed() {
        Instant at = time.now();
        return switch (situation) {
            case Situation.Ready ready
            when alarm.wentOff(at) -> {
                callers.gather(toItself(new SagaInput.Tick()));
                yield decide(0);
            }
            case Situation.Ready ready -> {
                if (!at.isBefore(decidedAt.plus(shared.room().patience()))) {
                    if (!owed.anyCalls() && !callers.anyParked()) presence.passivate();
                    decidedAt = at; // And looks again after as long.
                }
                alarm.set(SagaRules.wakeUpAt(state), decidedAt);
                yield Behaviors.same();
            }
            case Situation.Unreadable unreadable -> {
                presence.passivate();
                yield Behaviors.same();
            }
            case Situation.Unloaded unloaded -> Behaviors.same();
            case Situation.Loading loading -> alarmedTooEarly();
            case Situation.Saving saving -> alarmedTooEarly();
        };
    }

    private Deliver toItself(SagaInput input) {
        return new Deliver(id, input, 0, context.getSystem().ignoreRef());
    }

    /** It is set anew when the store has answered. */
    private Behavior<Command> alarmedTooEarly() {
        alarm.stop();
        return Behaviors.same();
    }

    /** What is under way is finished first. */
    private Behavior<Command> toldToLeave() {
        if (!presence.isGoing()) {
            shared.metrics().handedOver();
            shared.unreadable().remove(id); // Whether it can be read its next node says.
        }
        presence.leave();
        boolean waits = situation instanceof Situation.Loading || situation instanceof Situation.Saving;
        return presence.isLeaving() && !waits ? Behaviors.stopped() : Behaviors.same();
    }

    @Override
    public Behavior<Command> receiveSignal(TypedActorContext<Command> same, akka.actor.typed.Signal signal) {
        if (!(signal instanceof PostStop)) return Behaviors.unhandled();
        presence.gone();
        alarm.stop();
        shared.room().take(-size);
        shared.metrics().left();
        List<Deliver> left = callers.takeAll();
        if (!left.isEmpty()) {
            callers.refuse(left, Callers.RETRY_AFTER, "Saga %s is moving; send it again.".formatted(id));
        }
        return Behaviors.same();
    }

    // ---- load

    private Behavior<Command> loading() {
        Situation.Loading load = new Situation.Loading(callers.gathered());
        situation = load;
        shared.metrics().loaded();
        shared.journal()
                .load(id, read -> self.tell(new Read(load, read)), failure -> self.tell(new Failed(load, failure)));
        return Behaviors.same();
    }

    private Behavior<Command> loaded(SagaJournal.Read read, Situation.Loading load) {
        storeTime.add(System.nanoTime() - load.since);
        if (doubtful != null && read.has(doubtful)) counted(doubtful);
        doubtful = null;
        if (read.version().sequence() < version.sequence()) lost(read.version());
        time.reached(read.lastAt());
        shared.unreadable().remove(id);
        become(read.state(), read.version()); // After a restart, too, whatever is owed is asked.
        return decide(load.covered);
    }

    /** It was stored after all: whoever sent it is answered as of a repeat, which counts for nothing. */
    private void counted(Lot lot) {
        storeTime.stored(lot);
        shared.metrics().stored(lot);
        shared.traces().stored(lot);
    }

    private Behavior<Command> notLoaded(Throwable failure) {
        if (failure instanceof JournalUnreadableException || failure instanceof CorruptJournalException) {
            String text = "The journal of saga %s cannot be read: %s Nothing is appended until it is mended."
                    .formatted(id, failure.getMessage());
            LOG.atError().addKeyValue("sagaId", id).log(text);
            return unreadable(text);
        }
        // The repository logs its outages, each once; a line for each saga would bury that.
        LOG.debug("Saga {} was not loaded: {}", id, failure.toString());
        callers.refuse(
                callers.takeAll(),
                Callers.RETRY_AFTER,
                "Saga %s could not be loaded, because the store does not answer; send it again.".formatted(id));
        owed.forget();
        alarm.stop();
        if (presence.isLeaving()) return Behaviors.stopped();
        presence.passivate();
        situation = UNLOADED;
        return Behaviors.same();
    }

    private Behavior<Command> unreadable(String text) {
        SagaReply.Outcome refusal = new SagaReply.Outcome.Unreadable(text);
        if (!presence.isLeaving()) shared.unreadable().add(id, text);
        callers.takeAll().forEach(deliver -> deliver.answer(refusal));
        if (presence.isLeaving()) return Behaviors.stopped();
        alarm.startFor(UNREADABLE_FOR);
        situation = new Situation.Unreadable(refusal);
        return Behaviors.same();
    }

    // ---- decide

    /**
     * Decides what has gathered.
     *
     * @param covered decide only as many, on a state that the store has confirmed since they came; 0 for all, on the
     *     state as remembered
     */
    private Behavior<Command> decide(int covered) {
        if (callers.gathered() == 0 && !shared.holds().concern(state)) return ready();
        decidedAt = latest(decidedAt, time.now());
        List<Deliver> inputs = callers.take(covered == 0 ? callers.gathered() : covered);
        Lot lot = Lot.decide(state, inputs, shared.holds().restoration(), decidedAt);
        if (!lot.events().isEmpty()) return saving(lot);
        if (covered > 0 || lot.isSettled()) return answered(lot);
        return reloading(lot); // A newer owner may have journaled what this one misses.
    }

    private Behavior<Command> ready() {
        if (presence.isLeaving()) return Behaviors.stopped();
        if (isOver()) presence.passivate();
        else presence.enter();
        alarm.set(SagaRules.wakeUpAt(state), decidedAt);
        situation = READY;
        return Behaviors.same();
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

    private boolean neverLoaded() {
        return version.equals(Version.NONE);
    }

    // ---- append, evolve, make happen what is owed, then reply

    private Behavior<Command> saving(Lot lot) {
        Situation.Saving append = new Situation.Saving(lot, self);
        situation = append;
        shared.journal().append(version, lot.events(), (SagaState.Known) lot.after(), append);
        return Behaviors.same();
    }

    private Behavior<Command> stored(Lot lot, Version stored) {
        storeTime.stored(lot);
        become(lot.after(), stored);
        if (lot.ends()) tellParent();
        return answered(lot);
    }

    /** Who waits for the end of this saga asks from time to time, so this may get lost. */
    private void tellParent() {
        if (!(state instanceof SagaState.Ended ended)) return;
        Parent parent = ended.saga().initiator().parent().orElse(null);
        if (parent == null) return;
        CallbackKind kind =
                ended.outcome() == Outcome.COMMITTED ? CallbackKind.CONFIRMATION : CallbackKind.COMPENSATION;
        shared.sagas()
                .tell(
                        parent.saga(),
                        new SagaInput.SucceedCallback(parent.branch(), kind, 1, ""),
                        context.getSystem().ignoreRef());
    }

    private void become(SagaState next, Version stored) {
        state = next;
        version = stored;
        if (shared.holds().concern(state)) owed.withdraw(); // Nobody is called back until it is held.
        else owed.perform(state);
        int before = size;
        size = Room.size(state);
        shared.room().take(size - before);
    }

    /** The lot is stored: from here on the replies are promises that survive a crash. */
    private Behavior<Command> answered(Lot lot) {
        rounds = 0;
        shared.metrics().decided(lot);
        shared.traces().stored(lot);
        for (Lot.Answer answer : lot.answers()) {
            if (answer.reply() instanceof Reply.Rejected rejected) {
                shared.wrongAnswers().refused(answer.deliver().input(), rejected);
            }
        }
        if (lot.connects()) owed.askFencesAgain();
        callers.answer(lot);
        if (callers.anyParked() && state instanceof SagaState.Known known) {
            Reply end = SagaRules.answerToEnd(known);
            if (!(end instanceof Reply.Pending)) callers.tellDecision(end);
        }
        return decide(0);
    }

    private Behavior<Command> forestalled(Lot lot, Version actual) {
        if (!neverLoaded()) {
            shared.metrics().conflict();
            shared.ownership().forestalled();
            LOG.info(
                    "Saga {} is at event {}, expected {}: another node appended; reloading.",
                    id,
                    actual.sequence(),
                    version.sequence());
        }
        return again(lot);
    }

    private Behavior<Command> notStored(Lot lot, Throwable failure) {
        if (failure instanceof RepositoryBusyException busy) { // It was not even tried.
            callers.refuse(lot.inputs(), busy.retryAfter(), String.valueOf(busy.getMessage()));
            return callers.gathered() == 0 ? ready() : decide(0);
        }
        LOG.debug("Saga {}: nobody knows whether the append is stored; reloading. {}", id, failure.toString());
        shared.metrics().unknownOutcome();
        doubtful = lot;
        return again(lot);
    }

    /** Nothing is stored. Who holds the saga may be done by the time it is read again; if he is not, nobody waits for him. */
    private Behavior<Command> locked(Lot lot) {
        shared.metrics().locked();
        rounds++;
        if (rounds == 1) return reloading(lot);
        rounds = 0;
        callers.refuse(
                lot.inputs(),
                Callers.RETRY_AFTER,
                "Saga %s is locked in the store by somebody who does not get done; nothing was stored, send it again."
                        .formatted(id));
        return loading();
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

    private void lost(Version actual) {
        shared.metrics().lost();
        LOG.error(
                "Saga {} is at event {}, but {} were stored and acknowledged: the store has lost writes.",
                id,
                actual.sequence(),
                version.sequence());
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
