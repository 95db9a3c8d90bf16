package io.alphaomega.samples.bank.checker;

import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How much must happen in a run that is to prove something. A run below it is void, not passed.
 *
 * @param committed callers who were told so
 * @param compensated sagas that were, with something to undo
 * @param acks inputs that alpha acknowledged to the client that writes that down
 * @param callbacks that reached the participant that writes that down
 * @param disturbed sagas that were open while some fault was there
 * @param overdue sagas that were aborted at a deadline that no fault would have excused to miss
 * @param faults by kind
 */
public record Floor(
        long committed,
        long compensated,
        long acks,
        long callbacks,
        long disturbed,
        long overdue,
        Map<String, Integer> faults) {

    public Floor {
        faults = Map.copyOf(faults);
    }

    /** One sentence for everything of which there is too little. */
    public List<String> missedBy(History history) {
        List<String> missed = new ArrayList<>();
        Floor reached = reachedBy(history);
        compare(missed, "transfers told to be committed", committed, reached.committed);
        compare(missed, "sagas compensated with something to undo", compensated, reached.compensated);
        compare(missed, "acknowledgements", acks, reached.acks);
        compare(missed, "callbacks delivered", callbacks, reached.callbacks);
        compare(missed, "sagas open during a fault", disturbed, reached.disturbed);
        compare(missed, "sagas aborted at a deadline that no fault excused to miss", overdue, reached.overdue);
        faults.forEach((kind, least) ->
                compare(missed, "faults of the kind " + kind, least, reached.faults.getOrDefault(kind, 0)));
        return missed;
    }

    private static void compare(List<String> missed, String what, long least, long found) {
        if (found < least) missed.add("%s: %d, expected at least %d".formatted(what, found, least));
    }

    /** What happened. */
    static Floor reachedBy(History history) {
        Map<String, Integer> kinds = new TreeMap<>(
                history.faults().stream().collect(Collectors.groupingBy(Fault::kind, Collectors.summingInt(f -> 1))));
        Evidence evidence = new Evidence(history);
        return new Floor(
                history.told().stream()
                        .filter(told -> told.answer() == Answer.COMMITTED)
                        .count(),
                history.sagas().stream()
                        .filter(saga -> saga.state().equals("COMPENSATED") && Evidence.has(saga, Evidence.SUCCEEDED))
                        .count(),
                history.acks().size(),
                history.callbacks().size(),
                history.sagas().stream()
                        .filter(saga -> isDisturbed(saga, history))
                        .count(),
                history.sagas().stream()
                        .filter(saga -> isOverdue(saga, evidence))
                        .count(),
                kinds);
    }

    private static boolean isOverdue(SagaView saga, Evidence evidence) {
        Instant deadline = saga.deadline();
        Duration grace = evidence.history.terms().grace();
        return deadline != null
                && Evidence.TIMED_OUT.equals(saga.abort())
                && evidence.unexcused(deadline, deadline.plus(grace), grace).equals(grace);
    }

    private static boolean isDisturbed(SagaView saga, History history) {
        if (saga.history().isEmpty()) return false;
        var begun = saga.history().getFirst().at();
        var last = saga.history().getLast().at();
        return begun != null
                && last != null
                && history.faults().stream()
                        .anyMatch(fault ->
                                fault.from().isBefore(last) && fault.until().isAfter(begun));
    }
}
