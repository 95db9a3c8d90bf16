package io.alphaomega.samples.bank.campaign;

import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.Fault;
import io.alphaomega.samples.bank.checker.History.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What callers were told because of faults of each kind, and because of none. */
final class Answers {
    static final String CALM = "nothing";

    private Answers() {}

    /**
     * How many were told what, by the kind of the last fault that had begun by then; {@value #CALM} if it was mended for
     * longer than {@code aftermath}.
     */
    static SortedMap<String, Map<Answer, Integer>> of(List<Told> told, List<Fault> faults, Duration aftermath) {
        List<Fault> inOrder =
                faults.stream().sorted(Comparator.comparing(Fault::from)).toList();
        SortedMap<String, Map<Answer, Integer>> answers = new TreeMap<>();
        for (Told each : told) {
            Instant at = each.answered();
            if (at == null) continue;
            String kind = inOrder.reversed().stream()
                    .filter(fault -> !fault.from().isAfter(at))
                    .findFirst()
                    .filter(fault -> !fault.until().plus(aftermath).isBefore(at))
                    .map(Fault::kind)
                    .orElse(CALM);
            answers.computeIfAbsent(kind, none -> new EnumMap<>(Answer.class)).merge(each.answer(), 1, Integer::sum);
        }
        return answers;
    }
}
