package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Progress.Phase;
import io.alphaomega.benchmark.measure.Progress.Snapshot;
import java.time.Duration;
import java.util.List;

/** How far all agents are, shown as if they were one: in a phase are all once the last has entered it. */
final class CombinedProgress {
    private final List<JoinedAgent> members;
    private final Progress progress;
    private Phase phase = Phase.CONNECTING;

    CombinedProgress(List<JoinedAgent> members, Progress progress) {
        this.members = members;
        this.progress = progress;
    }

    void entered(JoinedAgent member, Phase entered) {
        member.phase = entered;
        Phase last = members.stream().map(each -> each.phase).reduce(Phase.SETTLING, CombinedProgress::earlier);
        if (last == phase) return;
        show();
        phase = last;
        progress.entered(last);
    }

    private static Phase earlier(Phase one, Phase other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Percentiles of agents cannot be put together: the median that is shown is their mean by rate, the 99th percentile
     * that of the slowest. The report's are exact, of the histograms.
     */
    void show() {
        OutcomeCounts counts = OutcomeCounts.NONE;
        Duration elapsed = Duration.ZERO;
        long total = 0;
        long open = 0;
        long errors = 0;
        double share = 0;
        double rate = 0;
        double weighted = 0;
        double p99 = 0;
        for (JoinedAgent member : members) {
            Snapshot each = member.snapshot;
            if (each == null) continue;
            counts = counts.plus(each.counts());
            total += each.total();
            open += each.open();
            errors += each.errors();
            if (each.phase() == phase && each.elapsed().compareTo(elapsed) > 0) elapsed = each.elapsed();
            share += (each.phase().compareTo(phase) > 0 ? 1 : each.share()) / members.size();
            rate += each.rate();
            weighted += each.p50Millis() * each.rate();
            p99 = Math.max(p99, each.p99Millis());
        }
        double p50 = rate > 0 ? weighted / rate : 0;
        if (members.stream().anyMatch(CombinedProgress::isVague)) share = -1;
        progress.show(new Snapshot(phase, elapsed, share, total, counts, open, errors, rate, p50, p99));
    }

    private static boolean isVague(JoinedAgent member) {
        return member.snapshot == null || member.snapshot.share() < 0;
    }
}
