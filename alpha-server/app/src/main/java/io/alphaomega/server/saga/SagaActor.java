package io.alphaomega.server.saga;

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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One saga, somewhere in the cluster. It owns the order of things and nothing else: load, decide, append, evolve, make
 * happen what is owed, then reply. What a saga does is in {@link SagaRules}.
 *
 * <p>What arrives while it waits for the store gathers and is decided together. An input that is stored costs it two
 * messages, the input and the store's answer, and no object that stays: there is one such actor for each open saga.
 */
final class SagaActor extends ExtensibleBehavior<SagaCommand> {
    /** Two owners exist for moments; what has lost this often is better answered than tried again. */
    static final int ROUNDS_MAX = 5;

    /** A person may mend the store; until it is read again, refusals come from memory. */
    static final Duration UNREADABLE_FOR = Duration.ofSeconds(30);

    /** What every saga of a node shares. */
    record Shared(
            SagaJournal journal,
            Clock clock,
            ActorRef<RouterCommand> participants,
            SagaMetrics metrics,
            SagaTraces traces,
            UnreadableSagas unreadable,
            Alerts alerts,
            WrongAnswers wrongAnswers,
            Ownership ownership,
            Sagas sagas,
            LocalSagas localSagas,
            SagaMemory memory,
            Holds holds) {}

    private static final SagaPhase UNLOADED = new SagaPhase.Unloaded();
    private static final SagaPhase READY = new SagaPhase.Ready();

    private final SagaId id;
    private final Shared shared;
    private final ActorContext<SagaCommand> context;
    private final ActorRef<SagaCommand> self;
    private final Passivation passivation;
    private final PendingReplies pending;
    private final OutstandingEffects outstanding;
    private final RememberedSaga saga;
    private final SagaTime time;
    private final Alarm alarm;
    private final StoreObservations observations;
    private SagaPhase phase = UNLOADED;
    private int rounds;

    /** Of which nobody knows whether it is stored. */
    private @Nullable DecisionBatch doubtful;

    static Behavior<SagaCommand> create(SagaId id, ActorRef<ClusterSharding.ShardCommand> shard, Shared shared) {
        return Behaviors.setup(context -> new SagaActor(id, shard, shared, context));
    }

    private SagaActor(
            SagaId id, ActorRef<ClusterSharding.ShardCommand> shard, Shared shared, ActorContext<SagaCommand> context) {
        this.id = id;
        this.shared = shared;
        this.context = context;
        this.self = context.getSelf();
        this.passivation = new Passivation(id, self, shard, shared.localSagas());
        this.pending = new PendingReplies(id, shared.metrics());
        this.outstanding = new OutstandingEffects(
                id,
                shared.participants(),
                shared.alerts(),
                shared.sagas(),
                () -> context.messageAdapter(SagaReply.class, SagaCommand.Nested::new),
                context.getSystem().ignoreRef());
        this.saga = new RememberedSaga(id, shared.memory());
        this.time = new SagaTime(shared.clock());
        this.alarm = new Alarm(context, time, shared.memory());
        this.observations = new StoreObservations(id, shared);
        shared.metrics().entered();
    }

    // ---- what it is told

    @Override
    public Behavior<SagaCommand> receive(TypedActorContext<SagaCommand> same, SagaCommand command) {
        return switch (command) {
            case Deliver deliver -> delivered(deliver);
            case SagaCommand.Stored stored
            when stored.append().equals(phase) -> appended(stored.append(), stored.result());
            case SagaCommand.Failed failed when failed.asked().equals(phase) -> failed(failed);
            case SagaCommand.Read read when read.load().equals(phase) -> loaded(read.read(), read.load());
            case SagaCommand.Nested(SagaReply reply) -> {
                SagaInput answer = outstanding.answered(reply);
                yield answer == null ? Behaviors.same() : delivered(toItself(answer));
            }
            case SagaCommand.Signal signal ->
                switch (signal) {
                    case ALARM -> alarmed();
                    case LEAVE -> toldToLeave();
                };
            case SagaCommand.Stored late -> Behaviors.same();
            case SagaCommand.Failed late -> Behaviors.same();
            case SagaCommand.Read late -> Behaviors.same();
        };
    }

    private Behavior<SagaCommand> appended(SagaPhase.Saving append, AppendResult result) {
        observations.waited(append.waited);
        DecisionBatch batch = append.batch;
        return switch (result) {
            case AppendResult.Appended(Version stored) -> {
                shared.metrics().appended(append.waited);
                yield stored(batch, stored);
            }
            case AppendResult.Conflict(Version actual) -> forestalled(batch, actual);
            case AppendResult.Locked locked -> locked(batch);
        };
    }

