package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairShareTest {
    private static final long MILLI = 1_000_000;

    private int heldBack;
    private long now = 1_000;

    private final List<Runnable> steps = new ArrayList<>();

    private final FairShare share =
            new FairShare(more -> heldBack += more, () -> now, (step, delay) -> steps.add(step));

    /** Which stream's input was told, in order. */
    private final List<String> told = new ArrayList<>();

    private final class Peer {
        final Unanswered unanswered = new Unanswered();
        final List<Unanswered.Entry> toldOnes = new ArrayList<>();
        final FairShare.Line line = share.open(unanswered, this::tell);
        private final String name;

        Peer(String name) {
            this.name = name;
        }

        private void tell(Unanswered.Entry entry) {
            told.add(name);
            toldOnes.add(entry);
        }

        /** Sends a message with so many. */
        void sends(int inputs) {
            sends(inputs, new SagaInput.Abort("changed my mind"));
        }

        void sends(int inputs, SagaInput input) {
            boolean few = line.isFew(inputs);
            for (int i = 0; i < inputs; i++) {
                Unanswered.Entry entry = unanswered.add(i, new SagaId(name), input, 10, now, 0);
                if (line.add(entry, few)) tell(entry);
            }
        }

        /** The sagas answer the next so many, within so many nanoseconds of their being read. */
        void answered(int inputs, long nanos) {
            for (int i = 0; i < inputs; i++) {
                Unanswered.Entry entry = toldOnes.removeFirst();
                line.decided(entry, nanos);
                line.done(entry);
                unanswered.remove(entry);
            }
            share.handOn();
        }
    }

    /** A crowded node, beside whose busy streams somebody asks for a few things; its busy stream has a backlog. */
    private Peer crowded(Peer few) {
        few.sends(1);
        few.answered(1, MILLI);
        share.crowded();
        Peer busy = new Peer("busy");
        busy.sends(1_000);
        return busy;
    }

    @Test
    void what_one_busy_stream_may_have_unanswered_is_not_held_back_by_itself() {
        Peer busy = new Peer("busy");

        busy.sends(Admission.WINDOW);

        assertThat(told).hasSize(Admission.WINDOW);
    }

    @Test
    void a_stream_with_a_few_goes_before_the_backlog_of_another() {
        Peer busy = new Peer("busy");
        busy.sends(10_000);
        assertThat(told).hasSize(FairShare.UNDER_WAY);
        Peer few = new Peer("few");

        few.sends(FairShare.FEW);

        assertThat(told).hasSize(FairShare.UNDER_WAY + FairShare.FEW).endsWith("few");
    }

    @Test
    void as_many_follow_as_are_answered_and_the_streams_take_turns() {
        Peer first = new Peer("first");
        first.sends(10_000);
        Peer second = new Peer("second");
        second.sends(20);
        told.clear();

        first.answered(16, MILLI);

        assertThat(told).hasSize(16).startsWith("first", "first", "first", "first", "second", "second");
        assertThat(told.stream().filter("second"::equals)).hasSize(8);
    }

    @Test
    void how_many_are_held_back_is_known_until_they_have_had_their_turn_or_their_stream_is_over() {
        Peer first = new Peer("first");
        first.sends(FairShare.UNDER_WAY + 20);
        Peer second = new Peer("second");
        second.sends(30);
        assertThat(heldBack).isEqualTo(50);

        first.answered(2 * FairShare.AT_A_TIME, MILLI);
        assertThat(heldBack).isEqualTo(50 - 2 * FairShare.AT_A_TIME);
        second.line.close();
        assertThat(heldBack).isEqualTo(20 - FairShare.AT_A_TIME);
        first.line.close();
        assertThat(heldBack).isZero();
    }

    @Test
    void the_order_of_a_stream_is_kept() {
        Peer busy = new Peer("busy");
        busy.sends(10_000);
        busy.sends(1);
        busy.sends(1, new SagaInput.End(true));

        while (busy.unanswered.size() > 0) {
            for (int i = 1; i < busy.toldOnes.size(); i++) {
                assertThat(busy.toldOnes.get(i - 1).input() instanceof SagaInput.End)
                        .isFalse();
            }
            busy.answered(Math.min(1_000, busy.toldOnes.size()), MILLI);
        }
        assertThat(told).hasSize(10_002);
    }

    @Test
    void ends_that_wait_for_their_decision_count_for_nothing() {
        Peer patient = new Peer("patient");
        patient.sends(5_000, new SagaInput.End(true));
        Peer busy = new Peer("busy");

        busy.sends(FairShare.UNDER_WAY);

        assertThat(told).hasSize(5_000 + FairShare.UNDER_WAY);
    }

    /** So much later those go on whose turn has come; returns how many. */
    private int step() {
        int before = told.size();
        List<Runnable> due = List.copyOf(steps);
        steps.clear();
        now += FairShare.STEP.toMillis();
        due.forEach(Runnable::run);
        return told.size() - before;
    }

    private static void answered(Peer few, int inputs, long nanos) {
        for (int i = 0; i < inputs; i++) {
            few.sends(1);
            few.answered(1, nanos);
        }
    }

    @Test
    void on_a_crowded_node_busy_streams_go_on_step_by_step_and_not_as_soon_as_something_is_answered() {
        Peer busy = crowded(new Peer("few"));
        assertThat(busy.toldOnes).isEmpty();

        assertThat(step()).isEqualTo(Pace.LEAST);
        busy.answered(Pace.LEAST, MILLI);

        assertThat(busy.toldOnes).isEmpty();
        assertThat(step()).isEqualTo(Pace.LEAST);
    }

    @Test
    void what_has_waited_since_before_the_node_was_crowded_goes_on_step_by_step_too() {
        Peer busy = new Peer("busy");
        busy.sends(FairShare.UNDER_WAY + 1_000);
        answered(new Peer("few"), 1, MILLI);
        share.crowded();

        busy.answered(FairShare.UNDER_WAY, MILLI);

        assertThat(busy.toldOnes).isEmpty();
        assertThat(step()).isEqualTo(Pace.LEAST);
    }

    @Test
    void the_quicker_the_few_are_the_more_go_on_in_a_step() {
        Peer few = new Peer("few");
        crowded(few);

        answered(few, 200, MILLI);
        assertThat(step()).isBetween(Pace.LEAST + 20, Pace.LEAST + 30);

        answered(few, 50, 10 * MILLI);
        assertThat(step()).isBetween(Pace.LEAST, Pace.LEAST + 1);
        assertThat(step()).isBetween(Pace.LEAST, Pace.LEAST + 1);
    }

    @Test
    void a_stall_before_the_node_was_crowded_does_not_count_as_usual() {
        Peer few = new Peer("few");
        answered(few, 300, MILLI);
        answered(few, 20, 100 * MILLI);
        crowded(few);

        answered(few, 200, 3 * MILLI);

        assertThat(step()).isEqualTo(Pace.LEAST);
    }

    @Test
    void while_the_few_wait_for_a_store_that_hangs_no_more_go_on_than_one_batch_of_it() {
        Peer few = new Peer("few");
        Peer busy = crowded(few);
        few.sends(1);

        for (int i = 0; i < 2 * FairShare.UNDER_WAY_PACED / Pace.LEAST; i++) step();

        assertThat(busy.toldOnes).hasSize(FairShare.UNDER_WAY_PACED);
    }

    @Test
    void a_node_that_has_nobody_to_spare_does_as_much_as_it_can() {
        Peer busy = crowded(new Peer("few"));

        now += FairShare.FEW_FOR.toMillis();
        step();

        assertThat(busy.toldOnes).hasSize(1_000);
    }

    @Test
    void a_node_that_is_no_longer_crowded_does_as_much_as_it_can() {
        Peer few = new Peer("few");
        Peer busy = crowded(few);
        few.sends(1);

        now += FairShare.CROWDED_FOR.toMillis();
        step();

        assertThat(busy.toldOnes).hasSize(1_000);
    }

    @Test
    void a_stream_that_is_over_has_nothing_to_be_spared_for() {
        Peer few = new Peer("few");
        Peer busy = crowded(few);
        few.sends(1);

        few.line.close();
        step();
        now += FairShare.FEW_FOR.toMillis();
        step();

        assertThat(busy.toldOnes).hasSize(1_000);
    }

    @Test
    void what_a_stream_had_under_way_counts_no_longer_once_it_is_over() {
        Peer first = new Peer("first");
        first.sends(10_000);
        Peer second = new Peer("second");
        second.sends(500);
        assertThat(second.toldOnes).isEmpty();

        first.line.close();
        share.handOn();

        assertThat(second.toldOnes).hasSize(500);
        assertThat(first.toldOnes).hasSize(FairShare.UNDER_WAY);
    }

    @Test
    void what_was_given_up_while_it_waited_is_not_told() {
        Peer busy = new Peer("busy");
        busy.sends(FairShare.UNDER_WAY + 10);
        busy.unanswered.forEach(entry -> {
            if (!entry.isWaiting()) return;
            busy.line.done(entry);
            busy.unanswered.remove(entry);
        });

        busy.answered(FairShare.UNDER_WAY, MILLI);

        assertThat(told).hasSize(FairShare.UNDER_WAY);
        assertThat(busy.line.isFew(FairShare.FEW)).isTrue();
    }
}
