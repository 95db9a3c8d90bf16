package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One of the agents of a run, as the coordinator knows it. */
final class JoinedAgent {
    final AgentAddress endpoint;
    volatile @Nullable AgentConnection wire;
    boolean prepared;
    Progress.Phase phase = Progress.Phase.CONNECTING;
    Progress.@Nullable Snapshot snapshot;
    FromAgent.@Nullable Done done;

    JoinedAgent(AgentAddress endpoint) {
        this.endpoint = endpoint;
    }

    Measurements measurements(Instant wentAt) {
        if (done == null) return Measurements.NONE;
        // Clocks differ between machines; both read theirs when the load began.
        Duration ahead = Duration.between(wentAt, done.wentAt());
        return shifted(done.measurements(), ahead.negated());
    }

    private static Measurements shifted(Measurements measured, Duration by) {
        Instant first = measured.firstBegin();
        Instant last = measured.lastTerminal();
        return new Measurements(
                measured.counts(),
                measured.ack(),
                measured.saga(),
                measured.sagaUncorrected(),
                measured.series(),
                first == null ? null : first.plus(by),
                last == null ? null : last.plus(by),
                measured.errors(),
                measured.generatorCpuMillis());
    }
}
