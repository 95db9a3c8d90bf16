package io.alphaomega.server.saga;

import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.meters.Histograms;
import io.alphaomega.server.meters.Waits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What the sagas of this node have done since it started. */
public final class SagaMetrics {
    private final Counter decisions;
    private final Map<Refusal, Counter> refusals = new EnumMap<>(Refusal.class);
    private final Counter unavailable;
    private final Counter lateEnds;
    private final Counter conflicts;
    private final Counter locked;
    private final Counter unknownOutcomes;
    private final Counter loads;
    private final Counter lost;
    private final Counter begun;
    private final Counter committed;
    private final Counter compensated;
    private final Counter suspended;
    private final Counter held;
    private final Counter handedOver;
    private final Timer lateness;
    private final Timer handoff;
    private final Timer appendWait;
    private final Timer store;
    private final Timer committedAfter;
    private final Timer compensatedAfter;
    private final AtomicInteger actors = new AtomicInteger();

    SagaMetrics(MeterRegistry registry, UnreadableSagas unreadable) {
        decisions = Counter.builder("alpha.saga.decisions")
                .description(
                        "Inputs decided, by whatever they came: of streams, of people, of the saga's own alarm; what they led to is stored")
                .register(registry);
        for (Refusal refusal : Refusal.values()) {
            refusals.put(
                    refusal,
                    Counter.builder("alpha.saga.refusals")
                            .description("Inputs refused by the rules")
                            .tag("reason", refusal.name())
                            .register(registry));
        }
        unavailable = Counter.builder("alpha.saga.unavailable")
                .description("Inputs answered 'not now'")
                .register(registry);
        lateEnds = Counter.builder("alpha.saga.late.branch.ends")
                .description("Branches that ended after their saga had aborted")
                .register(registry);
        conflicts = Counter.builder("alpha.saga.conflicts")
                .description("Appends that another owner had forestalled")
                .register(registry);
        locked = Counter.builder("alpha.saga.locked")
                .description(
                        "Appends that stored nothing, because another writer held the saga in the store for too long")
                .register(registry);
        unknownOutcomes = Counter.builder("alpha.saga.unknown.outcomes")
                .description("Appends with an unknown outcome")
                .register(registry);
        loads = Counter.builder("alpha.saga.loads").description("Journals read").register(registry);
        lost = Counter.builder("alpha.saga.lost.writes")
                .description("Sagas whose store knows less than this node was told is stored")
                .register(registry);
        handedOver = Counter.builder("alpha.saga.handovers")
                .description("Sagas in memory that had to leave, because their shard moves to another node")
                .register(registry);
        lateness = Timer.builder("alpha.saga.lateness")
                .description("How late sagas were looked at whose time had come")
                .register(registry);
        handoff = Histograms.ofWaits("alpha.saga.handoff")
                .description(
                        "From an input's arrival on a stream of this node until its saga takes it; without sagas of other nodes")
                .register(registry);
        appendWait = Histograms.ofWaits("alpha.repository.append.wait")
                .description("From queueing an append of a saga until it is stored, the wait for its batch included")
                .register(registry);
        store = Histograms.ofWaits("alpha.saga.store")
                .description(
                        "How long a saga has waited for the store, all in all, at its end; only of sagas that this node had in memory from their begin")
                .register(registry);
        committedAfter = duration(registry, "committed");
        compensatedAfter = duration(registry, "compensated");
        begun = happened(registry, "begun");
        committed = happened(registry, "committed");
        compensated = happened(registry, "compensated");
        suspended = happened(registry, "suspended");
        held = happened(registry, "held");
        Gauge.builder("alpha.saga.actors", actors, AtomicInteger::get)
                .description("Sagas in memory")
                .register(registry);
        Gauge.builder("alpha.saga.unreadable", unreadable, UnreadableSagas::count)
                .description("Sagas whose journal cannot be read")
                .register(registry);
    }

    private static Timer duration(MeterRegistry registry, String outcome) {
        return Histograms.ofLives("alpha.saga.duration")
                .description("From a saga's begin to its end, on whichever nodes; counted where it ended")
                .tag("outcome", outcome)
                .register(registry);
    }

