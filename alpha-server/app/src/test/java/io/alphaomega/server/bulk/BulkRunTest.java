package io.alphaomega.server.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkStatus.Progress;
import io.alphaomega.server.http.WrittenSaga;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** How one node goes on with a bulk order, look by look; no saga answers, so what is ordered is played by the test. */
@ExtendWith(OutputCaptureExtension.class)
class BulkRunTest {
    private static final Instant GIVEN = WrittenSaga.BEGUN.plus(Duration.ofDays(1));
    private static final Clock CLOCK = Clock.fixed(GIVEN.plusSeconds(1), ZoneOffset.UTC);
    private static final BulkOrder SKIP = order(new BulkTask.Skip(
            new BulkTask.Chosen(Stuck.Reason.SUSPENDED, Optional.of("UNDECODABLE"), Optional.empty(), GIVEN)));

    @TempDir
    private Path directory;

    private SagaRepository store;
    private final List<SagaId> read = new ArrayList<>();
    private final List<Progress> ends = new ArrayList<>();
    private boolean givesUp;

    @BeforeEach
    void open() {
        store = new ForwardingSagaRepository(EmbeddedRepository.in(directory)) {
            @Override
            public Loaded load(SagaId id) {
                read.add(id);
                return super.load(id);
            }

            @Override
            public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
                if (givesUp) throw new RepositoryUnavailableException("The search was given up after 5 s.");
                return super.find(query, cursor, limit);
            }
        };
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static BulkOrder order(BulkTask task) {
        return new BulkOrder("17", new Operator("ann", "looked it up"), task, GIVEN, 1_000, false);
    }

    private BulkRun run(BulkOrder order) {
        return new BulkRun(order, new BulkRun.Means(new Sagas(), store, CLOCK, Runnable::run), ends::add);
    }

    private WrittenSaga suspended(String id) {
        return new WrittenSaga(store, id).suspended("");
    }

    private static StuckSagas found(WrittenSaga... sagas) {
        List<StuckSaga> stuck = Stream.of(sagas)
                .map(saga -> new StuckSaga(
                        saga.state().id(),
                        saga.sequence(),
                        SagaSummary.State.SUSPENDED,
                        "booking",
                        "Booking.book",
                        "",
                        Stuck.of(saga.state()).getFirst(),
                        StuckSaga.decided(saga.state())))
                .toList();
        return new StuckSagas(
                GIVEN.plusSeconds(1),
                false,
                new SagaCounts(Map.of()),
                Optional.empty(),
                stuck,
                List.of(),
                StuckSagas.InFlight.NONE);
    }

    @Test
    void what_became_of_the_sagas_is_told_by_a_look_that_began_after_they_were_done() {
        WrittenSaga saga = suspended("s");
        BulkRun run = run(SKIP);
        run.goOn(found(saga));
        saga.input(new SagaInput.Skip(SKIP.signed(), saga.sequence(), new BranchId("hotel")));
        run.goOn(found());

        run.follow(at(WrittenSaga.BEGUN.minusSeconds(1), StuckSagas.InFlight.NONE));
        assertThat(run.fate()).as("it saw them before").isEmpty();

        Instant later = Clock.systemUTC().instant().plusSeconds(60);
        SagaId id = saga.state().id();
        run.follow(at(later, new StuckSagas.InFlight(List.of(), 0, Set.of(id), Map.of(id, "car"))));
        assertThat(run.fate()).contains(new BulkStatus.Fate(later, 0, 0, 1, 0, List.of("car")));
        run.follow(at(later, new StuckSagas.InFlight(List.of(), 0, Set.of(id), Map.of())));
        assertThat(run.fate()).contains(new BulkStatus.Fate(later, 0, 0, 0, 1, List.of()));
        run.follow(at(later, StuckSagas.InFlight.NONE));
        assertThat(run.fate()).contains(new BulkStatus.Fate(later, 1, 0, 0, 0, List.of()));
    }

    private static StuckSagas at(Instant asOf, StuckSagas.InFlight inFlight) {
        return new StuckSagas(asOf, false, new SagaCounts(Map.of()), Optional.empty(), List.of(), List.of(), inFlight);
    }

    @Test
    void what_was_carried_out_without_an_answer_is_counted_although_no_look_finds_it_again() {
        WrittenSaga saga = suspended("s");
        BulkRun run = run(SKIP);
        run.goOn(found(saga));
        assertThat(run.progress()).isEqualTo(new Progress(0, 0, 1, false, false));

        saga.input(new SagaInput.Skip(SKIP.signed(), saga.sequence(), new BranchId("hotel")));
        run.goOn(found());
        assertThat(run.progress()).isEqualTo(new Progress(1, 0, 0, false, false));
        run.goOn(found());
        assertThat(ends).isEmpty();
        run.goOn(found());
        assertThat(ends).containsExactly(new Progress(1, 0, 0, false, true));
        assertThat(run.progress()).isEqualTo(ends.getFirst());
    }

