package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Only who knows where a saga stands may append to it. This is what makes a wrongly suspected owner harmless. */
abstract class FencingContract {
    private static final int WRITERS = 64;

    private final Bench bench;

    FencingContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void of_many_racing_writers_exactly_one_wins() throws Exception {
        Draft saga = bench.saga();
        Version version = Version.NONE;
        for (int round = 0; round < 5; round++) {
            Version expected = version;
            List<AppendResult> results = Bench.race(IntStream.range(0, WRITERS)
                    .<Callable<AppendResult>>mapToObj(writer ->
                            () -> bench.append(saga.after(expected, event("w" + writer), event("w" + writer))))
                    .toList());

            Loaded loaded = bench.repository().load(saga.id());
            version = loaded.version();
            assertThat(results).filteredOn(Appended.class::isInstance).containsExactly(new Appended(version));
            assertThat(results).filteredOn(Conflict.class::isInstance).hasSize(WRITERS - 1);
            assertThat(loaded.events()).hasSize(2 * (round + 1));
            assertThat(loaded.events().getLast())
                    .isEqualTo(loaded.events().get(loaded.events().size() - 2))
                    .isEqualTo(event("w" + results.indexOf(new Appended(version))));
        }
    }

    @Test
    void batches_that_race_for_the_same_sagas_in_another_order_each_win_or_lose_item_by_item() throws Exception {
        List<Draft> sagas = bench.sagas(20, saga -> saga);
        List<List<Draft>> orders = new ArrayList<>();
        for (int writer = 0; writer < 8; writer++) {
            List<Draft> order = new ArrayList<>(sagas);
            Collections.shuffle(order, new Random(writer));
            orders.add(order);
        }
        List<List<AppendResult>> results = Bench.race(IntStream.range(0, orders.size())
                .<Callable<List<AppendResult>>>mapToObj(writer -> () -> bench.append(orders.get(writer).stream()
                        .map(saga -> saga.after(Version.NONE, event("w" + writer)))
                        .toList()))
                .toList());

        for (Draft saga : sagas) {
            List<Integer> winners = IntStream.range(0, orders.size())
                    .filter(writer -> results.get(writer).get(orders.get(writer).indexOf(saga)) instanceof Appended)
                    .boxed()
                    .toList();
            assertThat(winners).as("winners of saga %s", saga.id()).hasSize(1);
            assertThat(bench.journal(saga.id())).containsExactly(event("w" + winners.getFirst()));
        }
    }

    @Test
    void a_saga_that_nobody_else_writes_is_not_locked() {
        List<Draft> sagas = bench.sagas(50, saga -> saga);
        List<Version> versions = bench.begin(sagas);
        List<Append> next = IntStream.range(0, sagas.size())
                .mapToObj(i -> sagas.get(i).after(versions.get(i), event("next")))
                .toList();

        assertThat(bench.repository().append(next)).hasOnlyElementsOfType(Appended.class);
    }

    /** Whether a store has locks that somebody may meet is its own affair; what it says of them must be true. */
    @Test
    void nothing_is_stored_of_a_locked_saga_so_that_it_may_be_sent_again() throws Exception {
        Draft saga = bench.saga();
        bench.begin(saga);
        int events = 5;
        List<List<StoredEvent>> written = Bench.race(IntStream.range(0, 8)
                .<Callable<List<StoredEvent>>>mapToObj(writer -> () -> IntStream.range(0, events)
                        .mapToObj(i -> appendedSometime(saga, event("w" + writer + " " + i)))
                        .toList())
                .toList());

        assertThat(bench.journal(saga.id()).stream().skip(1))
                .containsExactlyInAnyOrderElementsOf(
                        written.stream().flatMap(List::stream).toList());
    }

    /** Appends it after whatever others have, and sends the same again if the saga is locked. */
    private StoredEvent appendedSometime(Draft saga, StoredEvent event) {
        Version expected = bench.repository().load(saga.id()).version();
        while (bench.append(saga.after(expected, event)) instanceof Conflict(Version actual)) expected = actual;
        return event;
    }

    @Test
    void a_stale_sequence_conflicts_and_changes_nothing() {
        Draft saga = bench.saga();
        Version first = bench.begin(saga);
        Version second = bench.appended(saga.after(first, event("next")));

        assertRefused(saga, first, second);
        assertRefused(saga, new Version(first.sequence(), second.token()), second);
        assertRefused(saga, Version.NONE, second);
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"), event("next"));
        bench.shows(() -> assertThat(bench.summary(saga.id())).contains(saga.summary()));
    }

    @Test
    void a_gap_conflicts_and_changes_nothing() {
        Draft saga = bench.saga();
        assertRefused(saga, new Version(1, "invented"), Version.NONE);
        assertThat(bench.repository().load(saga.id())).isEqualTo(Loaded.NOTHING);

        Version first = bench.begin(saga);
        assertRefused(saga, new Version(2, first.token()), first);
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"));
    }

    @Test
    void the_right_sequence_with_the_wrong_token_conflicts() {
        Draft saga = bench.saga();
        Draft other = bench.saga();
        Version first = bench.begin(saga);
        Version otherFirst = bench.appended(other.after(Version.NONE, event("a"), event("b")));
        Version second = bench.appended(saga.after(first, event("next")));

        assertRefused(saga, new Version(second.sequence(), first.token()), second);
        assertRefused(saga, new Version(second.sequence(), ""), second);
        assertRefused(saga, new Version(second.sequence(), "invented"), second);
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"), event("next"));
        assertThat(bench.repository().load(other.id()).version()).isEqualTo(otherFirst);
    }

    @Test
    void of_the_items_of_one_saga_in_one_batch_the_first_that_matches_wins() {
        Draft saga = bench.saga();
        Version first = bench.begin(saga);
        List<Append> batch = List.of(
                saga.after(Version.NONE, event("stale")),
                saga.after(first, event("right")),
                saga.after(first, event("too late")));
        List<AppendResult> results = bench.repository().append(batch);

        Version second = bench.repository().load(saga.id()).version();
        assertThat(results).containsExactly(new Conflict(first), new Appended(second), new Conflict(second));
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"), event("right"));
    }

    @Test
    void two_begins_of_one_saga_in_one_batch_are_one_begin() {
        Draft saga = bench.saga();
        List<AppendResult> results = bench.repository()
                .append(List.of(saga.after(Version.NONE, event("one")), saga.after(Version.NONE, event("two"))));

        Version version = bench.repository().load(saga.id()).version();
        assertThat(results).containsExactly(new Appended(version), new Conflict(version));
        assertThat(bench.journal(saga.id())).containsExactly(event("one"));
    }

    @Test
    void who_lost_wins_with_the_version_of_the_conflict() {
        Draft saga = bench.saga();
        bench.begin(saga);
        AppendResult lost = bench.append(saga.after(Version.NONE, event("late")));
        assertThat(lost).isInstanceOf(Conflict.class);

        bench.appended(saga.after(((Conflict) lost).actual(), event("again")));
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"), event("again"));
    }

    private void assertRefused(Draft saga, Version expected, Version actual) {
        SagaId id = saga.id();
        Draft changed = saga.state(State.SUSPENDED).reason("must not be stored");
        assertThat(bench.append(changed.after(expected, event("x"), event("y"))))
                .as("append to saga %s at %s, expecting %s", id, actual, expected)
                .isEqualTo(new Conflict(actual));
    }
}
