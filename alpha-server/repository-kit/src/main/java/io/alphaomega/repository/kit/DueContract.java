package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.DEADLINE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The due-time index: what recovers every timer after a crash. */
abstract class DueContract {
    private final Bench bench;

    DueContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void a_saga_is_due_from_its_wake_up_time_on() {
        Draft saga = bench.saga().wakeUpAt(BASE);
        bench.begin(saga);

        bench.shows(() -> assertThat(bench.due(BASE, 100)).contains(saga.id()));
        assertThat(bench.due(BASE.plusMillis(1), 100)).contains(saga.id());
    }

    @Test
    void a_saga_without_a_wake_up_time_is_never_due() {
        Draft never = bench.saga();
        Draft marker = bench.saga().wakeUpAt(BASE);
        bench.begin(List.of(never, marker));

        bench.shows(() -> assertThat(bench.due(BASE, 100)).contains(marker.id()));
        assertThat(bench.due(BASE.plusSeconds(1_000_000), 100)).doesNotContain(never.id());
    }

    @Test
    void a_saga_whose_wake_up_time_is_removed_leaves() {
        Draft saga = bench.saga().wakeUpAt(BASE);
        Version version = bench.begin(saga);
        bench.shows(() -> assertThat(bench.due(BASE, 100)).contains(saga.id()));

        bench.appended(saga.neverWakeUp().ended(State.COMMITTED, BASE).after(version, event("ended")));
        bench.shows(() -> assertThat(bench.due(BASE, 100)).doesNotContain(saga.id()));
    }

    @Test
    void a_saga_whose_wake_up_time_is_moved_is_due_then() {
        Draft later = bench.saga().wakeUpAt(BASE);
        Draft earlier = bench.saga().wakeUpAt(BASE.plusSeconds(9));
        List<Version> versions = bench.begin(List.of(later, earlier));
        bench.appended(later.wakeUpAt(BASE.plusSeconds(60)).after(versions.get(0), event("moved")));
        bench.appended(earlier.wakeUpAt(BASE.minusSeconds(60)).after(versions.get(1), event("moved")));

        bench.shows(() -> assertThat(bench.due(BASE, 100)).contains(earlier.id()));
        bench.shows(() -> assertThat(bench.due(BASE.plusSeconds(60), 100)).contains(later.id(), earlier.id()));
        assertThat(bench.due(BASE.plusSeconds(60), 100).stream().filter(later.id()::equals))
                .hasSize(1);
    }

