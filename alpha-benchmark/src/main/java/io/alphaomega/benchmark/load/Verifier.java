package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.AlphaApi.ApiException;
import io.alphaomega.benchmark.load.AlphaApi.SagaFacts;
import io.alphaomega.benchmark.load.AlphaApi.State;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Verification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Asks alpha what an {@link SagaAudit} needs. What a store shows late, and a last answer on its way, is waited for. */
final class Verifier {
    /** A store's searches lag by a second; the last callbacks' results take as long as an append. */
    private static final Duration AGREE_WITHIN = Duration.ofSeconds(30);

    private final LoadAssignment crew;
    private final AlphaApi api;
    private final SagaAudit audit = new SagaAudit();
    private final long deadline = System.nanoTime() + AGREE_WITHIN.toNanos();

    Verifier(LoadAssignment crew, AlphaApi api) {
        this.crew = crew;
        this.api = api;
    }

    /**
     * Compares everything that can be compared.
     *
     * @param before alpha's counts before the first saga; empty where other generators use the same alpha
     * @param troubles what went wrong meanwhile
     */
    Verification verify(Optional<Map<State, Long>> before, List<String> troubles) {
        troubles.forEach(audit::mismatch);
        OutcomeCounts all = OutcomeCounts.NONE;
        long keptOpen = 0;
        Witness.Seen seen = Witness.Seen.NOTHING;
        for (LoadLane lane : crew.lanes()) {
            LaneRecorder recorder = lane.sagas().recorder();
            all = all.plus(Load.ask(lane, recorder::all));
            keptOpen += Load.ask(lane, recorder::keptOpen);
            seen = seen.plus(Load.ask(lane, lane.sagas().witness::seen));
        }
        audit.books(all, keptOpen);
        audit.seen(seen);
        try {
            sagas();
            if (before.isPresent()) counts(before.get(), all, keptOpen);
        } catch (ApiException e) {
            audit.mismatch(e.getMessage());
        }
        return audit.verification();
    }

    private void counts(Map<State, Long> before, OutcomeCounts all, long keptOpen) throws ApiException {
        Map<State, Long> after = api.counts();
        while (!SagaAudit.isShared(before) && !SagaAudit.agree(before, after, all, keptOpen) && hasTime()) {
            OutcomeInquiry.pause();
            after = api.counts();
        }
        audit.counts(before, after, all, keptOpen);
    }

    private void sagas() throws ApiException {
        int asked = 0;
        for (LoadLane lane : crew.lanes()) {
            LiveSagas sagas = lane.sagas();
            List<SagaAudit.Entry> entries = Load.ask(lane, () -> entries(sagas));
            for (SagaAudit.Entry entry : entries) {
                Optional<SagaFacts> facts = api.saga(entry.id());
                while (!SagaAudit.agrees(entry, facts) && hasTime()) {
                    OutcomeInquiry.pause();
                    facts = api.saga(entry.id());
                }
                audit.saga(entry, facts);
            }
            asked += entries.size();
        }
        audit.checked("Alpha was asked about %,d sagas one by one, and for each callback.".formatted(asked));
    }

    private List<SagaAudit.Entry> entries(LiveSagas sagas) {
        List<SagaAudit.Entry> entries = new ArrayList<>();
        for (long ordinal : sagas.oddities.odd()) entries.add(entry(sagas, ordinal, false));
        for (long ordinal : sagas.oddities.sample()) entries.add(entry(sagas, ordinal, true));
        // One whose begin never arrived is no saga.
        entries.removeIf(entry -> entry.outcome() == SagaOutcomes.Outcome.REFUSED);
        return entries;
    }

    private SagaAudit.Entry entry(LiveSagas sagas, long ordinal, boolean asPlanned) {
        Optional<List<String>> ended = Optional.empty();
        if (asPlanned) {
            ended = Optional.of(IntStream.range(0, crew.plan().shape().branches())
                    .filter(branch -> crew.branchEnds(ordinal, branch))
                    .mapToObj(branch -> crew.names().branch(ordinal, branch))
                    .toList());
        }
        return new SagaAudit.Entry(
                crew.names().saga(ordinal),
                sagas.outcome(ordinal),
                crew.plan().shape().tcc(),
                ended);
    }

    private boolean hasTime() {
        return System.nanoTime() < deadline;
    }
}
