package io.alphaomega.server.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import io.alphaomega.saga.Stuck.Reason;
import io.alphaomega.server.http.WrittenSaga;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the look at all open sagas finds, and what it costs. */
class StuckScanTest {
    private static final Instant NOW = WrittenSaga.BEGUN.plusSeconds(5);

    /** Counts what is read. */
    private static final class Counted extends ForwardingSagaRepository {
        final List<SagaId> loads = new ArrayList<>();
        boolean away;

        Counted() {
            super(new InMemorySagaRepository());
        }

        @Override
        public synchronized Loaded load(SagaId id) {
            if (away) throw new RepositoryUnavailableException("It is away.");
            loads.add(id);
            return super.load(id);
        }
    }

    private final Counted store = new Counted();
    private final StuckScan scan = new StuckScan(store);

    @AfterEach
    void close() {
        scan.close();
    }

    @Test
    void sagas_that_run_or_are_over_are_not_even_read() {
        new WrittenSaga(store, "runs").begun("").began("hotel", "hotel");
        new WrittenSaga(store, "over")
                .begun("")
                .began("hotel", "hotel")
                .ended("hotel")
                .committed();

        StuckSagas found = scan.scan(NOW);

        assertThat(found.sagas()).isEmpty();
        assertThat(store.loads).isEmpty();
        assertThat(found.open().in(State.ACTIVE)).isEqualTo(1);
        assertThat(found.open().in(State.COMMITTED)).isZero();
    }

    @Test
    void a_suspended_saga_is_found_with_all_that_an_operator_asks_first_and_is_read_once() {
        new WrittenSaga(store, "trip-1").suspended("trip 1");

        StuckSagas found = scan.scan(NOW);
        assertThat(scan.scan(NOW.plusSeconds(4)).sagas()).isEqualTo(found.sagas());

        assertThat(found.sagas()).singleElement().satisfies(saga -> {
            assertThat(saga.businessKey()).isEqualTo("trip 1");
            assertThat(saga.initiator()).isEqualTo("booking");
            assertThat(saga.stuck().reason()).isEqualTo(Reason.SUSPENDED);
            assertThat(saga.stuck().detail()).isEqualTo("UNDECODABLE");
            assertThat(saga.stuck().service()).isEqualTo("hotel");
            assertThat(saga.stuck().callback()).contains("rooms.cancel");
        });
        assertThat(store.loads).hasSize(1);
    }

    @Test
    void a_saga_that_waits_for_a_service_is_found_when_its_minute_is_over_although_nothing_changes() {
        new WrittenSaga(store, "waits").compensating().missed("hotel");

        assertThat(scan.scan(NOW).sagas()).isEmpty();
        assertThat(scan.scan(WrittenSaga.BEGUN.plus(Stuck.WAITING)).sagas())
                .singleElement()
                .satisfies(saga -> assertThat(saga.stuck().reason()).isEqualTo(Reason.NO_PARTICIPANT));
        assertThat(store.loads).hasSize(1);
    }

    @Test
    void before_its_minute_is_over_a_saga_that_waits_for_a_service_is_told_as_one_that_waits() {
        new WrittenSaga(store, "one", WrittenSaga.BEGUN.minusSeconds(1))
                .compensating()
                .missed("hotel");
        new WrittenSaga(store, "two").compensating().missed("hotel");

        StuckSagas found = scan.scan(NOW);

        assertThat(found.sagas()).isEmpty();
        assertThat(found.inFlight().waiting()).singleElement().satisfies(group -> {
            assertThat(group.kind().service()).isEqualTo("hotel");
            assertThat(group.count()).isEqualTo(2);
            assertThat(group.oldest()).isEqualTo(WrittenSaga.BEGUN.minusSeconds(1));
        });
        assertThat(found.inFlight().unread()).isZero();
        assertThat(found.inFlight().decided()).containsExactlyInAnyOrder(new SagaId("one"), new SagaId("two"));
    }

