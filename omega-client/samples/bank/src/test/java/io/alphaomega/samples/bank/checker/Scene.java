package io.alphaomega.samples.bank.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.bank.checker.History.Acked;
import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.Balance;
import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.FenceRow;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.History.SagaView;
import io.alphaomega.samples.bank.checker.History.Step;
import io.alphaomega.samples.bank.checker.History.Terms;
import io.alphaomega.samples.bank.checker.History.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A history written by hand: what a sound installation would leave behind, until a test changes it. */
final class Scene {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    static final Duration TIMEOUT = Duration.ofSeconds(10);
    static final Terms TERMS =
            new Terms(START.plusSeconds(600), Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));

    final List<Told> told = new ArrayList<>();
    final List<Effect> effects = new ArrayList<>();
    final List<FenceRow> fence = new ArrayList<>();
    final List<Acked> acks = new ArrayList<>();
    final List<Delivered> callbacks = new ArrayList<>();
    final List<Fault> faults = new ArrayList<>();
    final Map<String, SagaView> sagas = new LinkedHashMap<>();
    final Map<String, Long> opening = new LinkedHashMap<>(Map.of("north", 1_000L, "south", 1_000L));
    private final Map<String, Long> stolen = new LinkedHashMap<>();
    private long order;
    private long millis;

    /** Money that no row tells of. */
    void steal(String service, long amount) {
        stolen.merge(service, amount, Long::sum);
    }

    History history() {
        List<Balance> balances = new ArrayList<>();
        opening.forEach((service, at) -> {
            long moved = effects.stream()
                    .filter(effect -> effect.service().equals(service))
                    .mapToLong(Effect::amount)
                    .sum();
            balances.add(new Balance(service, at, at + moved - stolen.getOrDefault(service, 0L)));
        });
        List<Listed> list = sagas.values().stream()
                .map(saga -> new Listed(saga.id(), saga.state()))
                .toList();
        return new History(
                told, effects, balances, fence, List.copyOf(sagas.values()), list, acks, callbacks, faults, TERMS);
    }

    void passes() {
        assertThat(Checker.check(history())).isEmpty();
    }

    /** @param words all of them in one sentence about that rule */
    void breaks(Rule rule, String... words) {
        assertThat(Checker.check(history()))
                .filteredOn(violation -> violation.rule() == rule)
                .isNotEmpty()
                .anySatisfy(violation -> assertThat(violation.sentence()).contains(words));
    }

    // ---- transfers: a branch in the book, one in the north, one in the south

    /** All of it done. */
    String committed(String transfer) {
        SagaScene saga = new SagaScene(transfer);
        saga.done("teller", 0);
        saga.done("north", -7);
        saga.done("south", 7);
        saga.event(Evidence.COMMITTED);
        saga.event(Evidence.ENDED);
        saga.end("COMMITTED", null);
        saga.told(Answer.COMMITTED);
        return saga.id;
    }

    /** The south refuses; the other two are undone, the last one first. */
    String compensated(String transfer) {
        SagaScene saga = new SagaScene(transfer);
        saga.done("teller", 0);
        saga.done("north", -7);
        saga.refused("south");
        saga.event(Evidence.ABORTED, saga.branch("south"), null, 0);
        saga.undone("north", 7);
        saga.undone("teller", 0);
        saga.event(Evidence.ENDED);
        saga.end("COMPENSATED", "BRANCH_FAILED");
        saga.told(Answer.COMPENSATED);
        return saga.id;
    }

    /** The north is silent beyond its time and ends after the saga was compensated: it is reopened. */
    String reopened(String transfer) {
        SagaScene saga = new SagaScene(transfer);
        saga.done("teller", 0);
        saga.begun("north");
        saga.event(Evidence.ABORTED, saga.branch("north"), null, 0);
        saga.undone("teller", 0);
        saga.event(Evidence.ENDED);
        saga.ended("north", -7);
        saga.undone("north", 7);
        saga.event(Evidence.ENDED);
        saga.end("COMPENSATED", "BRANCH_TIMED_OUT");
        saga.told(Answer.COMPENSATED);
        return saga.id;
    }

    /** Branches, one of a client that writes down acknowledgements and callbacks, confirmed in the order of their ends. */
    String confirmed(String transfer) {
        SagaScene saga = new SagaScene(transfer);
        saga.confirms = true;
        saga.done("raw", 0);
        saga.done("other", 0);
        acks.add(new Acked(saga.id, Evidence.BRANCH_ENDED, saga.branch("raw"), 7));
        saga.event(Evidence.COMMITTED);
        saga.event(Evidence.REQUESTED, saga.branch("raw"), Kind.CONFIRMATION, 1);
        callbacks.add(new Delivered("raw", saga.id, saga.branch("raw"), Kind.CONFIRMATION, 1, saga.last()));
        saga.effect("raw", Kind.CONFIRMATION, 0);
        saga.event(Evidence.SUCCEEDED, saga.branch("raw"), Kind.CONFIRMATION, 1);
        saga.event(Evidence.REQUESTED, saga.branch("other"), Kind.CONFIRMATION, 1);
        saga.effect("other", Kind.CONFIRMATION, 0);
        saga.event(Evidence.SUCCEEDED, saga.branch("other"), Kind.CONFIRMATION, 1);
        saga.event(Evidence.ENDED);
        saga.end("COMMITTED", null);
        saga.told(Answer.COMMITTED);
        return saga.id;
    }

    /** Gives up on the north, which waits for a person. */
    String suspended(String transfer) {
        SagaScene saga = new SagaScene(transfer);
        saga.done("north", -7);
        saga.refused("south");
        saga.event(Evidence.ABORTED, saga.branch("south"), null, 0);
        saga.event(Evidence.REQUESTED, saga.branch("north"), Kind.COMPENSATION, 1);
        saga.event("callback.failed.v1", saga.branch("north"), Kind.COMPENSATION, 1);
        saga.callbacks.put("north", "GAVE_UP");
        saga.event("saga.suspended.v1", saga.branch("north"), null, 0);
        saga.end("SUSPENDED", "BRANCH_FAILED");
        saga.told(Answer.COMPENSATED);
        change(
                saga.id,
                view -> new SagaView(
                        view.id(),
                        view.state(),
                        view.sequence(),
                        view.deadline(),
                        view.abort(),
                        "COMPENSATION_FAILED",
                        view.branches(),
                        view.history()));
        return saga.id;
    }

    // ---- changes

    void fault(String kind, Instant from, Instant until, String... suspends) {
        faults.add(new Fault(kind, "alpha-1", from, until, Set.of(suspends)));
    }

    void change(String saga, UnaryOperator<SagaView> change) {
        sagas.compute(saga, (id, view) -> change.apply(Objects.requireNonNull(view)));
    }

    void state(String saga, String state) {
        change(
                saga,
                v -> new SagaView(
                        v.id(),
                        state,
                        v.sequence(),
                        v.deadline(),
                        v.abort(),
                        v.suspension(),
                        v.branches(),
                        v.history()));
    }

    void deadline(String saga, Instant deadline) {
        change(
                saga,
                v -> new SagaView(
                        v.id(),
                        v.state(),
                        v.sequence(),
                        deadline,
                        v.abort(),
                        v.suspension(),
                        v.branches(),
                        v.history()));
    }

    /** As its cause, at least. */
    void timedOut(String saga) {
        change(
                saga,
                v -> new SagaView(
                        v.id(),
                        v.state(),
                        v.sequence(),
                        v.deadline(),
                        Evidence.TIMED_OUT,
                        v.suspension(),
                        v.branches(),
                        v.history()));
    }

    /** Another history, its events renumbered. */
    void rewrite(String saga, UnaryOperator<List<Event>> change) {
        change(saga, v -> {
            List<Event> events = new ArrayList<>();
            for (Event e : change.apply(new ArrayList<>(v.history()))) {
                events.add(new Event(events.size() + 1, e.at(), e.type(), e.branch(), e.kind(), e.attempt()));
            }
            return new SagaView(
                    v.id(), v.state(), events.size(), v.deadline(), v.abort(), v.suspension(), v.branches(), events);
        });
    }

    void dropEvent(String saga, Predicate<Event> which) {
        rewrite(saga, events -> {
            events.removeIf(which);
            return events;
        });
    }

    void retell(String transfer, UnaryOperator<Told> change) {
        told.replaceAll(each -> each.transfer().equals(transfer) ? change.apply(each) : each);
    }

    SagaView saga(String id) {
        return Objects.requireNonNull(sagas.get(id));
    }

    Effect effect(String saga, String service, Kind kind) {
        return effects.stream()
                .filter(e -> e.saga().equals(saga) && e.service().equals(service) && e.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    /** A saga in the making. */
    private final class SagaScene {
        final String id;
        final String transfer;
        final Instant begun;
        final List<Event> events = new ArrayList<>();
        final Map<String, String> forwards = new LinkedHashMap<>();
        final Map<String, String> callbacks = new LinkedHashMap<>();
        final List<Step> steps = new ArrayList<>();
        boolean confirms;

        SagaScene(String transfer) {
            this.transfer = transfer;
            id = "saga-" + transfer;
            begun = START.plusMillis(millis);
            event(Evidence.BEGUN);
        }

        String branch(String service) {
            return id + "/" + service;
        }

        Instant last() {
            return START.plusMillis(millis);
        }

        void event(String type) {
            event(type, null, null, 0);
        }

        void event(String type, @Nullable String branch, @Nullable Kind kind, int attempt) {
            events.add(new Event(events.size() + 1, START.plusMillis(++millis), type, branch, kind, attempt));
        }

        void begun(String service) {
            forwards.put(service, "RUNNING");
            event(Evidence.BRANCH_BEGAN, branch(service), null, 0);
        }

        void ended(String service, long amount) {
            effect(service, Kind.FORWARD, amount);
            steps.add(new Step(service, amount));
            forwards.put(service, "ENDED");
            event(Evidence.BRANCH_ENDED, branch(service), null, 0);
        }

        void done(String service, long amount) {
            begun(service);
            ended(service, amount);
        }

        void refused(String service) {
            begun(service);
            forwards.put(service, "FAILED");
            event("branch.failed.v1", branch(service), null, 0);
        }

        void undone(String service, long amount) {
            event(Evidence.REQUESTED, branch(service), Kind.COMPENSATION, 1);
            effect(service, Kind.COMPENSATION, amount);
            callbacks.put(service, "DONE");
            event(Evidence.SUCCEEDED, branch(service), Kind.COMPENSATION, 1);
        }

        void effect(String service, Kind kind, long amount) {
            effects.add(new Effect(service, id, branch(service), kind, transfer, amount, ++order));
            String op = kind.name().toLowerCase(Locale.ROOT);
            fence.add(new FenceRow(service, id, branch(service), op, op));
        }

        void end(String state, @Nullable String abort) {
            List<BranchView> branches = forwards.entrySet().stream()
                    .map(each -> new BranchView(
                            branch(each.getKey()),
                            each.getKey(),
                            !confirms,
                            confirms,
                            each.getValue(),
                            callbacks.getOrDefault(each.getKey(), "IDLE")))
                    .toList();
            sagas.put(id, new SagaView(id, state, events.size(), begun.plus(TIMEOUT), abort, null, branches, events));
        }

        void told(Answer answer) {
            told.add(new Told(transfer, begun, last(), answer, id, steps));
        }
    }
}
