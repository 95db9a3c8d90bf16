package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.AlphaApi.ApiException;
import io.alphaomega.benchmark.load.AlphaApi.SagaFacts;
import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks alpha what became of a lane's sagas whose outcome is unknown, within a bounded time. */
final class OutcomeInquiry {
    /** An alpha that has just been started again is done with its oldest sagas by then. */
    private static final Duration RESOLVED_WITHIN = Duration.ofSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final LoadAssignment crew;
    private final LoadLane lane;
    private final AlphaApi api;

    OutcomeInquiry(LoadAssignment crew, LoadLane lane, AlphaApi api) {
        this.crew = crew;
        this.lane = lane;
        this.api = api;
    }

    /** @param troubles gets a sentence if alpha does not answer */
    void resolve(List<String> troubles) {
        LiveSagas sagas = lane.sagas();
        List<Long> unknown = Load.ask(
                lane,
                () -> sagas.oddities.odd().stream()
                        .filter(ordinal -> sagas.outcome(ordinal) == Outcome.UNKNOWN)
                        .toList());
        long deadline = System.nanoTime() + RESOLVED_WITHIN.toNanos();
        String trouble = "";
        while (!unknown.isEmpty() && System.nanoTime() < deadline) {
            List<Long> still = new ArrayList<>();
            trouble = "";
            for (long ordinal : unknown) {
                try {
                    Outcome outcome = trouble.isEmpty() ? outcome(ordinal) : Outcome.UNKNOWN;
                    if (outcome == Outcome.UNKNOWN) still.add(ordinal);
                    else Load.ask(lane, () -> sagas.resolved(ordinal, outcome));
                } catch (ApiException e) {
                    trouble = e.getMessage();
                    still.add(ordinal);
                }
            }
            unknown = still;
            if (!unknown.isEmpty()) pause();
        }
        if (!trouble.isEmpty()) troubles.add(trouble);
    }

    private Outcome outcome(long ordinal) throws ApiException {
        Optional<SagaFacts> facts = api.saga(crew.names().saga(ordinal));
        if (facts.isEmpty()) return Outcome.REFUSED; // Its begin never arrived.
        return switch (facts.get().state()) {
            case COMMITTED -> Outcome.COMMITTED;
            case COMPENSATED -> Outcome.COMPENSATED;
            case SUSPENDED -> Outcome.SUSPENDED;
            case ACTIVE, CONFIRMING, COMPENSATING -> Outcome.UNKNOWN;
        };
    }

    static void pause() {
        try {
            boolean unused = new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