    @Test
    void what_was_changing_and_was_not_read_is_counted_so_that_nobody_says_that_it_goes_on() {
        new WrittenSaga(store, "moves").compensating();

        assertThat(scan.scan(WrittenSaga.BEGUN.plusSeconds(1)).inFlight())
                .isEqualTo(new StuckSagas.InFlight(List.of(), 1, Set.of(new SagaId("moves")), Map.of()));
        assertThat(scan.scan(NOW).inFlight().unread()).isZero();
    }

    @Test
    void a_saga_that_moves_is_left_alone_and_one_that_goes_on_is_forgotten() {
        WrittenSaga moves = new WrittenSaga(store, "moves").compensating();
        assertThat(scan.scan(WrittenSaga.BEGUN.plusSeconds(1)).sagas()).isEmpty();
        assertThat(store.loads).isEmpty();

        new WrittenSaga(store, "helped").suspended("");
        assertThat(scan.scan(NOW).sagas()).hasSize(1);
        moves.compensated("hotel");
        StuckSagas later = scan.scan(NOW);
        assertThat(later.open().in(State.COMPENSATING)).isZero();
        assertThat(later.sagas()).hasSize(1);
    }

    @Test
    void a_saga_that_moves_only_because_it_fails_again_and_again_is_found_at_the_second_look() {
        WrittenSaga fails = new WrittenSaga(store, "fails").compensating();
        for (int attempt = 1; attempt <= Stuck.FAILURES; attempt++) fails.compensationThrew("hotel", attempt);
        Instant changed = WrittenSaga.BEGUN.plusSeconds(10L * Stuck.FAILURES);

        assertThat(scan.scan(changed.plusMillis(500)).sagas()).isEmpty();
        assertThat(scan.scan(changed.plusMillis(600)).sagas())
                .singleElement()
                .satisfies(saga -> assertThat(saga.stuck().reason()).isEqualTo(Reason.FAILING));
    }

    @Test
    void a_saga_that_nobody_has_looked_at_is_overdue() {
        new WrittenSaga(store, "forgotten").begun("");

        Instant deadline = WrittenSaga.BEGUN.plus(Policy.DEFAULT.timeout());
        assertThat(scan.scan(deadline.plus(Duration.ofSeconds(9))).sagas()).isEmpty();
        assertThat(scan.scan(deadline.plus(Stuck.LATE)).sagas())
                .singleElement()
                .satisfies(saga -> assertThat(saga.stuck().reason()).isEqualTo(Reason.OVERDUE));
    }

    @Test
    void a_saga_whose_journal_cannot_be_read_is_stuck_whatever_its_state() {
        new WrittenSaga(store, "damaged").compensating().damaged();

        assertThat(scan.scan(NOW).sagas())
                .singleElement()
                .satisfies(saga -> assertThat(saga.stuck().detail()).isEqualTo("JOURNAL_UNREADABLE"));
    }

    @Test
    void those_that_are_stuck_for_the_same_reason_are_a_group_and_the_oldest_is_the_first() {
        for (int i = 0; i < 3; i++) {
            new WrittenSaga(store, "s-" + i, WrittenSaga.BEGUN.minusSeconds(i)).suspended("");
        }
        new WrittenSaga(store, "waits", WrittenSaga.BEGUN.minusSeconds(100))
                .compensating()
                .missed("hotel");

        StuckSagas found = scan.scan(NOW);

        assertThat(found.groups()).extracting(StuckSagas.Group::count).containsExactly(1, 3);
        assertThat(found.groups().getLast().oldest()).isEqualTo(WrittenSaga.BEGUN.minusSeconds(2));
        assertThat(found.sagas()).extracting(saga -> saga.id().value()).containsExactly("waits", "s-2", "s-1", "s-0");
    }

    @Test
    void while_the_store_is_away_nothing_is_forgotten() {
        new WrittenSaga(store, "trip").suspended("");
        store.away = true;
        assertThatExceptionOfType(RepositoryUnavailableException.class).isThrownBy(() -> scan.scan(NOW));

        store.away = false;
        assertThat(scan.scan(NOW).sagas()).hasSize(1);
    }
}
