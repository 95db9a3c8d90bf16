package io.alphaomega.saga;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a service that nobody runs costs the journals of those that wait for it. */
final class AbsenceTest {
    private static final Instant BEGUN = Instant.parse("2026-11-20T08:00:00Z");
    private static final Policy PARALLEL =
            new Policy(Duration.ofMinutes(5), Duration.ofSeconds(30), Policy.Order.PARALLEL, CallbackPolicy.DEFAULT);

    private SagaState state = new SagaState.Absent(new SagaId("s"));
    private Instant now = BEGUN;
    private int events;

    @Test
    void five_hundred_branches_that_wait_a_day_for_a_service_that_is_away_write_a_bounded_journal() {
        decide(new SagaInput.Begin(new Initiator("booking", "booking-1", "Trips.book", "", Map.of()), PARALLEL));
        for (int i = 0; i < Limits.BRANCHES; i++) {
            BranchId branch = new BranchId("b" + i);
            decide(begin(branch));
            decide(new SagaInput.EndBranch(branch, Payload.EMPTY, "flight"));
        }
        decide(new SagaInput.Abort("no"));
        int before = events;

        for (Optional<Instant> wake = SagaRules.wakeUpAt(state); wake.isPresent(); wake = SagaRules.wakeUpAt(state)) {
            now = wake.get();
            decide(new SagaInput.Tick());
            for (SagaEffect effect : SagaRules.effects(state)) {
                if (effect instanceof SagaEffect.Call call) {
                    decide(new SagaInput.MissParticipant(call.branch(), call.kind(), call.attempt()));
                }
            }
        }

        assertThat(state).isInstanceOf(SagaState.Suspended.class);
        assertThat(Duration.between(BEGUN, now)).isGreaterThan(Duration.ofHours(23));
        assertThat(now).isBefore(BEGUN.plus(Duration.ofDays(2)));
        assertThat((events - before) / Limits.BRANCHES).isBetween(20, 100);
    }

    private static SagaInput begin(BranchId branch) {
        return new SagaInput.BeginBranch(
                new BranchCall(
                        branch,
                        Optional.empty(),
                        "flight",
                        "flight-1",
                        "Flights.book",
                        Optional.of(new CallbackOffer("Flights.cancel", Optional.empty())),
                        Optional.empty(),
                        true,
                        "",
                        false,
                        Payload.EMPTY,
                        ""),
                Optional.empty());
    }

    private void decide(SagaInput input) {
        Decision decision = SagaRules.decide(state, input, now);
        events += decision.events().size();
        for (SagaEvent event : decision.events()) state = SagaRules.evolve(state, event);
    }
}
