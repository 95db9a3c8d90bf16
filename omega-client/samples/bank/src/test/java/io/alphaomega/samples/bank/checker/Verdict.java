package io.alphaomega.samples.bank.checker;

import io.alphaomega.samples.bank.checker.History.Told;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a run proved.
 *
 * @param violations promises that were broken
 * @param voids of what there was too little to prove anything
 * @param counts of what there was, in words
 */
public record Verdict(List<Violation> violations, List<String> voids, String counts) {
    private static final int SHOWN = 20;

    public static Verdict of(History history, Floor floor) {
        return new Verdict(Checker.check(history), floor.missedBy(history), counts(history));
    }

    /** Nothing was broken, and enough happened. */
    public boolean passed() {
        return violations.isEmpty() && voids.isEmpty();
    }

    private static String counts(History history) {
        Floor reached = Floor.reachedBy(history);
        var states = new TreeMap<>(history.sagas().stream()
                .collect(Collectors.groupingBy(History.SagaView::state, Collectors.counting())));
        var answers = new TreeMap<>(
                history.told().stream().collect(Collectors.groupingBy(Told::answer, Collectors.counting())));
        return "%d sagas %s; answers %s; %d effects; %d acknowledged events; %d callbacks delivered; faults %s, open during one %d"
                .formatted(
                        history.sagas().size(),
                        states,
                        answers,
                        history.effects().size(),
                        reached.acks(),
                        reached.callbacks(),
                        reached.faults(),
                        reached.disturbed());
    }

    @Override
    public String toString() {
        String what = !voids.isEmpty() ? "void" : violations.isEmpty() ? "passed" : "violated";
        StringBuilder text = new StringBuilder(what).append(": ").append(counts);
        for (String each : voids) text.append("\n  too few ").append(each);
        text.append("\n  violations: ").append(violations.size());
        violations.stream().limit(SHOWN).forEach(each -> text.append("\n  ").append(each));
        return text.toString();
    }
}