    @Test
    void what_an_abort_has_done_without_an_answer_is_counted_too() {
        BulkOrder abort = order(new BulkTask.Abort(Optional.of("spa"), Optional.empty(), GIVEN));
        WrittenSaga saga = new WrittenSaga(store, "s").begun("").began("spa", "spa");
        BulkRun run = run(abort);
        run.goOn(found());

        saga.input(new SagaInput.AbortByOperator(abort.signed(), saga.sequence()));
        run.goOn(found());
        assertThat(run.progress()).isEqualTo(new Progress(1, 0, 0, false, false));
    }

    @Test
    void an_order_ends_although_the_store_lists_what_its_journal_says_is_not_meant() {
        WrittenSaga late = new WrittenSaga(store, "s")
                .begun("")
                .later(Duration.ofSeconds(10))
                .began("spa", "spa");
        Instant before = WrittenSaga.BEGUN.plusSeconds(5);
        BulkRun run = run(order(new BulkTask.Abort(Optional.of("spa"), Optional.empty(), before)));
        assertThat(late.state().saga().services()).contains("spa");

        for (int look = 0; look < 5; look++) {
            assertThat(ends).as("after %d looks", look).isEmpty();
            run.goOn(found());
        }
        assertThat(ends).containsExactly(new Progress(0, 0, 0, false, true));
    }

    @Test
    void one_that_is_cancelled_goes_no_further() {
        WrittenSaga[] sagas =
                Stream.of("a", "b", "c", "d", "e", "f").map(this::suspended).toArray(WrittenSaga[]::new);
        BulkOrders[] orders = new BulkOrders[1];
        Executor cancels = task -> {
            task.run();
            if (read.size() == 3) orders[0].put(SKIP.cancel());
        };
        orders[0] = new BulkOrders(new Sagas(), store, CLOCK, cancels);
        orders[0].put(SKIP);

        orders[0].found(found(sagas));
        orders[0].found(found(sagas));
        assertThat(read).extracting(SagaId::value).containsExactly("a", "b", "c");
        assertThat(orders[0].all()).extracting(BulkStatus::state).containsExactly(BulkStatus.State.CANCELLED);
    }

    @Test
    void a_store_that_gives_the_search_up_is_told_once(CapturedOutput output) {
        BulkRun run = run(order(new BulkTask.Abort(Optional.of("spa"), Optional.empty(), GIVEN)));
        givesUp = true;
        for (int look = 0; look < 3; look++) run.goOn(found());

        assertThat(output)
                .containsOnlyOnce(
                        "The bulk order 17 waits for the store, and continues then: The search was given up after 5 s.");
        assertThat(run.isOpen()).isTrue();
    }

    @Test
    void others_are_told_of_an_end_and_carry_the_order_out_no_more() {
        List<BulkStatus> told = new ArrayList<>();
        BulkOrders one = new BulkOrders(new Sagas(), store, CLOCK, Runnable::run);
        one.onEnd(told::add);
        one.put(SKIP);
        assertThat(one.hasOpen()).isTrue();
        one.found(found());
        one.found(found());
        assertThat(told).singleElement().extracting(BulkStatus::state).isEqualTo(BulkStatus.State.DONE);
        assertThat(one.hasOpen()).isFalse();

        BulkOrders other = new BulkOrders(new Sagas(), store, CLOCK, task -> {
            throw new AssertionError("nothing is to be done");
        });
        other.put(SKIP);
        other.learn(told.getFirst());
        other.found(found(suspended("s")));
        assertThat(other.hasOpen()).isFalse();
    }

    @Test
    void a_node_that_was_not_told_of_a_cancel_learns_it() {
        BulkOrders orders = new BulkOrders(new Sagas(), store, CLOCK, Runnable::run);
        orders.put(SKIP);
        orders.learn(new BulkStatus(SKIP.cancel(), Optional.empty()));
        orders.learn(new BulkStatus(SKIP, Optional.empty()));

        orders.found(found(suspended("s")));
        assertThat(read).isEmpty();
        assertThat(orders.all()).extracting(BulkStatus::state).containsExactly(BulkStatus.State.CANCELLED);
    }

    @Test
    void of_too_many_orders_those_that_were_given_first_are_forgotten_whenever_they_were_heard_of() {
        BulkOrders orders = new BulkOrders(new Sagas(), store, CLOCK, Runnable::run);
        for (int i = BulkOrders.KNOWN_MAX; i >= 0; i--) {
            orders.learn(new BulkStatus(
                    new BulkOrder("o-" + i, SKIP.operator(), SKIP.task(), GIVEN.plusSeconds(i), 1, false),
                    Optional.of(new Progress(i, 0, 0, false, true))));
        }

        assertThat(orders.all())
                .hasSize(BulkOrders.KNOWN_MAX)
                .extracting(status -> status.order().id())
                .startsWith("o-1", "o-2")
                .doesNotContain("o-0");
    }
}
