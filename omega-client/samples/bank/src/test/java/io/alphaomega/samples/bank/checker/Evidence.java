package io.alphaomega.samples.bank.checker;

import io.alphaomega.samples.bank.checker.History.Acked;
import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A history by saga, and what has been found in it. */
final class Evidence {
    static final String BEGUN = "saga.begun.v1";
    static final String BEGIN_CAUGHT_UP = "saga.begin-caught-up.v1";
    static final String COMMITTED = "saga.committed.v1";
    static final String ABORTED = "saga.aborted.v1";
    static final String ENDED = "saga.ended.v1";
    static final String BRANCH_BEGAN = "branch.began.v1";
    static final String BRANCH_ENDED = "branch.ended.v1";
    static final String REQUESTED = "callback.requested.v1";
    static final String SUCCEEDED = "callback.succeeded.v1";

    /** Of an abort. */
    static final String TIMED_OUT = "SAGA_TIMED_OUT";

    final History history;
    final Map<String, SagaView> sagas;
    private final Map<String, List<Effect>> effects;
    private final Map<String, List<Effect>> byTransfer;
    private final Map<String, List<Acked>> acks;
    private final List<Violation> violations = new ArrayList<>();

    Evidence(History history) {
        this.history = history;
        sagas = history.sagas().stream().collect(Collectors.toMap(SagaView::id, Function.identity(), (a, b) -> a));
        effects = history.effects().stream().collect(Collectors.groupingBy(Effect::saga));
        byTransfer = history.effects().stream()
                .filter(effect -> effect.transfer() != null)
                .collect(Collectors.groupingBy(effect -> String.valueOf(effect.transfer())));
        acks = history.acks().stream().collect(Collectors.groupingBy(Acked::saga));
    }

    @SuppressWarnings("AnnotateFormatMethod") // Error Prone's annotations are not worth a dependency.
    void found(Rule rule, String sentence, @Nullable Object... values) {
        violations.add(new Violation(rule, sentence.formatted(values)));
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    List<Effect> effects(String saga) {
        return effects.getOrDefault(saga, List.of());
    }

    List<Effect> effectsOf(String transfer) {
        return byTransfer.getOrDefault(transfer, List.of());
    }

    List<Acked> acks(String saga) {
        return acks.getOrDefault(saga, List.of());
    }

    /** Of sagas that alpha does not know. */
    List<Acked> acksOfStrangers() {
        return history.acks().stream()
                .filter(ack -> !sagas.containsKey(ack.saga()))
                .toList();
    }

    /** The effects of a saga by branch, each branch's in their order. */
    Map<String, List<Effect>> byBranch(String saga) {
        Map<String, List<Effect>> branches = new HashMap<>();
        effects(saga).stream()
                .sorted(Comparator.comparingLong(Effect::order))
                .forEach(effect -> branches.computeIfAbsent(effect.branch(), b -> new ArrayList<>())
                        .add(effect));
        return branches;
    }

    /** Whether somebody is still, or for ever, better off by what the branch did. */
    static boolean isLeft(List<Effect> effects) {
        return count(effects, Kind.FORWARD) > count(effects, Kind.COMPENSATION);
    }

    static int count(List<Effect> effects, Kind kind) {
        return (int) effects.stream().filter(effect -> effect.kind() == kind).count();
    }

    static Optional<BranchView> branch(SagaView saga, String id) {
        return saga.branches().stream().filter(branch -> branch.id().equals(id)).findFirst();
    }

    static boolean isCommitted(SagaView saga) {
        return has(saga, COMMITTED);
    }

    static boolean isAborted(SagaView saga) {
        return has(saga, ABORTED);
    }

    static boolean has(SagaView saga, String type) {
        return saga.history().stream().anyMatch(event -> event.type().equals(type));
    }

    static boolean isOver(SagaView saga) {
        return saga.state().equals("COMMITTED") || saga.state().equals("COMPENSATED");
    }

    /** The history in a line, for a sentence. */
    static String told(SagaView saga) {
        return saga.history().stream().map(Evidence::told).collect(Collectors.joining(", ", "its history is ", ""));
    }

    private static String told(Event event) {
        String type = event.type().replace(".v1", "");
        return event.sequence() + " " + type + (event.branch() == null ? "" : " " + event.branch())
                + (event.attempt() == 0 ? "" : " #" + event.attempt());
    }

    /** How much of that time is not excused by a fault, each of which excuses for so long after it was mended, too. */
    Duration unexcused(Instant from, Instant until, Duration aftermath) {
        Duration unexcused = Duration.ZERO;
        Instant at = from;
        List<Fault> faults = history.faults().stream()
                .filter(Evidence::delays)
                .sorted(Comparator.comparing(Fault::from))
                .toList();
        for (Fault fault : faults) {
            if (!at.isBefore(until)) break;
            if (fault.from().isAfter(at)) {
                unexcused = unexcused.plus(Duration.between(at, earlier(fault.from(), until)));
            }
            Instant over = fault.until().plus(aftermath);
            if (over.isAfter(at)) at = over;
        }
        return at.isBefore(until) ? unexcused.plus(Duration.between(at, until)) : unexcused;
    }

    /** Whether a fault, or what comes of it for so long after it was mended, was there at that time. */
    boolean isDisturbed(Instant at, Duration aftermath) {
        return history.faults().stream()
                .filter(Evidence::delays)
                .anyMatch(fault -> !fault.from().isAfter(at)
                        && !fault.until().plus(aftermath).isBefore(at));
    }

    /** Nodes that leave one after the other, as they are asked to, are noticed by nobody. */
    private static boolean delays(Fault fault) {
        return fault.suspends().isEmpty() && !fault.kind().equals("rolling-restart");
    }

    /** Those that were there at some time between a saga's first event and its last, or had been mended shortly before. */
    Stream<Fault> disturbing(SagaView saga) {
        List<Instant> times =
                saga.history().stream().map(Event::at).filter(Objects::nonNull).toList();
        if (times.isEmpty()) return history.faults().stream();
        Duration aftermath = history.terms().aftermath();
        return history.faults().stream()
                .filter(fault -> !fault.from().isAfter(times.getLast())
                        && !fault.until().plus(aftermath).isBefore(times.getFirst()));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