    private Behavior<SagaCommand> failed(SagaCommand.Failed failed) {
        if (!(failed.asked() instanceof SagaPhase.Saving saving)) return notLoaded(failed.cause());
        observations.waited(saving.waited);
        return notStored(saving.batch, failed.cause());
    }

    private Behavior<SagaCommand> delivered(Deliver deliver) {
        shared.metrics().taken(deliver);
        return switch (phase) {
            case SagaPhase.Ready ready -> {
                pending.gather(deliver);
                yield decide(0);
            }
            case SagaPhase.Saving saving -> gathered(deliver);
            case SagaPhase.Loading loading -> gathered(deliver);
            case SagaPhase.Unloaded unloaded -> {
                pending.gather(deliver);
                // Who begins a saga hardly ever needs to know what is stored of it.
                yield saga.neverLoaded() && deliver.begins() ? decide(0) : loading();
            }
            case SagaPhase.Unreadable(SagaReply.Outcome refusal) -> {
                deliver.answer(refusal);
                yield Behaviors.same();
            }
        };
    }

    private Behavior<SagaCommand> gathered(Deliver deliver) {
        pending.gather(deliver);
        return Behaviors.same();
    }

    private Behavior<SagaCommand> alarmed() {
        Instant at = time.now();
        return switch (phase) {
            case SagaPhase.Ready ready
            when alarm.wentOff(at) -> {
                pending.gather(toItself(new SagaInput.Tick()));
                yield decide(0);
            }
            case SagaPhase.Ready ready -> {
                if (!at.isBefore(time.decidedAt().plus(shared.memory().patience()))) {
                    if (!outstanding.anyCalls() && !pending.anyParked()) passivation.passivate();
                    time.decide(); // And looks again after as long.
                }
                alarm.set(SagaRules.wakeUpAt(saga.state()), time.decidedAt());
                yield Behaviors.same();
            }
            case SagaPhase.Unreadable unreadable -> {
                passivation.passivate();
                yield Behaviors.same();
            }
            case SagaPhase.Unloaded unloaded -> Behaviors.same();
            case SagaPhase.Loading loading -> alarmedTooEarly();
            case SagaPhase.Saving saving -> alarmedTooEarly();
        };
    }

    private Deliver toItself(SagaInput input) {
        return new Deliver(id, input, 0, context.getSystem().ignoreRef());
    }

    /** It is set anew when the store has answered. */
    private Behavior<SagaCommand> alarmedTooEarly() {
        alarm.stop();
        return Behaviors.same();
    }

    /** What is under way is finished first. */
    private Behavior<SagaCommand> toldToLeave() {
        if (!passivation.isGoing()) {
            shared.metrics().handedOver();
            shared.unreadable().remove(id); // Whether it can be read its next node says.
        }
        passivation.leave();
        return passivation.isLeaving() && !phase.awaitsStore() ? Behaviors.stopped() : Behaviors.same();
    }

    @Override
    public Behavior<SagaCommand> receiveSignal(TypedActorContext<SagaCommand> same, akka.actor.typed.Signal signal) {
        if (!(signal instanceof PostStop)) return Behaviors.unhandled();
        passivation.gone();
        alarm.stop();
        saga.forget();
        shared.metrics().left();
        pending.refuseAll("Saga %s is moving; send it again.");
        return Behaviors.same();
    }

    // ---- load

    private Behavior<SagaCommand> loading() {
        SagaPhase.Loading load = new SagaPhase.Loading(pending.gathered());
        phase = load;
        shared.metrics().loaded();
        shared.journal()
                .load(
                        id,
                        read -> self.tell(new SagaCommand.Read(load, read)),
                        failure -> self.tell(new SagaCommand.Failed(load, failure)));
        return Behaviors.same();
    }

    private Behavior<SagaCommand> loaded(SagaJournal.Read read, SagaPhase.Loading load) {
        observations.waited(System.nanoTime() - load.since);
        if (doubtful != null && read.has(doubtful)) observations.storedAfterAll(doubtful);
        doubtful = null;
        if (read.version().sequence() < saga.version().sequence()) observations.lost(read.version(), saga.version());
        time.reached(read.lastAt());
        shared.unreadable().remove(id);
        become(read.state(), read.version()); // After a restart, too, whatever is owed is asked.
        return decide(load.covered);
    }

    private Behavior<SagaCommand> notLoaded(Throwable failure) {
        if (failure instanceof JournalUnreadableException || failure instanceof CorruptJournalException) {
            String text = "The journal of saga %s cannot be read: %s Nothing is appended until it is mended."
                    .formatted(id, failure.getMessage());
            observations.unreadable(text);
            return unreadable(text);
        }
        observations.notLoaded(failure);
        pending.refuseAll("Saga %s could not be loaded, because the store does not answer; send it again.");
        outstanding.forget();
        alarm.stop();
        if (passivation.isLeaving()) return Behaviors.stopped();
        passivation.passivate();
        phase = UNLOADED;
        return Behaviors.same();
    }

