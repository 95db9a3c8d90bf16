package io.alphaomega.samples.bank.campaign;

import io.alphaomega.samples.bank.campaign.Recorder.Answered;
import io.alphaomega.samples.bank.checker.History.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long things stood still because of faults of one kind, as the recorder saw it, which begins sagas at a steady rate
 * whatever becomes of the earlier ones.
 *
 * @param stalls per fault, the longest that any saga waited that was under way or began soon after; in ascending order.
 *     Sagas of all nodes are under way at any time, so those of the node that is struck are among them
 * @param beginless per fault, the longest time without a successful begin anywhere, until the next fault; likewise
 */
record Failover(String kind, List<Duration> stalls, List<Duration> beginless) {
    private static final Duration SOON = Duration.ofSeconds(2);

    /** What a cluster with a majority and a store shall never exceed. */
    private static final Duration BEGINLESS_MAX = Duration.ofSeconds(3);

    /** By kind, in the order of the alphabet. */
    static List<Failover> of(List<Answered> answers, List<Fault> faults) {
        List<Fault> inOrder =
                faults.stream().sorted(Comparator.comparing(Fault::from)).toList();
        List<Duration> gaps = gaps(answers, inOrder);
        Map<String, Failover> kinds = new TreeMap<>();
        for (int i = 0; i < inOrder.size(); i++) {
            Fault fault = inOrder.get(i);
            Failover its = kinds.computeIfAbsent(
                    fault.kind(), kind -> new Failover(kind, new ArrayList<>(), new ArrayList<>()));
            its.stalls.add(longestWait(fault.from(), answers));
            its.beginless.add(gaps.get(i));
        }
        kinds.values().forEach(each -> {
            Collections.sort(each.stalls);
            Collections.sort(each.beginless);
        });
        return List.copyOf(kinds.values());
    }

    /** For each fault the longest time between two begins of which the second came after it, and before the next one. */
    private static List<Duration> gaps(List<Answered> answers, List<Fault> faults) {
        List<Duration> longest = new ArrayList<>(Collections.nCopies(faults.size(), Duration.ZERO));
        List<Instant> begins = answers.stream()
                .filter(Answered::begin)
                .map(Answered::at)
                .sorted()
                .toList();
        int fault = -1;
        for (int i = 1; i < begins.size(); i++) {
            Instant end = begins.get(i);
            while (fault + 1 < faults.size() && faults.get(fault + 1).from().isBefore(end)) fault++;
            if (fault < 0) continue;
            Duration gap = Duration.between(begins.get(i - 1), end);
            if (gap.compareTo(longest.get(fault)) > 0) longest.set(fault, gap);
        }
        return longest;
    }

    private static Duration longestWait(Instant fault, List<Answered> answers) {
        return answers.stream()
                .filter(answer -> answer.at().isAfter(fault) && answer.sent().isBefore(fault.plus(SOON)))
                .map(answer -> Duration.between(answer.sent().isAfter(fault) ? answer.sent() : fault, answer.at()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private static String percentiles(List<Duration> ascending) {
        StringBuilder text = new StringBuilder();
        for (int percent : List.of(50, 95, 100)) {
            int index = Math.min(ascending.size() - 1, ascending.size() * percent / 100);
            text.append(String.format("%8d", ascending.get(index).toMillis()));
        }
        return text.toString();
    }

    /** What the columns of {@link #toString} are. */
    static String header() {
        return "%-19s %5s | the slowest saga, ms:  p50     p95     max | without a begin, ms:  p50     p95     max | over %d s"
                .formatted("struck", "times", BEGINLESS_MAX.toSeconds());
    }

    @Override
    public String toString() {
        long over = beginless.stream()
                .filter(gap -> gap.compareTo(BEGINLESS_MAX) > 0)
                .count();
        return "%-19s %5d | %18s%s | %17s%s | %d%s"
                .formatted(kind, stalls.size(), "", percentiles(stalls), "", percentiles(beginless), over, remark());
    }

    /** In which faults nobody can begin anything, whatever alpha does. */
    private String remark() {
        return switch (kind) {
            case "partition-ring" -> ": no node reaches a majority, so all end and start again";
            case "store-kill", "store-pause" -> ": without the store nobody begins";
            default -> "";
        };
    }
}
