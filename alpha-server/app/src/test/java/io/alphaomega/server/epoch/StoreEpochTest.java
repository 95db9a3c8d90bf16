package io.alphaomega.server.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.StoreMark;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.saga.Restoration;
import io.alphaomega.server.saga.Holds;
import io.alphaomega.server.saga.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is noted in a store, and what follows when that is set back. */
class StoreEpochTest {
    private final ManualClock clock = new ManualClock();
    private Copied store = new Copied();
    private Holds holds = new Holds();
    private final List<StoreEpoch> nodes = new ArrayList<>();

    /** A store of which nothing but its notes matters here: a copy of them can be put back, and it can be away. */
    private static final class Copied extends ForwardingSagaRepository {
        private final Map<String, String> notes = new HashMap<>();
        private boolean away;

        Copied() {
            super(new InMemorySagaRepository());
        }

        Map<String, String> copy() {
            return Map.copyOf(notes);
        }

        void putBack(Map<String, String> copy) {
            notes.clear();
            notes.putAll(copy);
        }

        @Override
        public Map<String, String> notes() {
            requireThere();
            return copy();
        }

        @Override
        public void note(String name, String text) {
            requireThere();
            if (text.isEmpty()) notes.remove(name);
            else notes.put(name, text);
        }

        private void requireThere() {
            if (away) throw new RepositoryUnavailableException("The store is away.");
        }
    }

    /** A service that remembers what it was told. */
    private static final class Service {
        private final Map<String, StoreMark> seen = new HashMap<>();

        void hear(StoreMark mark) {
            seen.put(mark.getRun(), mark);
        }

        Hello hello() {
            return Hello.newBuilder()
                    .setService("stock")
                    .setInstance("stock-1")
                    .addAllSeen(seen.values())
                    .build();
        }
    }

    @AfterEach
    void close() {
        nodes.forEach(StoreEpoch::close);
    }

    /** Its beats are the test's. */
    private StoreEpoch start(Service... told) {
        later(Duration.ofSeconds(1));
        StoreEpoch node = new StoreEpoch(store, clock, holds, Runnable::run);
        nodes.add(node);
        node.beat();
        for (Service service : told) node.onMark(service::hear);
        return node;
    }

    /** As a process that ends takes with it what it knew. */
    private StoreEpoch restart(Service... told) {
        holds = new Holds();
        return start(told);
    }

    private void later(Duration time) {
        clock.advance(time);
    }

    private Optional<Restoration> heard(StoreEpoch node, Service service) {
        assertThat(node.heard(service.hello())).isCompleted();
        return holds.restoration();
    }

    @Test
    void a_store_that_has_all_that_was_told_is_believed() {
        Service stock = new Service();
        StoreEpoch first = start(stock);
        first.beat();
        StoreEpoch second = start(stock);
        second.beat();
        first.beat();

        StoreEpoch third = restart();

        assertThat(heard(third, stock)).isEmpty();
        assertThat(stock.seen).hasSize(2);
    }

    @Test
    void a_service_that_was_told_more_than_the_store_has_gives_it_away() {
        Service stock = new Service();
        StoreEpoch before = start(stock);
        Map<String, String> backup = store.copy();
        Instant copied = clock.instant();
        later(Duration.ofHours(1));
        before.beat();
        Instant lost = clock.instant();
        store.putBack(backup);
        later(Duration.ofMinutes(5));
        StoreEpoch after = restart();
        Instant opened = clock.instant();
        later(Duration.ofMinutes(1));

        Restoration found = heard(after, stock).orElseThrow();

        assertThat(found.begunBefore()).isEqualTo(opened);
        assertThat(found.foundAt()).isEqualTo(clock.instant());
        assertThat(found.why())
                .isEqualTo(
                        "The store was set back to an earlier time: it lacks what was stored after %s, until %s at least, as service stock has seen."
                                .formatted(seconds(copied), seconds(lost)));
    }

    private static Instant seconds(Instant time) {
        return time.truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    }

    @Test
    void so_does_a_node_that_was_started_after_the_copy_was_made() {
        Service stock = new Service();
        start();
        Map<String, String> backup = store.copy();
        restart(stock);
        store.putBack(backup);

        assertThat(heard(restart(), stock)).isPresent();
    }

    @Test
    void a_service_that_was_told_nothing_since_the_copy_says_nothing() {
        Service stock = new Service();
        Service bank = new Service();
        StoreEpoch before = start(stock);
        Map<String, String> backup = store.copy();
        before.onMark(bank::hear);
        store.putBack(backup);
        StoreEpoch after = restart();

        assertThat(heard(after, stock)).isEmpty();
        assertThat(heard(after, new Service())).isEmpty();
        assertThat(heard(after, bank)).as("told once more what the copy has").isEmpty();
    }

