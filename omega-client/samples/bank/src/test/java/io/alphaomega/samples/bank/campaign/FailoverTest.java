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

    private static Failover only(List<Answered> answers, Fault... faults) {
        List<Failover> kinds = Failover.of(answers, List.of(faults));
        assertThat(kinds).hasSize(1);
        return kinds.getFirst();
    }

    @Test
    void what_waited_longest_counts_from_the_kill_or_from_when_it_was_sent() {
        Failover failover = only(
                List.of(answered(false, -3_000, 4_000), answered(false, 500, 4_200), answered(false, -900, -100)),
                fault("kill", 0, 9_000));

        assertThat(failover.stalls()).containsExactly(Duration.ofSeconds(4));
    }

    @Test
    void what_is_sent_long_after_the_kill_does_not_count() {
        Failover failover = only(List.of(answered(false, 2_500, 60_000)), fault("kill", 0, 9_000));

        assertThat(failover.stalls()).containsExactly(Duration.ZERO);
    }

    @Test
    void a_time_without_a_begin_is_put_down_to_the_fault_in_which_it_ended() {
        List<Answered> begins = List.of(
                answered(true, 0, -900), answered(true, 0, 1_600), answered(true, 0, 9_600), answered(true, 0, 9_700));

        assertThat(Failover.of(begins, List.of(fault("store-kill", 9_650, 9_800), fault("kill", 0, 4_000))))
                .extracting(Failover::kind, Failover::beginless)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("kill", List.of(Duration.ofSeconds(8))),
                        org.assertj.core.groups.Tuple.tuple("store-kill", List.of(Duration.ofMillis(100))));
    }

    @Test
    void faults_of_one_kind_are_shown_together() {
        List<Answered> begins = List.of(answered(true, 0, 10), answered(true, 0, 3_500), answered(true, 0, 5_000));

        assertThat(only(begins, fault("kill", 0, 2_000), fault("kill", 4_000, 4_500)))
                .hasToString("kill                    2 |                       5000    5000    5000"
                        + " |                      3490    3490    3490 | 1");
    }
}