    private static Counter happened(MeterRegistry registry, String what) {
        return Counter.builder("alpha.sagas")
                .description("Sagas by what happened to them, counted by the node that stored it")
                .tag("event", what)
                .register(registry);
    }

    void entered() {
        actors.incrementAndGet();
    }

    void left() {
        actors.decrementAndGet();
    }

    /** How many sagas are in this node's memory. */
    public int inMemory() {
        return actors.get();
    }

    /** How long appends of sagas have waited until they were stored. */
    public Waits appendWaits() {
        return Waits.of(appendWait);
    }

    /** How many sagas something has happened to since the start of this node. */
    public record Totals(long begun, long committed, long compensated, long suspended) {}

    /** What {@code alpha.sagas} counts. */
    public Totals totals() {
        return new Totals(
                (long) begun.count(), (long) committed.count(), (long) compensated.count(), (long) suspended.count());
    }

    void loaded() {
        loads.increment();
    }

    void conflict() {
        conflicts.increment();
    }

    void locked() {
        locked.increment();
    }

    void lost() {
        lost.increment();
    }

    void unknownOutcome() {
        unknownOutcomes.increment();
    }

    void unavailable() {
        unavailable.increment();
    }

    void handedOver() {
        handedOver.increment();
    }

    /** The saga's actor has been told {@code deliver}. */
    void taken(Deliver deliver) {
        if (deliver.arrived() != Deliver.UNTIMED)
            handoff.record(System.nanoTime() - deliver.arrived(), TimeUnit.NANOSECONDS);
    }

    /** An append is stored so many nanoseconds after it was queued. */
    void appended(long waited) {
        appendWait.record(waited, TimeUnit.NANOSECONDS);
    }

    /** A saga has ended that has waited for the store for so many nanoseconds. */
    void waitedForStore(long nanos) {
        store.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** {@code batch} is about to be answered: what it journals is stored. */
    void decided(DecisionBatch batch) {
        decisions.increment(batch.answers().size());
        for (DecisionBatch.Answer answer : batch.answers()) {
            if (answer.reply() instanceof Reply.Rejected rejected) count(rejected.reason());
            if (answer.deliver().input() instanceof SagaInput.Tick
                    && !batch.events().isEmpty()) woken(batch);
        }
        stored(batch);
    }

    /** What {@code batch} journals is stored by this node. */
    void stored(DecisionBatch batch) {
        boolean aborted =
                batch.before() instanceof SagaState.Known known && known.abort().isPresent();
        for (SagaEvent event : batch.events()) {
            switch (event) {
                case SagaEvent.Begun begun -> this.begun.increment();
                case SagaEvent.Aborted abort -> aborted = true;
                case SagaEvent.BranchEnded ended -> {
                    if (aborted) lateEnds.increment();
                }
                case SagaEvent.Suspended suspended -> this.suspended.increment();
                case SagaEvent.Held held -> this.held.increment();
                case SagaEvent.Ended ended -> ended(ended, batch);
                default -> {} // Counted by nobody; a new event is a new line here only if somebody wants it counted.
            }
        }
    }

    private void ended(SagaEvent.Ended ended, DecisionBatch batch) {
        boolean done = ended.outcome() == Outcome.COMMITTED;
        (done ? committed : compensated).increment();
        Instant begunAt = ((SagaState.Known) batch.after()).saga().begunAt();
        (done ? committedAfter : compensatedAfter)
                .record(begunAt.until(ended.at(), ChronoUnit.MILLIS), TimeUnit.MILLISECONDS);
    }

    private void woken(DecisionBatch batch) {
        Instant at = batch.events().getLast().at();
        SagaRules.wakeUpAt(batch.before())
                .filter(at::isAfter)
                .ifPresent(due -> lateness.record(Duration.between(due, at)));
    }

    private void count(Refusal refusal) {
        Counter counter = refusals.get(refusal);
        if (counter != null) counter.increment();
    }
}
