package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retention takes the oldest ended sagas and nothing else. */
abstract class PurgingContract {
    /** Long before any other test's, so that only sagas of these tests have ended by then. */
    private static final Instant ERA = Instant.parse("1971-01-01T00:00:00Z");

    private static final int LIMIT = 100;

    private final Bench bench;

    PurgingContract(Bench bench) {
        this.bench = bench;
    }

    @BeforeEach
    void purge_what_earlier_tests_left_of_the_era() {
        int purged = LIMIT;
        while (purged == LIMIT) purged = bench.repository().purge(ERA.plusSeconds(3_600), LIMIT);
    }

    @Test
    void ended_sagas_are_purged_without_a_trace() {
        Draft committed = bench.saga().ended(State.COMMITTED, ERA);
        Draft compensated = bench.saga().ended(State.COMPENSATED, ERA).services(bench.service, "hotel");
        bench.begin(List.of(committed, compensated));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(2));
        long before = bench.repository().counts().in(State.COMMITTED);

        assertThat(bench.repository().purge(ERA.plusMillis(1), LIMIT)).isEqualTo(2);

        assertThat(bench.repository().load(committed.id())).isEqualTo(Loaded.NOTHING);
        assertThat(bench.repository().load(compensated.id())).isEqualTo(Loaded.NOTHING);
        bench.shows(() -> assertThat(bench.find(bench.mine())).isEmpty());
        bench.shows(() ->
                assertThat(bench.repository().counts().in(State.COMMITTED)).isEqualTo(before - 1));
    }

    @Test
    void a_saga_that_ended_at_the_limit_or_later_stays() {
        Draft at = bench.saga().ended(State.COMMITTED, ERA);
        Draft later = bench.saga().ended(State.COMMITTED, ERA.plusMillis(1));
        bench.begin(List.of(at, later));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(2));

        assertThat(bench.repository().purge(ERA, LIMIT)).isZero();
        assertThat(bench.journal(at.id())).hasSize(1);
        assertThat(bench.journal(later.id())).hasSize(1);
    }

    @Test
    void unfinished_and_suspended_sagas_stay_whatever_their_times() {
        List<Draft> unfinished = new ArrayList<>();
        for (State state : State.values()) {
            if (!state.isEnded()) {
                unfinished.add(bench.saga().begunAt(ERA).state(state));
                unfinished.add(bench.saga().begunAt(ERA).ended(state, ERA));
            }
        }
        bench.begin(unfinished);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(unfinished.size()));

        assertThat(bench.repository().purge(ERA.plusSeconds(1), LIMIT)).isZero();
        for (Draft saga : unfinished) assertThat(bench.journal(saga.id())).hasSize(1);
        assertThat(bench.find(bench.mine())).hasSize(unfinished.size());
    }

    @Test
    void a_saga_that_was_reopened_stays() {
        Draft saga = bench.saga();
        Version version = bench.begin(saga.ended(State.COMPENSATED, ERA));
        bench.appended(saga.state(State.COMPENSATING).after(version, event("late end")));
        bench.shows(() ->
                assertThat(bench.summary(saga.id()).map(found -> found.state())).contains(State.COMPENSATING));

        assertThat(bench.repository().purge(ERA.plusSeconds(1), LIMIT)).isZero();
        assertThat(bench.journal(saga.id())).hasSize(2);
    }

    @Test
    void the_oldest_go_first_and_no_more_than_the_limit() {
        List<Draft> sagas = new ArrayList<>();
        for (int i : new int[] {4, 0, 2, 5, 1, 3}) {
            sagas.add(bench.saga().ended(State.COMMITTED, ERA.plusMillis(i)));
        }
        bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(6));

        assertThat(bench.repository().purge(ERA.plusSeconds(1), 2)).isEqualTo(2);
        assertThat(kept(sagas)).containsExactlyInAnyOrder(2L, 3L, 4L, 5L);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(4));
        assertThat(bench.repository().purge(ERA.plusSeconds(1), 3)).isEqualTo(3);
        assertThat(kept(sagas)).containsExactly(5L);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(1));
        assertThat(bench.repository().purge(ERA.plusSeconds(1), 3)).isEqualTo(1);
        bench.shows(() -> assertThat(bench.find(bench.mine())).isEmpty());
        assertThat(bench.repository().purge(ERA.plusSeconds(1), 3)).isZero();
    }

    @Test
    void a_purged_saga_that_grew_again_does_not_match_its_old_version() {
        Draft saga = bench.saga();
        Version old = bench.begin(saga.ended(State.COMMITTED, ERA));
        bench.shows(() -> assertThat(bench.summary(saga.id())).isPresent());
        assertThat(bench.repository().purge(ERA.plusMillis(1), LIMIT)).isEqualTo(1);

        Version grown = bench.begin(saga);
        assertThat(bench.append(saga.after(old, event("of the old life")))).isEqualTo(new Conflict(grown));
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"));
        bench.shows(() -> assertThat(bench.summary(saga.id())).isEqualTo(Optional.of(saga.summary())));
    }

    @Test
    void a_limit_below_one_is_refused() {
        for (int limit : new int[] {-1, 0}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bench.repository().purge(ERA, limit));
        }
    }

    private List<Long> kept(List<Draft> sagas) {
        return sagas.stream()
                .filter(saga -> !bench.journal(saga.id()).isEmpty())
                .map(saga -> saga.summary().endedAt().orElseThrow().toEpochMilli() - ERA.toEpochMilli())
                .toList();
    }
}
