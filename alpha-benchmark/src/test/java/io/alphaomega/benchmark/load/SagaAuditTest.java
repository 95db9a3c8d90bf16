package io.alphaomega.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.load.AlphaApi.BranchFacts;
import io.alphaomega.benchmark.load.AlphaApi.SagaFacts;
import io.alphaomega.benchmark.load.AlphaApi.State;
import io.alphaomega.benchmark.load.SagaOutcomes.Outcome;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whether lies are found: each test plants one. */
final class SagaAuditTest {
    private static final Map<State, Long> BEFORE = Map.of(State.COMMITTED, 1_000L);
    private static final OutcomeCounts BOOKS = new OutcomeCounts(100, 90, 8, 2, 0, 0);

    private final SagaAudit audit = new SagaAudit();

    private List<String> mismatches() {
        return audit.verification().mismatches();
    }

    private static SagaAudit.Entry entry(Outcome outcome, boolean tcc) {
        return new SagaAudit.Entry("saga-1", outcome, tcc, Optional.of(List.of("flight", "hotel")));
    }

    private static Optional<SagaFacts> facts(State state, String flight, String hotel) {
        return Optional.of(new SagaFacts(
                state, Map.of("flight", new BranchFacts("ENDED", flight), "hotel", new BranchFacts("ENDED", hotel))));
    }

    @Test
    void books_that_alpha_confirms_are_verified() {
        audit.books(BOOKS, 0);
        audit.counts(BEFORE, Map.of(State.COMMITTED, 1_090L, State.COMPENSATED, 8L, State.SUSPENDED, 2L), BOOKS, 0);
        audit.saga(entry(Outcome.COMMITTED, false), facts(State.COMMITTED, "", ""));
        audit.saga(
                entry(Outcome.COMPENSATED, false), facts(State.COMPENSATED, "COMPENSATION DONE", "COMPENSATION DONE"));

        assertThat(mismatches()).isEmpty();
        assertThat(audit.verification().checked()).isNotEmpty();
    }

    @Test
    void a_saga_that_vanished_from_the_books_is_found() {
        audit.books(new OutcomeCounts(100, 90, 8, 1, 0, 0), 0);

        assertThat(mismatches()).singleElement().asString().startsWith("100 sagas were started, but 99");
    }

    @Test
    void a_saga_of_unknown_outcome_is_told() {
        audit.books(new OutcomeCounts(100, 90, 8, 1, 1, 0), 0);

        assertThat(mismatches())
                .singleElement()
                .asString()
                .isEqualTo("1 sagas have an outcome that was not known in time.");
    }

    @Test
    void one_commit_that_alpha_does_not_have_is_found() {
        audit.counts(BEFORE, Map.of(State.COMMITTED, 1_089L, State.COMPENSATED, 8L, State.SUSPENDED, 2L), BOOKS, 0);

        assertThat(mismatches()).singleElement().asString().startsWith("Alpha has 89 committed sagas more");
    }

    @Test
    void a_saga_that_alpha_has_and_nobody_began_is_found() {
        audit.counts(
                BEFORE,
                Map.of(State.COMMITTED, 1_090L, State.COMPENSATED, 8L, State.SUSPENDED, 2L, State.ACTIVE, 1L),
                BOOKS,
                0);

        assertThat(mismatches()).singleElement().asString().startsWith("Alpha has 1 unfinished sagas more");
    }

    @Test
    void where_others_use_alpha_its_counts_are_not_compared() {
        audit.counts(Map.of(State.ACTIVE, 5L), Map.of(), BOOKS, 0);

        assertThat(mismatches()).isEmpty();
        assertThat(audit.verification().checked()).singleElement().asString().contains("not compared");
    }

    @Test
    void a_saga_that_alpha_does_not_know_or_tells_otherwise_is_found() {
        audit.saga(entry(Outcome.COMMITTED, false), Optional.empty());
        audit.saga(entry(Outcome.COMMITTED, false), facts(State.COMPENSATED, "", ""));

        assertThat(mismatches()).hasSize(2);
    }

    @Test
    void a_committed_saga_with_a_compensation_is_found() {
        audit.saga(entry(Outcome.COMMITTED, false), facts(State.COMMITTED, "", "COMPENSATION DONE"));

        assertThat(mismatches()).singleElement().asString().contains("hotel");
    }

    @Test
    void a_finished_branch_of_a_compensated_saga_that_was_not_compensated_is_found() {
        audit.saga(entry(Outcome.COMPENSATED, false), facts(State.COMPENSATED, "COMPENSATION DONE", ""));

        assertThat(mismatches()).singleElement().asString().contains("hotel");
    }

    @Test
    void a_branch_that_was_not_confirmed_is_found() {
        audit.saga(entry(Outcome.COMMITTED, true), facts(State.COMMITTED, "CONFIRMATION DONE", ""));

        assertThat(mismatches()).singleElement().asString().contains("hotel");
    }

    @Test
    void a_branch_that_alpha_has_lost_is_found() {
        audit.saga(
                entry(Outcome.COMMITTED, false),
                Optional.of(new SagaFacts(State.COMMITTED, Map.of("flight", new BranchFacts("ENDED", "")))));

        assertThat(mismatches()).singleElement().asString().contains("Branch hotel");
    }
}