    private Behavior<SagaCommand> unreadable(String text) {
        SagaReply.Outcome refusal = new SagaReply.Outcome.Unreadable(text);
        if (!passivation.isLeaving()) shared.unreadable().add(id, text);
        pending.takeAll().forEach(deliver -> deliver.answer(refusal));
        if (passivation.isLeaving()) return Behaviors.stopped();
        alarm.startFor(UNREADABLE_FOR);
        phase = new SagaPhase.Unreadable(refusal);
        return Behaviors.same();
    }

    // ---- decide

    /**
     * Decides what has gathered.
     *
     * @param covered decide only as many, on a state that the store has confirmed since they came; 0 for all, on the
     *     state as remembered
     */
    private Behavior<SagaCommand> decide(int covered) {
        if (pending.gathered() == 0 && !shared.holds().concern(saga.state())) return ready();
        List<Deliver> inputs = pending.take(covered == 0 ? pending.gathered() : covered);
        DecisionBatch batch =
                DecisionBatch.decide(saga.state(), inputs, shared.holds().restoration(), time.decide());
        if (!batch.events().isEmpty()) return saving(batch);
        if (covered > 0 || batch.isSettled()) return reply(batch);
        return reloading(batch); // A newer owner may have journaled what this one misses.
    }

    private Behavior<SagaCommand> ready() {
        if (passivation.isLeaving()) return Behaviors.stopped();
        if (saga.isOver() && !outstanding.anyCalls()) passivation.passivate();
        else passivation.enter();
        alarm.set(SagaRules.wakeUpAt(saga.state()), time.decidedAt());
        phase = READY;
        return Behaviors.same();
    }

    // ---- append, evolve, make happen what is owed, then reply

    private Behavior<SagaCommand> saving(DecisionBatch batch) {
        SagaPhase.Saving append = new SagaPhase.Saving(batch, self);
        phase = append;
        shared.journal().append(saga.version(), batch.events(), (SagaState.Known) batch.after(), append);
        return Behaviors.same();
    }

    private Behavior<SagaCommand> stored(DecisionBatch batch, Version stored) {
        observations.stored(batch);
        become(batch.after(), stored);
        if (batch.ends()) outstanding.tellParent(saga.state());
        return reply(batch);
    }

    private void become(SagaState next, Version stored) {
        saga.become(next, stored);
        if (shared.holds().concern(next)) outstanding.withdraw(); // Nobody is called back until it is held.
        else outstanding.perform(next);
    }

    /** The batch is stored: from here on the replies are promises that survive a crash. */
    private Behavior<SagaCommand> reply(DecisionBatch batch) {
        rounds = 0;
        shared.metrics().decided(batch);
        shared.traces().stored(batch);
        for (DecisionBatch.Answer answer : batch.answers()) {
            if (answer.reply() instanceof Reply.Rejected rejected) {
                shared.wrongAnswers().refused(answer.deliver().input(), rejected);
            }
        }
        if (batch.connects()) outstanding.askFencesAgain();
        pending.answer(batch);
        return decide(0);
    }

    private Behavior<SagaCommand> forestalled(DecisionBatch batch, Version actual) {
        if (!saga.neverLoaded()) observations.forestalled(actual, saga.version());
        return again(batch);
    }

    private Behavior<SagaCommand> notStored(DecisionBatch batch, Throwable failure) {
        if (failure instanceof RepositoryBusyException busy) { // It was not even tried.
            pending.refuseBusy(batch, busy);
            return pending.gathered() == 0 ? ready() : decide(0);
        }
        observations.outcomeUnknown(failure);
        doubtful = batch;
        return again(batch);
    }

    /** Nothing is stored. The writer that holds the saga may be done by the time it is read again; if not, nobody waits for it. */
    private Behavior<SagaCommand> locked(DecisionBatch batch) {
        shared.metrics().locked();
        rounds++;
        if (rounds == 1) return reloading(batch);
        rounds = 0;
        pending.refuse(
                batch,
                "Saga %s is locked in the store by a writer that is not finishing; nothing was stored, send it again.");
        return loading();
    }

    /** Decides the inputs again, never reuses the events: they may be stored, or somebody else's may. */
    private Behavior<SagaCommand> again(DecisionBatch batch) {
        rounds++;
        if (rounds <= ROUNDS_MAX) return reloading(batch);
        rounds = 0;
        pending.refuse(
                batch, "Saga %%s was changed by others %d times meanwhile; send it again.".formatted(ROUNDS_MAX));
        return loading();
    }

    private Behavior<SagaCommand> reloading(DecisionBatch batch) {
        pending.putBack(batch.inputs());
        return loading();
    }
}
