package io.alphaomega.omega.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BranchSimulationTest {
    private static final int HISTORIES = 4_000;

    @Test
    void alpha_and_omega_keep_their_promises_in_every_history() {
        Long only = Long.getLong("branch.seed");
        Set<String> reached = ConcurrentHashMap.newKeySet();
        LongStream seeds = only == null
                ? LongStream.range(0, Integer.getInteger("branch.histories", HISTORIES))
                : LongStream.of(only);
        seeds.forEach(seed -> reached.addAll(History.live(seed)));
        if (only != null) return;
        assertThat(reached)
                .contains(
                        "Ended",
                        "Suspended",
                        "LOOKING FOUND",
                        "OPEN ROLLED_BACK",
                        "OVER CANCELLED",
                        "PAUSING REACHED_IN_TRANSACTION",
                        "WITHDRAWING LET_IN");
    }
}
