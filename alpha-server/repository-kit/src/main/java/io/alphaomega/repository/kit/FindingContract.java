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
import io.alphaomega.saga.SagaId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of sagas: what it shows, and in which order. */
abstract class FindingContract {
    private final Bench bench;

    FindingContract(Bench bench) {
        this.bench = bench;
    }

    static final Comparator<SagaSummary> NEWEST_FIRST = Comparator.comparing(SagaSummary::begunAt)
            .thenComparing(saga -> saga.id().value())
            .reversed();

    @Test
    void a_summary_is_found_as_it_was_appended() {
        SagaSummary full = new SagaSummary(
                Bench.newId(),
                State.COMPENSATED,
                "booking",
                "trips/book",
                "order 4711",
                Set.of(bench.service, "booking", "hotel", "car"),
                3,
                "branch car failed: none left",
                true,
                BASE,
                BASE.plusMillis(7),
                Optional.of(BASE.plusMillis(6)),
                Optional.of(BASE.plusMillis(8)),
                Map.of("tenant", "acme", "a=b\\", "", "", "=\n"),
                Optional.of(BASE.plusMillis(5)));
        SagaSummary bare = bench.saga().summary();
        bench.begin(List.of(new Draft(full), new Draft(bare)));

        bench.shows(() -> assertThat(bench.find(bench.mine())).containsExactlyInAnyOrder(full, bare));
    }

    @Test
    void an_append_replaces_the_summary() {
        Draft saga = bench.saga().services(bench.service, "hotel").wakeUpAt(BASE);
        Version version = bench.begin(saga);
        Draft moved =
                saga.services(bench.service, "car").reason("deadline").ended(State.COMPENSATED, BASE.plusSeconds(1));
        bench.appended(moved.after(version, event("ended")));

        bench.shows(() -> assertThat(bench.find(bench.mine())).containsExactly(moved.summary()));
        assertThat(bench.find(SagaQuery.ALL.of("hotel"))).doesNotContain(moved.summary(), saga.summary());
        assertThat(bench.find(SagaQuery.ALL.of("car"))).contains(moved.summary());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 30, SagaRepository.PAGE_MAX})
    void the_newest_come_first_and_ties_by_id_whatever_the_page_size(int limit) {
        AtomicInteger number = new AtomicInteger();
        List<Draft> sagas =
                new ArrayList<>(bench.sagas(28, saga -> saga.begunAt(BASE.plusMillis(number.getAndIncrement() / 7))));
        String stem = Bench.newId().value().substring(0, 30);
        // Ids are compared as bytes: capitals before small letters.
        sagas.add(Draft.of(new SagaId(stem + "B"), bench.service, BASE));
        sagas.add(Draft.of(new SagaId(stem + "a"), bench.service, BASE));
        bench.begin(sagas);

        List<SagaSummary> ordered =
                sagas.stream().map(Draft::summary).sorted(NEWEST_FIRST).toList();
        bench.shows(() -> assertThat(
                        Bench.everyPage(cursor -> bench.repository().find(bench.mine(), cursor, limit)))
                .containsExactlyElementsOf(ordered));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, SagaRepository.PAGE_MAX})
    void those_of_several_open_states_come_in_one_order(int limit) {
        List<State> states = List.of(State.COMPENSATING, State.COMMITTED, State.SUSPENDED, State.CONFIRMING);
        AtomicInteger number = new AtomicInteger();
        List<Draft> sagas = bench.sagas(24, saga -> {
            int n = number.getAndIncrement();
            return saga.state(states.get(n % states.size())).begunAt(BASE.plusMillis(n / 6));
        });
        bench.begin(sagas);
        Set<State> open = Set.of(State.COMPENSATING, State.SUSPENDED, State.CONFIRMING);
        SagaQuery query = bench.mine().in(open);

        List<SagaSummary> ordered = sagas.stream()
                .map(Draft::summary)
                .filter(saga -> open.contains(saga.state()))
                .sorted(NEWEST_FIRST)
                .toList();
        assertThat(ordered).hasSize(18);
        bench.shows(() -> assertThat(
                        Bench.everyPage(cursor -> bench.repository().find(query, cursor, limit)))
                .containsExactlyElementsOf(ordered));
    }

    @Test
    void a_cursor_stands_while_sagas_are_begun_and_change() {
        List<Draft> sagas = bench.sagas(20, saga -> saga);
        List<Version> versions = bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(20));

        AtomicInteger page = new AtomicInteger();
        List<SagaId> seen = Bench.everyPage(cursor -> {
                    Page<SagaSummary> found = bench.repository().find(bench.mine(), cursor, 3);
                    bench.begin(List.of(bench.saga(), bench.saga().begunAt(BASE.plusMillis(1))));
                    int i = page.getAndIncrement();
                    if (i < sagas.size()) {
                        bench.appended(sagas.get(i).state(State.COMPENSATING).after(versions.get(i), event("changed")));
                    }
                    return found;
                })
                .stream()
                .map(SagaSummary::id)
                .toList();

        assertThat(seen).doesNotHaveDuplicates();
        assertThat(seen).containsAll(sagas.stream().map(Draft::id).toList());
    }

    @Test
    void pages_have_at_most_the_limit_and_the_last_one_has_no_cursor() {
        bench.begin(bench.sagas(4, saga -> saga));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(4));

        Page<SagaSummary> first = bench.repository().find(bench.mine(), Cursor.START, 2);
        assertThat(first.items()).hasSize(2);
        Page<SagaSummary> second =
                bench.repository().find(bench.mine(), first.next().orElseThrow(), 2);
        assertThat(second.items()).hasSize(2);
        assertThat(second.next()).isEmpty();
        assertThat(bench.repository().find(bench.mine(), Cursor.START, 4).next())
                .isEmpty();
    }

    @Test
    void a_limit_out_of_range_and_a_foreign_cursor_are_refused() {
        for (int limit : new int[] {-1, 0, SagaRepository.PAGE_MAX + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bench.repository().find(SagaQuery.ALL, Cursor.START, limit));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bench.repository().find(SagaQuery.ALL, new Cursor("no cursor of mine"), 1));
    }
}
