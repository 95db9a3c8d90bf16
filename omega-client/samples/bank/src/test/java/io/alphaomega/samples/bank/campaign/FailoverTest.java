package io.alphaomega.samples.bank.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.bank.campaign.Recorder.Answered;
import io.alphaomega.samples.bank.checker.History.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How failover is measured, from what one client saw. */
class FailoverTest {
    private static final Instant KILL = Instant.parse("2026-11-20T08:00:00Z");

    private static Fault fault(String kind, long from, long until) {
        return new Fault(kind, "x", KILL.plusMillis(from), KILL.plusMillis(until), Set.of());
    }

    private static Answered answered(boolean begin, long sent, long at) {
        return new Answered(begin, KILL.plusMillis(sent), KILL.plusMillis(at));
    }

    @Test
    void what_waited_longest_counts_from_the_kill_or_from_when_it_was_sent() {
        Failover failover = Failover.of(
                List.of(answered(false, -3_000, 4_000), answered(false, 500, 4_200), answered(false, -900, -100)),
                List.of(fault("kill", 0, 9_000)));

        assertThat(failover.stalls()).containsExactly(Duration.ofSeconds(4));
    }

    @Test
    void what_is_sent_long_after_the_kill_does_not_count() {
        Failover failover = Failover.of(List.of(answered(false, 2_500, 60_000)), List.of(fault("kill", 0, 9_000)));

        assertThat(failover.stalls()).containsExactly(Duration.ZERO);
    }

    @Test
    void the_longest_time_without_a_begin_leaves_out_what_the_store_did() {
        List<Answered> begins = List.of(answered(true, 0, 100), answered(true, 0, 1_600), answered(true, 0, 9_600));

        assertThat(Failover.of(begins, List.of()).beginless()).isEqualTo(Duration.ofSeconds(8));
        assertThat(Failover.of(begins, List.of(fault("store-kill", 2_000, 4_000)))
                        .beginless())
                .isEqualTo(Duration.ofMillis(1_500));
    }
}
