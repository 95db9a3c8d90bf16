package io.alphaomega.omega.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallReports;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is held, and who tells it. */
class PendingReportsTest {
    /** Remembers who holds something. */
    private static final class Held implements PendingReports.Holder {
        private final Set<PendingReports> holding = new LinkedHashSet<>();
        private int told;

        @Override
        public void hold(PendingReports untold) {
            holding.add(untold);
        }

        @Override
        public void forget(PendingReports untold) {
            holding.remove(untold);
        }

        @Override
        public void tell(PendingReports untold) {
            told++;
        }

        @Override
        public CompletableFuture<Void> owe(SagaContext saga) {
            return CompletableFuture.completedFuture(null);
        }
    }

    private final Held held = new Held();
    private final PendingReports untold = PendingReports.begun(
            "saga-1",
            "booking",
            "booking-1",
            BeginSaga.newBuilder()
                    .setPolicy(Policy.newBuilder().setTimeoutMillis(60_000))
                    .build(),
            false,
            held);

    @Test
    void answers_may_bring_more_ends_than_go_along_with_a_call() {
        answered(40);
        assertThat(sent().getReports().getEndedList()).hasSize(16);
        assertThat(end().getCarried().getEndedList()).hasSize(40);
    }

    @Test
    void what_a_callee_has_told_is_not_told_again() {
        answered(3);
        CallReports sent = sent();
        assertThat(sent.getReports().getEndedList()).hasSize(3);
        untold.answered(
                sent,
                CallReports.newBuilder()
                        .setBegun(true)
                        .setReports(Carried.newBuilder().addEnded("theirs"))
                        .build());
        assertThat(end().getCarried().getEndedList()).containsExactly("theirs");
        assertThat(end().getCarried().hasBegin()).isFalse();
    }

    @Test
    void it_is_held_until_it_is_told_and_no_longer() {
        assertThat(held.holding).isEmpty();
        answered(1);
        assertThat(held.holding).containsExactly(untold);
        untold.told(end());
        assertThat(held.holding).isEmpty();
    }

    @Test
    void what_comes_after_the_end_is_told_at_once() {
        CallReports sent = sent();
        untold.conclude(false);
        untold.told(end());
        untold.answered(sent, brought(1));
        assertThat(held.told).isEqualTo(1);
    }

    @Test
    void what_is_being_told_is_not_told_once_more() {
        answered(1);
        assertThat(untold.overdue(System.nanoTime())).isNotNull();
        assertThat(untold.overdue(System.nanoTime())).isNull();
        untold.release();
        assertThat(untold.overdue(System.nanoTime())).isNotNull();
    }

    private void answered(int ends) {
        untold.answered(sent(), brought(ends));
    }

    private static CallReports brought(int ends) {
        List<String> ended =
                IntStream.range(0, ends).mapToObj(i -> "branch-" + i).toList();
        return CallReports.newBuilder()
                .setReports(Carried.newBuilder().addAllEnded(ended))
                .build();
    }

    private CallReports sent() {
        return Objects.requireNonNull(untold.forCall("call", true));
    }

    private Input end() {
        return untold.load(Input.newBuilder()
                .setSaga("saga-1")
                .setEnd(EndSaga.getDefaultInstance())
                .build());
    }
}
