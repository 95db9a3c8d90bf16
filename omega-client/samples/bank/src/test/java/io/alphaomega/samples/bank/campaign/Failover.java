package io.alphaomega.samples.bank.campaign;

import io.alphaomega.samples.bank.campaign.Recorder.Answered;
import io.alphaomega.samples.bank.checker.History.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How long things stood still, as one client saw it.
 *
 * @param stalls per kill of a node, the longest that any saga waited that was under way or began soon after: sagas of all
 *     nodes are, so those of the dead one are among them
 * @param beginless the longest time without a successful begin, but for what the store did; at the earlier end
 */
record Failover(List<Duration> stalls, Duration beginless, Instant beginlessFrom) {
    private static final Duration SOON = Duration.ofSeconds(2);

    /** A store that was away needs a moment, and so do its clients. */
    private static final Duration STORE_RECOVERS = Duration.ofSeconds(5);

    static Failover of(List<Answered> answers, List<Fault> faults) {
        List<Duration> stalls = faults.stream()
                .filter(fault -> fault.kind().equals(Blow.Kind.KILL.toString()))
                .map(fault -> longestWait(fault.from(), answers))
                .sorted()
                .toList();
        List<Instant> begins = answers.stream()
                .filter(Answered::begin)
                .map(Answered::at)
                .sorted()
                .toList();
        Duration longest = Duration.ZERO;
        Instant from = Instant.EPOCH;
        for (int i = 1; i < begins.size(); i++) {
            Duration gap = Duration.between(begins.get(i - 1), begins.get(i));
            if (gap.compareTo(longest) <= 0 || isStores(begins.get(i - 1), begins.get(i), faults)) continue;
            longest = gap;
            from = begins.get(i - 1);
        }
        return new Failover(new ArrayList<>(stalls), longest, from);
    }

    private static Duration longestWait(Instant kill, List<Answered> answers) {
        return answers.stream()
                .filter(answer -> answer.at().isAfter(kill) && answer.sent().isBefore(kill.plus(SOON)))
                .map(answer -> Duration.between(answer.sent().isAfter(kill) ? answer.sent() : kill, answer.at()))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private static boolean isStores(Instant from, Instant until, List<Fault> faults) {
        return faults.stream()
                .anyMatch(fault -> fault.kind().startsWith("store")
                        && fault.from().isBefore(until)
                        && fault.until().plus(STORE_RECOVERS).isAfter(from));
    }

    private Duration percentile(int percent) {
        if (stalls.isEmpty()) return Duration.ZERO;
        return stalls.get(Math.min(stalls.size() - 1, stalls.size() * percent / 100));
    }

    @Override
    public String toString() {
        return "after %d kills the slowest saga went on within %d/%d/%d ms (p50/p95/max); longest without a begin %d ms (at %s)"
                .formatted(
                        stalls.size(),
                        percentile(50).toMillis(),
                        percentile(95).toMillis(),
                        percentile(100).toMillis(),
                        beginless.toMillis(),
                        beginlessFrom);
    }
}