    @Test
    void the_earliest_come_first() {
        List<Draft> sagas = new ArrayList<>();
        for (int i : new int[] {5, 2, 8, 1, 9, 3, 7, 4, 6, 0}) {
            sagas.add(bench.saga().wakeUpAt(BASE.plusMillis(i)));
        }
        bench.begin(sagas);

        List<SagaId> ordered = sagas.stream()
                .sorted((a, b) -> a.summary()
                        .wakeUpAt()
                        .orElseThrow()
                        .compareTo(b.summary().wakeUpAt().orElseThrow()))
                .map(Draft::id)
                .toList();
        bench.shows(() ->
                assertThat(mine(bench.due(BASE.plusSeconds(1), 3), sagas)).containsExactlyElementsOf(ordered));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 23, SagaRepository.PAGE_MAX})
    void whatever_the_page_size_each_due_saga_appears_once(int limit) {
        AtomicInteger number = new AtomicInteger();
        // Two thirds of them share one moment, as after an outage.
        List<Draft> sagas =
                bench.sagas(23, saga -> saga.wakeUpAt(BASE.plusMillis(Math.max(0, number.getAndIncrement() - 15))));
        bench.begin(sagas);

        bench.shows(() -> assertThat(mine(bench.due(BASE.plusSeconds(1), limit), sagas))
                .containsExactlyInAnyOrderElementsOf(
                        sagas.stream().map(Draft::id).toList()));
    }

    @Test
    void a_pass_meets_each_due_saga_once_while_others_come_and_go() {
        List<Draft> sagas = bench.sagas(20, saga -> saga.wakeUpAt(BASE));
        List<Version> versions = bench.begin(sagas);
        bench.shows(() -> assertThat(bench.due(BASE, 100))
                .containsAll(sagas.stream().map(Draft::id).toList()));

        List<SagaId> seen = new ArrayList<>();
        List<SagaId> gone = new ArrayList<>();
        seen.addAll(Bench.everyPage(cursor -> {
            Page<SagaId> page = bench.repository().due(BASE, cursor, 3);
            bench.begin(List.of(
                    bench.saga().wakeUpAt(BASE.minusMillis(1)),
                    bench.saga().wakeUpAt(BASE),
                    bench.saga().wakeUpAt(BASE.plusMillis(1))));
            // Whoever was met is looked after, and so leaves the index.
            for (SagaId id : mine(page.items(), sagas)) {
                int i = sagas.stream().map(Draft::id).toList().indexOf(id);
                bench.appended(sagas.get(i).neverWakeUp().after(versions.get(i), event("looked after")));
                gone.add(id);
            }
            return page;
        }));

        assertThat(mine(seen, sagas))
                .containsExactlyInAnyOrderElementsOf(
                        sagas.stream().map(Draft::id).toList());
        assertThat(gone).hasSize(20);
    }

    @Test
    void of_ten_thousand_each_appears_once_in_a_pass_while_others_come_and_go() throws Exception {
        Instant due = Bench.LATE;
        AtomicInteger number = new AtomicInteger();
        List<SagaId> staying = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            List<Draft> sagas =
                    bench.sagas(1_000, saga -> saga.wakeUpAt(due.plusMillis(number.getAndIncrement() % 700)));
            bench.begin(sagas);
            sagas.forEach(saga -> staying.add(saga.id()));
        }
        List<Draft> leaving = bench.sagas(500, saga -> saga.wakeUpAt(due.plusMillis(number.getAndIncrement() % 700)));
        List<Version> versions = bench.begin(leaving);
        Awaitility.await()
                .atMost(bench.repository().visibilityLag().plus(DEADLINE))
                .until(() ->
                        new HashSet<>(bench.due(due.plusSeconds(1), SagaRepository.PAGE_MAX)).containsAll(staying));

        AtomicBoolean passed = new AtomicBoolean();
        Callable<List<SagaId>> pass = () -> {
            try {
                return bench.due(due.plusSeconds(1), 250);
            } finally {
                passed.set(true);
            }
        };
        Callable<List<SagaId>> coming = () -> {
            List<SagaId> come = new ArrayList<>();
            for (int i = 0; !passed.get() && i < 100; i++) {
                int offset = i * 7;
                List<Draft> sagas = bench.sagas(20, saga -> saga.wakeUpAt(due.plusMillis(offset)));
                bench.begin(sagas);
                sagas.forEach(saga -> come.add(saga.id()));
            }
            return come;
        };
        Callable<List<SagaId>> going = () -> {
            for (int i = 0; i < leaving.size() && !passed.get(); i++) {
                bench.appended(leaving.get(i).neverWakeUp().after(versions.get(i), event("looked after")));
            }
            return List.of();
        };
        List<SagaId> seen = Bench.race(List.of(pass, coming, going)).getFirst();

        assertThat(seen).doesNotHaveDuplicates();
        assertThat(new HashSet<>(seen).containsAll(staying)).isTrue();
    }

    @Test
    void pages_have_at_most_the_limit_and_the_last_one_has_no_cursor() {
        bench.begin(bench.sagas(4, saga -> saga.wakeUpAt(BASE)));
        // What other tests have left may come into sight meanwhile.
        bench.shows(() -> {
            int all = bench.due(BASE, 100).size();
            assertThat(all).isGreaterThanOrEqualTo(4);
            Optional<Cursor> cursor = Optional.of(Cursor.START);
            for (int pages = (all + 1) / 2; pages > 0; pages--) {
                Page<SagaId> page = bench.repository().due(BASE, cursor.orElseThrow(), 2);
                assertThat(page.items()).isNotEmpty().hasSizeLessThanOrEqualTo(2);
                cursor = page.next();
            }
            assertThat(cursor).as("after the last page").isEmpty();
        });
    }

    @Test
    void a_limit_out_of_range_and_a_foreign_cursor_are_refused() {
        for (int limit : new int[] {-1, 0, SagaRepository.PAGE_MAX + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bench.repository().due(BASE, Cursor.START, limit));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bench.repository().due(BASE, new Cursor("no cursor of mine"), 1));
    }

    private static List<SagaId> mine(List<SagaId> found, List<Draft> sagas) {
        return found.stream()
                .filter(id -> sagas.stream().anyMatch(saga -> saga.id().equals(id)))
                .toList();
    }
}