    @Test
    void a_node_beneath_which_the_store_was_set_back_finds_it_out_by_itself() {
        StoreEpoch node = start();
        Map<String, String> backup = store.copy();
        node.beat();
        store.putBack(backup);
        later(Duration.ofSeconds(10));

        node.beat();

        assertThat(holds.restoration()).hasValueSatisfying(found -> {
            assertThat(found.begunBefore()).isEqualTo(clock.instant());
            assertThat(found.why()).endsWith("as this node has seen.");
        });
    }

    @Test
    void what_one_node_has_found_out_the_others_read_and_so_does_one_that_starts_later() {
        Service stock = new Service();
        StoreEpoch before = start(stock);
        Map<String, String> backup = store.copy();
        before.beat();
        store.putBack(backup);
        Restoration found = heard(restart(), stock).orElseThrow();

        StoreEpoch other = restart();
        assertThat(holds.restoration()).contains(found);

        assertThat(heard(other, stock)).contains(found);
        other.beat();
        assertThat(holds.restoration()).contains(found);
    }

    @Test
    void a_second_restart_before_anybody_says_so_changes_nothing_of_what_is_held() {
        Service stock = new Service();
        StoreEpoch before = start(stock);
        Map<String, String> backup = store.copy();
        before.beat();
        store.putBack(backup);
        restart();
        Instant opened = clock.instant();
        later(Duration.ofHours(1));
        StoreEpoch second = restart();

        assertThat(heard(second, stock).orElseThrow().begunBefore()).isEqualTo(opened);
    }

    @Test
    void a_store_that_is_set_back_again_is_another_restoration() {
        Service stock = new Service();
        StoreEpoch before = start(stock);
        Map<String, String> backup = store.copy();
        before.beat();
        store.putBack(backup);
        StoreEpoch between = restart(stock);
        Restoration first = heard(between, stock).orElseThrow();
        later(Duration.ofHours(1));
        between.beat();
        store.putBack(backup);

        Restoration second = heard(restart(), stock).orElseThrow();

        assertThat(second.foundAt()).isAfter(first.foundAt());
        assertThat(second.begunBefore()).isAfter(first.begunBefore());
    }

    @Test
    void what_was_seen_of_another_store_says_nothing() {
        Service stock = new Service();
        start(stock);
        store = new Copied();

        assertThat(heard(restart(), stock)).isEmpty();
    }

    @Test
    void what_was_heard_while_the_store_was_away_is_looked_at_when_it_is_there() {
        Service stock = new Service();
        StoreEpoch before = start(stock);
        Map<String, String> backup = store.copy();
        before.beat();
        store.putBack(backup);
        StoreEpoch after = restart();
        store.away = true;
        assertThat(heard(after, stock)).isEmpty();
        after.beat();

        store.away = false;
        after.beat();

        assertThat(holds.restoration()).isPresent();
    }

    @Test
    void a_mark_is_in_the_store_before_it_is_told() {
        Service stock = new Service();
        StoreEpoch node = start(stock);
        Map<String, StoreMark> told = Map.copyOf(stock.seen);
        store.away = true;
        node.beat();
        node.beat();

        assertThat(stock.seen).isEqualTo(told);
    }

    @Test
    void a_node_that_restarts_for_ever_fills_no_store_and_gives_no_false_alarm() {
        Service stock = new Service();
        for (int i = 0; i < StoreNotes.RUNS_MAX + 50; i++) {
            restart(stock);
            later(Duration.ofSeconds(20));
        }

        StoreEpoch last = restart(stock);

        assertThat(store.copy()).hasSizeLessThanOrEqualTo(StoreNotes.RUNS_MAX + 5);
        assertThat(heard(last, stock)).isEmpty();
    }

    @Test
    void a_run_of_long_ago_gives_no_false_alarm_either() {
        Service stock = new Service();
        start(stock);
        later(Duration.ofDays(30));
        StoreEpoch now = restart();
        now.beat();

        assertThat(store.copy().keySet())
                .filteredOn(name -> name.startsWith("run-"))
                .hasSize(1);
        assertThat(heard(now, stock)).isEmpty();
    }

    @Test
    void names_that_are_not_ascii_come_back_as_they_are() {
        Restoration why = new Restoration(clock.instant(), clock.instant(), "wie Dienst müller-Läger sah");
        assertThat(StoreNotes.of(Map.of(StoreNotes.RESTORATION, StoreNotes.text(why)))
                        .restoration())
                .contains(why);
    }
}
