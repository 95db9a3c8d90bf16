package io.alphaomega.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.plan.SagaScript;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whether what must not be is noticed. */
final class WitnessTest {
    private final Witness witness = new Witness();
    private final SimulatedSaga saga = new SimulatedSaga(
            1,
            "saga-1",
            SagaScript.aborting(new LoadPlan.Shape(3, 0, 1, 0, false, Duration.ZERO, 0, false)),
            new SimulatedSaga.Traits(SimulatedSaga.Role.MEASURED, true, false),
            0,
            0);

    WitnessTest() {
        saga.reported.set(0, 2);
        saga.ended.set(0, 2);
        saga.decision = SimulatedSaga.Decision.ABORTED;
    }

    private void call(int branch, CallbackKind kind) {
        witness.called(saga, branch, callback(kind), true);
        if (branch >= 0) saga.called.set(branch);
    }

    private static Callback callback(CallbackKind kind) {
        return Callback.newBuilder()
                .setSaga("saga-1")
                .setBranch("branch")
                .setKind(kind)
                .setAttempt(1)
                .build();
    }

    @Test
    void an_aborted_saga_undone_in_reverse_is_as_it_should_be_and_repeats_are_counted() {
        call(1, CallbackKind.COMPENSATION);
        call(1, CallbackKind.COMPENSATION);
        call(0, CallbackKind.COMPENSATION);

        assertThat(witness.seen().sentences()).isEmpty();
        assertThat(witness.seen().compensations()).isEqualTo(2);
        assertThat(witness.seen().repeats()).isEqualTo(1);
    }

    @Test
    void what_has_not_ended_is_undone_only_if_alpha_could_not_hear_of_it_in_time() {
        call(2, CallbackKind.COMPENSATION);
        assertThat(witness.seen().sentences()).singleElement().asString().contains("although the branch has not ended");

        saga.aborted(Aborted.Cause.BRANCH_TIMED_OUT);
        call(2, CallbackKind.COMPENSATION);
        assertThat(witness.seen().violations()).isOne();
        assertThat(saga.odd).isTrue();
    }

    @Test
    void a_compensation_may_come_before_the_decision() {
        saga.decision = SimulatedSaga.Decision.NONE;
        saga.undone(1);
        assertThat(saga.odd).as("its end was sent, and so may be the failure").isFalse();

        saga.undone(2);
        assertThat(saga.odd).as("nothing was sent that could have aborted it").isTrue();
        saga.aborted(Aborted.Cause.BRANCH_FAILED);
        call(2, CallbackKind.COMPENSATION);
        assertThat(witness.seen().sentences()).isEmpty();
    }

    @Test
    void an_abort_as_planned_is_nothing_odd() {
        saga.aborted(Aborted.Cause.BRANCH_FAILED);
        saga.undone(2);
        assertThat(saga.odd).isFalse();
    }

    @Test
    void a_branch_that_nobody_knows_is_noticed() {
        call(-1, CallbackKind.COMPENSATION);
        assertThat(witness.seen().sentences()).singleElement().asString().contains("has no such branch");
    }

    @Test
    void a_committed_saga_compensated_is_noticed() {
        saga.decision = SimulatedSaga.Decision.COMMITTED;
        call(1, CallbackKind.COMPENSATION);

        assertThat(witness.seen().sentences()).singleElement().asString().contains("although the saga has committed");
    }

    @Test
    void a_committed_saga_compensated_after_it_has_left_the_books_is_noticed() {
        witness.calledLate(Outcome.COMMITTED, true, false, callback(CallbackKind.COMPENSATION));

        assertThat(witness.seen().violations()).isEqualTo(1);
    }

    @Test
    void a_branch_undone_that_never_ended_is_noticed() {
        call(2, CallbackKind.COMPENSATION);

        assertThat(witness.seen().sentences()).singleElement().asString().contains("the branch has not ended");
    }

    @Test
    void the_wrong_order_is_noticed() {
        call(0, CallbackKind.COMPENSATION);

        assertThat(witness.seen().sentences())
                .singleElement()
                .asString()
                .contains("before the branch that ended after");
    }

    @Test
    void a_confirmation_of_an_aborted_saga_is_noticed() {
        call(1, CallbackKind.CONFIRMATION);

        assertThat(witness.seen().sentences()).singleElement().asString().contains("although the saga was aborted");
    }

    @Test
    void other_arguments_than_the_branch_began_with_are_noticed() {
        witness.called(saga, 1, callback(CallbackKind.COMPENSATION), false);

        assertThat(witness.seen().sentences()).singleElement().asString().contains("other arguments");
    }

    @Test
    void of_a_hundred_thousand_violations_twenty_are_told() {
        for (int i = 0; i < 100_000; i++) {
            witness.calledLate(Outcome.COMMITTED, true, false, callback(CallbackKind.COMPENSATION));
        }

        assertThat(witness.seen().violations()).isEqualTo(100_000);
        assertThat(witness.seen().sentences()).hasSize(20);
    }
}
