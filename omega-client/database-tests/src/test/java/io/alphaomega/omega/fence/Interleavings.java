package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.fence.Forward.Verdict;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Many calls that race with what is called back for them, each of them twice: nothing may be done twice or after it was
 * undone, nothing may be lost, and all are told the truth.
 */
final class Interleavings {
    /** Branches that are raced for at a time: rows of neighbours may wait for each other, too. */
    private static final int LANES = 4;

    private final String fence;
    private final Supplier<? extends Guarded> connected;

    /** @param connected the same data, for one more thread at a time */
    Interleavings(String fence, Supplier<? extends Guarded> connected) {
        this.fence = fence;
        this.connected = connected;
    }

    /** What races for one branch, in any order, and whether the call was first. */
    private interface Round {
        boolean race(List<Guarded> four, String branch, Random order) throws Exception;
    }

    /** Each ends with nothing booked. */
    void withCompensations(int rounds) throws Exception {
        race("compensation", rounds, Interleavings::withCompensations);
    }

    /** Each ends with one booking, confirmed once. */
    void withConfirmations(int rounds) throws Exception {
        race("confirmation", rounds, Interleavings::withConfirmations);
    }

    private void race(String callback, int rounds, Round round) throws Exception {
        AtomicInteger ranFirst = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(LANES);
        try {
            List<Future<?>> lanes = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                String prefix = callback + "-" + lane + "-";
                List<Guarded> four = List.of(connected.get(), connected.get(), connected.get(), connected.get());
                Random order = new Random(lane);
                lanes.add(pool.submit(() -> {
                    for (int each = 0; each < rounds / LANES; each++) {
                        if (round.race(four, prefix + each, order)) ranFirst.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (Future<?> lane : lanes) lane.get();
        } finally {
            pool.shutdownNow();
        }
        System.out.println(
                "== " + fence + ": forward was first in " + ranFirst + " of " + rounds + " rounds with a " + callback);
        assertThat(ranFirst.get()).as("each order wins often").isBetween(rounds / 50, rounds * 49 / 50);
    }

    private static boolean withCompensations(List<Guarded> four, String branch, Random order) throws Exception {
        List<Object> told = raced(
                order,
                () -> four.get(0).forward(branch),
                () -> four.get(1).forward(branch),
                () -> four.get(2).compensate(branch, false),
                () -> four.get(3).compensate(branch, false));
        List<Verdict> forwards = those(Verdict.class, told);
        List<Compensation> compensations = those(Compensation.class, told);
        boolean ranFirst = forwards.contains(Verdict.RUN);
        if (ranFirst) {
            assertThat(forwards)
                    .as(branch)
                    .containsAnyOf(Verdict.DUPLICATE, Verdict.REFUSED)
                    .doesNotHaveDuplicates();
            assertThat(compensations).as(branch).containsExactlyInAnyOrder(Compensation.RUN, Compensation.DONE_BEFORE);
        } else {
            assertThat(forwards).as(branch).containsOnly(Verdict.REFUSED);
            assertThat(compensations)
                    .as(branch)
                    .containsExactlyInAnyOrder(Compensation.NOTHING_TO_UNDO, Compensation.DONE_BEFORE);
        }
        assertThat(four.get(0).bookings(branch)).as(branch).isZero();
        return ranFirst;
    }

    private static boolean withConfirmations(List<Guarded> four, String branch, Random order) throws Exception {
        List<Object> told = raced(
                order,
                () -> four.get(0).forward(branch),
                () -> four.get(1).forward(branch),
                () -> four.get(2).confirm(branch, true),
                () -> four.get(3).confirm(branch, true));
        assertThat(those(Verdict.class, told)).as(branch).containsExactlyInAnyOrder(Verdict.RUN, Verdict.DUPLICATE);
        List<Confirmation> confirmations = those(Confirmation.class, told);
        boolean confirmed = confirmations.contains(Confirmation.RUN);
        if (confirmed) {
            assertThat(confirmations)
                    .as(branch)
                    .containsAnyOf(Confirmation.DONE_BEFORE, Confirmation.FORWARD_MISSING)
                    .doesNotHaveDuplicates();
        } else {
            assertThat(confirmations).as(branch).containsOnly(Confirmation.FORWARD_MISSING);
        }
        assertThat(four.get(0).confirm(branch, true))
                .as(branch)
                .isEqualTo(confirmed ? Confirmation.DONE_BEFORE : Confirmation.RUN);
        assertThat(four.get(0).bookings(branch)).as(branch).isOne();
        return !confirmations.contains(Confirmation.FORWARD_MISSING);
    }

    /** Whichever comes last to the start has the least of a way from there. */
    private static List<Object> raced(Random order, Callable<?>... runners) throws Exception {
        List<Callable<?>> anyhow = new ArrayList<>(List.of(runners));
        Collections.shuffle(anyhow, order);
        return EffectContract.race(anyhow.toArray(Callable[]::new));
    }

    private static <T> List<T> those(Class<T> type, List<Object> told) {
        List<T> those = new ArrayList<>();
        for (Object each : told) {
            if (type.isInstance(each)) those.add(type.cast(each));
        }
        return those;
    }
}
