package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of sagas by the last order that an operator gave. */
abstract class OrderedContract {
    /** Before that of any other test, so that only sagas of these tests have ended by then. */
    private static final Instant ERA = Instant.parse("1970-06-01T00:00:00Z");

    private static final Comparator<SagaSummary> LAST_ORDER_FIRST = Comparator.comparing(
                    (SagaSummary saga) -> saga.orderedAt().orElseThrow())
            .thenComparing(saga -> saga.id().value())
            .reversed();

    private final Bench bench;

    OrderedContract(Bench bench) {
        this.bench = bench;
    }

    /** The sagas of this test. */
    private List<SagaSummary> ordered(Instant since, int limit) {
        return Bench.everyPage(cursor -> bench.repository().ordered(since, cursor, limit)).stream()
                .filter(saga -> saga.services().contains(bench.service))
                .toList();
    }

    private List<SagaSummary> ordered(Instant since) {
        return ordered(since, SagaRepository.PAGE_MAX);
    }

    @Test
    void a_saga_is_listed_by_its_last_order_whatever_becomes_of_it() {
        Draft begun = bench.saga();
        Draft other = bench.saga().orderedAt(BASE.plusSeconds(2));
        List<Version> versions = bench.begin(List.of(begun, other));
        bench.shows(() -> assertThat(ordered(BASE)).containsExactly(other.summary()));

        // As a branch that is skipped: nothing else of the summary changes.
        Draft first = begun.orderedAt(BASE.plusSeconds(1));
        Version one = bench.appended(first.after(versions.getFirst(), event("ordered")));
        bench.shows(() -> assertThat(ordered(BASE)).containsExactly(other.summary(), first.summary()));
        Draft second = first.orderedAt(BASE.plusSeconds(3));
        Version two = bench.appended(second.after(one, event("ordered again")));
        bench.shows(() -> assertThat(ordered(BASE)).containsExactly(second.summary(), other.summary()));

        // As a retry, and what comes of it.
        Draft third = second.state(State.COMPENSATING).wakeUpAt(Bench.LATE).orderedAt(BASE.plusSeconds(4));
        Version three = bench.appended(third.after(two, event("retried")));
        Draft moved = third.updatedAt(BASE.plusSeconds(5));
        Version four = bench.appended(moved.after(three, event("asked")));
        Draft ended = moved.ended(State.COMPENSATED, BASE.plusSeconds(6));
        bench.appended(ended.after(four, event("ended")));
        bench.shows(() -> assertThat(ordered(BASE)).containsExactly(ended.summary(), other.summary()));
        assertThat(ordered(BASE.plusSeconds(3))).containsExactly(ended.summary());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, SagaRepository.PAGE_MAX})
    void the_last_order_comes_first_and_ties_by_id_whatever_the_page_size(int limit) {
        AtomicInteger number = new AtomicInteger();
        List<Draft> sagas = new ArrayList<>(bench.sagas(20, saga -> {
            int n = number.getAndIncrement();
            return saga.begunAt(BASE.minusMillis(n)).orderedAt(BASE.plusMillis(n / 5));
        }));
        bench.begin(sagas);
        bench.begin(bench.sagas(3, saga -> saga));

        List<SagaSummary> inOrder =
                sagas.stream().map(Draft::summary).sorted(LAST_ORDER_FIRST).toList();
        bench.shows(() -> assertThat(ordered(BASE, limit)).containsExactlyElementsOf(inOrder));
    }

    @Test
    void since_is_inclusive() {
        Draft before = bench.saga().orderedAt(BASE.plusMillis(1));
        Draft at = bench.saga().orderedAt(BASE.plusMillis(2));
        bench.begin(List.of(before, at));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(2));

        assertThat(ordered(BASE.plusMillis(1))).containsExactly(at.summary(), before.summary());
        assertThat(ordered(BASE.plusMillis(2))).containsExactly(at.summary());
        assertThat(ordered(BASE.plusMillis(3))).isEmpty();
    }

    @Test
    void the_mark_of_a_purged_saga_is_gone() {
        Draft purged = bench.saga().begunAt(ERA).ended(State.COMMITTED, ERA).orderedAt(ERA);
        Draft stays = bench.saga().orderedAt(ERA);
        bench.begin(List.of(purged, stays));
        bench.shows(() -> assertThat(ordered(ERA)).hasSize(2));

        assertThat(bench.repository().purge(ERA.plusMillis(1), 1)).isEqualTo(1);

        bench.shows(() -> assertThat(ordered(ERA)).containsExactly(stays.summary()));
        assertThat(bench.repository().forget(ERA.plusMillis(1), 1)).isEqualTo(1);
        bench.shows(() -> assertThat(ordered(ERA)).containsExactly(stays.summary()));
    }

    @Test
    void a_limit_out_of_range_and_a_foreign_cursor_are_refused() {
        for (int limit : new int[] {-1, 0, SagaRepository.PAGE_MAX + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bench.repository().ordered(BASE, Cursor.START, limit));
        }
        bench.begin(bench.sagas(2, saga -> saga.orderedAt(BASE)));
        bench.shows(() -> assertThat(ordered(BASE)).hasSize(2));
        Page<SagaSummary> found = bench.repository().find(bench.mine(), Cursor.START, 1);
        Page<SagaSummary> ordered = bench.repository().ordered(BASE, Cursor.START, 1);

        assertThatIllegalArgumentException()
                .as("a place in the list of all is none in this one")
                .isThrownBy(() -> bench.repository().ordered(BASE, found.next().orElseThrow(), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        bench.repository().find(SagaQuery.ALL, ordered.next().orElseThrow(), 1));
    }
}
