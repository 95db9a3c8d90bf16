package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.alphaomega.repository.AppendResult.Appended;
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
        int forgotten = LIMIT;
        while (forgotten == LIMIT) forgotten = bench.repository().forget(ERA.plusSeconds(3_600), LIMIT);
    }

    @Test
    void of_a_purged_saga_only_how_it_ended_is_left() {
        Draft committed = bench.saga().ended(State.COMMITTED, ERA).wakeUpAt(ERA);
        Draft compensated = bench.saga().ended(State.COMPENSATED, ERA).services(bench.service, "hotel");
        bench.begin(List.of(committed, compensated));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(2));
        long before = bench.repository().counts().in(State.COMMITTED);

        assertThat(bench.repository().purge(ERA.plusMillis(1), LIMIT)).isEqualTo(2);

        assertThat(bench.repository().load(committed.id()).events()).isEmpty();
        assertThat(bench.repository().load(committed.id()).tombstone()).contains(State.COMMITTED);
        assertThat(bench.repository().load(compensated.id()).events()).isEmpty();
        assertThat(bench.repository().load(compensated.id()).tombstone()).contains(State.COMPENSATED);
        bench.shows(() -> assertThat(bench.due(ERA, 100)).doesNotContain(committed.id()));
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
    void sagas_that_began_before_the_limit_and_ended_later_stay_and_are_in_nobody_s_way() {
        List<Draft> later = new ArrayList<>();
        for (int i = 0; i < 3 * LIMIT; i++) {
            later.add(bench.saga().begunAt(ERA.minusSeconds(2)).ended(State.COMMITTED, ERA.plusMillis(i)));
        }
        Draft before = bench.saga().begunAt(ERA.minusSeconds(1)).ended(State.COMPENSATED, ERA.minusMillis(1));
        bench.begin(later);
        bench.begin(before);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(1 + 3 * LIMIT));

        assertThat(bench.repository().purge(ERA, LIMIT)).isEqualTo(1);
        assertThat(bench.repository().load(before.id()).tombstone()).contains(State.COMPENSATED);
        assertThat(bench.repository().purge(ERA, LIMIT)).isZero();
        assertThat(kept(later)).hasSize(3 * LIMIT);

        assertThat(bench.repository().purge(ERA.plusMillis(2), LIMIT)).isEqualTo(2);
        assertThat(kept(later)).doesNotContain(0L, 1L).hasSize(3 * LIMIT - 2);
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

    /** Whoever was told of an event would otherwise think that the store had lost it. */
    @Test
    void a_tombstone_stands_where_the_journal_stood() {
        Draft two = bench.saga();
        Draft six = bench.saga();
        List<Version> begun = bench.begin(List.of(two, six));
        Version middle = bench.appended(six.after(begun.getLast(), event("b"), event("c"), event("d"), event("e")));
        bench.appended(two.ended(State.COMMITTED, ERA).after(begun.getFirst(), event("end")));
        bench.appended(six.ended(State.COMPENSATED, ERA).after(middle, event("end")));
        bench.shows(() -> assertThat(bench.find(bench.mine()))
                .allMatch(saga -> saga.state().isEnded()));

        assertThat(bench.repository().purge(ERA.plusMillis(1), LIMIT)).isEqualTo(2);

        assertThat(bench.repository().load(two.id()).version().sequence()).isEqualTo(2);
        assertThat(bench.repository().load(six.id()).version().sequence()).isEqualTo(6);
    }

    @Test
    void a_purged_saga_takes_no_appends_whatever_they_expect() {
        Draft saga = bench.saga().ended(State.COMMITTED, ERA);
        Version old = bench.begin(saga);
        purge(saga);

        Loaded tombstone = bench.repository().load(saga.id());
        assertThat(tombstone.version()).isNotEqualTo(old).isNotEqualTo(Version.NONE);
        Draft other = bench.saga();
        assertThat(bench.repository()
                        .append(List.of(
                                saga.after(Version.NONE, event("begun again")),
                                saga.after(old, event("late")),
                                other.after(Version.NONE, event("another's")),
                                saga.after(tombstone.version(), event("on its grave")))))
                .satisfiesExactly(
                        begun -> assertThat(begun).isEqualTo(new Conflict(tombstone.version())),
                        late -> assertThat(late).isEqualTo(new Conflict(tombstone.version())),
                        appended -> assertThat(appended).isInstanceOf(Appended.class),
                        grave -> assertThat(grave).isEqualTo(new Conflict(tombstone.version())));
        assertThat(bench.repository().load(saga.id())).isEqualTo(tombstone);
        assertThat(bench.reopen().load(saga.id())).isEqualTo(tombstone);
        bench.shows(() -> assertThat(bench.summary(saga.id())).isEmpty());
        assertThat(bench.repository().purge(ERA.plusSeconds(1), LIMIT)).isZero();
    }

    @Test
    void a_saga_is_forgotten_once_it_ended_before_the_time_and_the_oldest_first() {
        List<Draft> sagas = new ArrayList<>();
        for (int i : new int[] {2, 0, 3, 1}) sagas.add(bench.saga().ended(State.COMPENSATED, ERA.plusMillis(i)));
        Draft unfinished = bench.saga();
        Draft ended = bench.saga().ended(State.COMMITTED, ERA.plusMillis(9));
        bench.begin(sagas);
        bench.begin(List.of(unfinished, ended));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(6));
        assertThat(bench.repository().forget(ERA.plusSeconds(1), LIMIT)).isZero();
        assertThat(bench.repository().purge(ERA.plusMillis(4), LIMIT)).isEqualTo(4);

        assertThat(bench.repository().forget(ERA, LIMIT)).isZero();
        assertThat(bench.repository().forget(ERA.plusMillis(3), 2)).isEqualTo(2);
        assertThat(remembered(sagas)).containsExactlyInAnyOrder(2L, 3L);
        assertThat(bench.repository().forget(ERA.plusMillis(3), 2)).isEqualTo(1);
        assertThat(remembered(sagas)).containsExactly(3L);
        assertThat(bench.repository().forget(ERA.plusMillis(3), 2)).isZero();
        assertThat(bench.journal(unfinished.id())).hasSize(1);
        assertThat(bench.journal(ended.id())).hasSize(1);
    }

    @Test
    void a_forgotten_saga_that_grew_again_does_not_match_its_old_versions() {
        Draft saga = bench.saga();
        Version old = bench.begin(saga.ended(State.COMMITTED, ERA));
        purge(saga);
        Version tombstone = bench.repository().load(saga.id()).version();
        assertThat(bench.repository().forget(ERA.plusMillis(1), LIMIT)).isEqualTo(1);
        assertThat(bench.repository().load(saga.id())).isEqualTo(Loaded.NOTHING);

        Version grown = bench.begin(saga);
        assertThat(bench.append(saga.after(tombstone, event("of the grave")))).isEqualTo(new Conflict(grown));
        assertThat(bench.append(saga.after(old, event("of the old life")))).isEqualTo(new Conflict(grown));
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"));
        bench.shows(() -> assertThat(bench.summary(saga.id())).isEqualTo(Optional.of(saga.summary())));
    }

    @Test
    void a_limit_below_one_is_refused() {
        for (int limit : new int[] {-1, 0}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bench.repository().purge(ERA, limit));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bench.repository().forget(ERA, limit));
        }
    }

    private void purge(Draft saga) {
        bench.shows(() -> assertThat(bench.summary(saga.id())).isPresent());
        assertThat(bench.repository().purge(ERA.plusMillis(1), LIMIT)).isEqualTo(1);
    }

    private List<Long> remembered(List<Draft> sagas) {
        return sagas.stream()
                .filter(saga -> bench.repository().load(saga.id()).tombstone().isPresent())
                .map(PurgingContract::endedAfterEra)
                .toList();
    }

    private static long endedAfterEra(Draft saga) {
        return saga.summary().endedAt().orElseThrow().toEpochMilli() - ERA.toEpochMilli();
    }

    private List<Long> kept(List<Draft> sagas) {
        return sagas.stream()
                .filter(saga -> !bench.journal(saga.id()).isEmpty())
                .map(PurgingContract::endedAfterEra)
                .toList();
    }
}
