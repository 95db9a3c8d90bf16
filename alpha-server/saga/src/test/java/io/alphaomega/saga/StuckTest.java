package io.alphaomega.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.Stuck.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which sagas an operator is shown first, and from when on. */
final class StuckTest {
    private static final Instant BEGUN = Instant.parse("2026-11-20T08:00:00Z");
    private static final BranchId HOTEL = new BranchId("hotel");

    private SagaState state = new SagaState.Absent(new SagaId("trip"));
    private Instant now = BEGUN;

    @Test
    void a_saga_that_runs_is_not_stuck_and_one_that_is_over_never_will_be() {
        begin();
        assertThat(stuck()).isEmpty();

        decide(new SagaInput.End(true));
        now = now.plus(Duration.ofDays(1));
        assertThat(stuck()).isEmpty();
        assertThat(Stuck.of(state)).isEmpty();
    }

    @Test
    void one_that_nobody_looks_at_is_overdue_ten_seconds_after_its_deadline() {
        begin();

        now = BEGUN.plus(Policy.DEFAULT.timeout()).plus(Stuck.LATE).minusMillis(1);
        assertThat(stuck()).isEmpty();
        now = now.plusMillis(1);
        assertThat(stuck()).hasValueSatisfying(stuck -> {
            assertThat(stuck.reason()).isEqualTo(Reason.OVERDUE);
            assertThat(stuck.service()).isEqualTo("booking");
            assertThat(stuck.since()).isEqualTo(BEGUN.plus(Policy.DEFAULT.timeout()));
        });
    }

    @Test
    void one_that_waits_for_a_service_is_stuck_after_a_minute_however_often_it_has_asked_meanwhile() {
        compensating();
        Instant missed = now;
        decide(new SagaInput.MissParticipant(HOTEL, CallbackKind.COMPENSATION, 1));
        assertThat(stuck()).isEmpty();

        now = SagaRules.wakeUpAt(state).orElseThrow();
        decide(new SagaInput.Tick());
        decide(new SagaInput.MissParticipant(HOTEL, CallbackKind.COMPENSATION, 2));
        assertThat(stuck()).isEmpty();

        now = missed.plus(Stuck.WAITING);
        assertThat(stuck()).hasValueSatisfying(stuck -> {
            assertThat(stuck.reason()).isEqualTo(Reason.NO_PARTICIPANT);
            assertThat(stuck.service()).isEqualTo("hotel");
            assertThat(stuck.callback()).contains("hotel.cancel");
            assertThat(stuck.since()).isEqualTo(missed);
        });
    }

    @Test
    void one_whose_compensation_fails_is_stuck_at_the_third_failure_also_while_it_is_asked_again() {
        compensating();
        for (int attempt = 1; attempt < Stuck.FAILURES; attempt++) failAndRetry(attempt);
        assertThat(stuck()).isEmpty();

        failAndRetry(Stuck.FAILURES);
        assertThat(state).isInstanceOf(SagaState.Compensating.class);
        assertThat(stuck()).hasValueSatisfying(stuck -> {
            assertThat(stuck.reason()).isEqualTo(Reason.FAILING);
            assertThat(stuck.branch()).contains(HOTEL);
            assertThat(stuck.since()).as("its first failure").isEqualTo(BEGUN);
        });

        fail(Stuck.FAILURES + 1);
        Instant retried = now;
        decide(new SagaInput.Retry(new Operator("ann", "it works now"), state.sequence()));
        assertThat(stuck()).isEmpty();
        for (int i = 0; i < Stuck.FAILURES; i++) failAndRetry(Stuck.FAILURES + 2 + i);
        assertThat(stuck()).hasValueSatisfying(stuck -> {
            assertThat(stuck.reason()).isEqualTo(Reason.FAILING);
            assertThat(stuck.since()).isEqualTo(retried);
        });
    }

    @Test
    void one_that_was_missing_and_is_asked_now_waits_for_nobody() {
        compensating();
        decide(new SagaInput.MissParticipant(HOTEL, CallbackKind.COMPENSATION, 1));
        now = now.plus(Stuck.WAITING).plusSeconds(1);
        decide(new SagaInput.ConnectService("hotel"));

        assertThat(SagaRules.effects(state)).hasSize(1);
        assertThat(stuck()).isEmpty();
    }

    @Test
    void one_that_compensates_after_its_deadline_is_not_overdue_while_somebody_looks_after_it() {
        compensating();
        now = BEGUN.plus(Policy.DEFAULT.timeout()).plus(Stuck.LATE);
        decide(new SagaInput.Tick());

        assertThat(state).isInstanceOf(SagaState.Compensating.class);
        assertThat(stuck()).isEmpty();
    }

    @Test
    void of_several_reasons_the_one_that_tells_most_is_told() {
        compensating();
        decide(new SagaInput.MissParticipant(HOTEL, CallbackKind.COMPENSATION, 1));

        now = BEGUN.plus(Duration.ofHours(1)); // Its deadline and its next attempt are long over.
        assertThat(Stuck.of(state)).hasSize(2);
        assertThat(stuck()).map(Stuck::reason).contains(Reason.NO_PARTICIPANT);
    }

    @Test
    void a_suspended_one_is_stuck_at_once_and_says_what_alpha_has_given_up_on() {
        compensating();
        decide(new SagaInput.FailCallback(
                HOTEL, CallbackKind.COMPENSATION, 1, FailureCode.UNDECODABLE, "no such field: room", "hotel"));

        assertThat(stuck()).hasValueSatisfying(stuck -> {
            assertThat(stuck.reason()).isEqualTo(Reason.SUSPENDED);
            assertThat(stuck.detail()).isEqualTo("UNDECODABLE");
            assertThat(stuck.service()).isEqualTo("hotel");
            assertThat(stuck.callback()).contains("hotel.cancel");
        });
    }

    private Optional<Stuck> stuck() {
        return Stuck.at(now, Stuck.of(state));
    }

    private void begin() {
        decide(new SagaInput.Begin(new Initiator("booking", "booking-1", "Trips.book", "", Map.of()), Policy.DEFAULT));
    }

    private void compensating() {
        begin();
        decide(new SagaInput.BeginBranch(
                new BranchCall(
                        HOTEL,
                        Optional.empty(),
                        "hotel",
                        "hotel-1",
                        "Hotels.book",
                        Optional.of(new CallbackOffer("hotel.cancel", Optional.empty())),
                        Optional.empty(),
                        true,
                        "",
                        false,
                        Payload.EMPTY,
                        ""),
                Optional.empty()));
        decide(new SagaInput.EndBranch(HOTEL, Payload.EMPTY, "hotel"));
        decide(new SagaInput.Abort("no room"));
    }

    private void fail(int attempt) {
        decide(new SagaInput.FailCallback(HOTEL, CallbackKind.COMPENSATION, attempt, FailureCode.THREW, "no", "hotel"));
    }

    private void failAndRetry(int attempt) {
        fail(attempt);
        now = SagaRules.wakeUpAt(state).orElseThrow();
        decide(new SagaInput.Tick());
    }

    private void decide(SagaInput input) {
        for (SagaEvent event : SagaRules.decide(state, input, now).events()) state = SagaRules.evolve(state, event);
    }
}
