package io.alphaomega.server.saga;

import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
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
    private final Counter handedOver;
    private final Timer lateness;
    private final AtomicInteger actors = new AtomicInteger();

    SagaMetrics(MeterRegistry registry, UnreadableSagas unreadable) {
        decisions = Counter.builder("alpha.saga.decisions")
                .description("Inputs decided and stored")
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
                        "Appends that stored nothing, because somebody else held the saga in the store for too long")
                .register(registry);
        unknownOutcomes = Counter.builder("alpha.saga.unknown.outcomes")
                .description("Appends of which nobody knows whether they are stored")
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
        begun = ended(registry, "begun");
        committed = ended(registry, "committed");
        compensated = ended(registry, "compensated");
        suspended = ended(registry, "suspended");
        Gauge.builder("alpha.saga.actors", actors, AtomicInteger::get)
                .description("Sagas in memory")
                .register(registry);
        Gauge.builder("alpha.saga.unreadable", unreadable, UnreadableSagas::count)
                .description("Sagas whose journal cannot be read")
                .register(registry);
    }

    private static Counter ended(MeterRegistry registry, String what) {
        return Counter.builder("alpha.sagas")
                .description("Sagas by what happened to them")
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

    /** {@code lot} is stored and about to be answered. */
    void decided(Lot lot) {
        decisions.increment(lot.answers().size());
        for (Lot.Answer answer : lot.answers()) {
            if (answer.reply() instanceof Reply.Rejected rejected) count(rejected.reason());
            if (answer.deliver().input() instanceof SagaInput.Tick
                    && !lot.events().isEmpty()) woken(lot);
        }
        boolean aborted =
                lot.before() instanceof SagaState.Known known && known.abort().isPresent();
        for (SagaEvent event : lot.events()) {
            switch (event) {
                case SagaEvent.Begun begun -> this.begun.increment();
                case SagaEvent.Aborted abort -> aborted = true;
                case SagaEvent.BranchEnded ended -> {
                    if (aborted) lateEnds.increment();
                }
                case SagaEvent.Suspended suspended -> this.suspended.increment();
                case SagaEvent.Ended ended when ended.outcome() == Outcome.COMMITTED -> committed.increment();
                case SagaEvent.Ended ended -> compensated.increment();
                default -> {} // Counted by nobody; a new event is a new line here only if somebody wants it counted.
            }
        }
    }

    private void woken(Lot lot) {
        Instant at = lot.events().getLast().at();
        SagaRules.wakeUpAt(lot.before())
                .filter(at::isAfter)
                .ifPresent(due -> lateness.record(Duration.between(due, at)));
    }

    private void count(Refusal refusal) {
        Counter counter = refusals.get(refusal);
        if (counter != null) counter.increment();
    }
}
