package io.alphaomega.server.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.http.WrittenSaga;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.sweep.StuckSagas;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which sagas a bulk order means, and that it means none twice. */
class BulkTaskTest {
    private static final Operator ANN = new Operator("ann", "looked it up (bulk 17)");

    /** By a clock that is far ahead of the sagas' nodes: whatever got stuck is before it. */
    private static final Instant LATER = WrittenSaga.BEGUN.plus(Duration.ofDays(1));

    @TempDir
    private Path directory;

    private SagaRepository store;

    @BeforeEach
    void open() {
        store = EmbeddedRepository.in(directory);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static BulkTask.Chosen suspended(String detail) {
        return new BulkTask.Chosen(Stuck.Reason.SUSPENDED, Optional.of(detail), Optional.of("hotel"), LATER);
    }

    private static Optional<SagaInput> input(BulkTask task, WrittenSaga saga) {
        return task.inputFor(saga.state(), ANN, LATER);
    }

    @Test
    void a_second_branch_is_not_skipped_because_the_first_one_was_whatever_the_clocks_say() {
        WrittenSaga saga = new WrittenSaga(store, "s").endsUnknown("hotel");
        BulkTask skip = new BulkTask.Skip(suspended("BRANCH_END_UNKNOWN"));
        SagaInput first = input(skip, saga).orElseThrow();
        assertThat(first).isEqualTo(new SagaInput.Skip(ANN, saga.sequence(), new BranchId("one")));

        saga.input(first);
        assertThat(Stuck.of(saga.state()))
                .singleElement()
                .extracting(Stuck::branch)
                .isEqualTo(Optional.of(new BranchId("two")));
        assertThat(input(skip, saga)).isEmpty();
        assertThat(skip.inputFor(saga.state(), new Operator("ann", "looked it up (bulk 18)"), LATER))
                .as("of another order")
                .isPresent();
    }

    @Test
    void what_is_retried_is_not_retried_again_by_the_same_order() {
        WrittenSaga saga = new WrittenSaga(store, "s").suspended("");
        BulkTask retry = new BulkTask.Retry(suspended("UNDECODABLE"));

        saga.input(input(retry, saga).orElseThrow());
        saga.input(new SagaInput.FailCallback(
                new BranchId("hotel"),
                CallbackKind.COMPENSATION,
                2,
                FailureCode.UNDECODABLE,
                "no such field: room",
                ""));
        assertThat(Stuck.of(saga.state())).isNotEmpty();
        assertThat(input(retry, saga)).isEmpty();
    }

    @Test
    void sagas_that_are_held_are_meant_only_by_their_name() {
        WrittenSaga saga = new WrittenSaga(store, "s").suspended("");
        Instant restored = WrittenSaga.BEGUN.plus(Duration.ofHours(1));
        saga.input(new SagaInput.Hold(new Restoration(restored, restored, "It is older.")));
        BulkTask.Chosen all = new BulkTask.Chosen(Stuck.Reason.SUSPENDED, Optional.empty(), Optional.empty(), LATER);
        BulkTask.Chosen held =
                new BulkTask.Chosen(Stuck.Reason.SUSPENDED, Optional.of(Stuck.RESTORED), Optional.empty(), LATER);

        assertThat(input(new BulkTask.Retry(all), saga)).isEmpty();
        assertThat(input(new BulkTask.Skip(held), saga)).isEmpty();
        assertThat(input(new BulkTask.Resolve(held, Outcome.COMMITTED), saga))
                .as("was aborted before the store was copied")
                .isEmpty();
        assertThat(input(new BulkTask.Resolve(held, Outcome.COMPENSATED), saga)).isPresent();
        BulkTask retry = new BulkTask.Retry(held);
        saga.input(input(retry, saga).orElseThrow());
        assertThat(input(retry, saga)).isEmpty();
    }

    @Test
    void only_what_is_chosen_is_meant() {
        WrittenSaga saga = new WrittenSaga(store, "s").suspended("");
        Instant since = Stuck.of(saga.state()).getFirst().since();

        assertThat(input(new BulkTask.Skip(suspended("NO_PARTICIPANT")), saga)).isEmpty();
        assertThat(input(new BulkTask.Skip(suspended("UNDECODABLE")), saga)).isPresent();
        assertThat(input(new BulkTask.Skip(suspended("UNDECODABLE")).asOf(since), saga))
                .as("got stuck when it was given")
                .isEmpty();
        assertThat(input(new BulkTask.Resolve(suspended("UNDECODABLE"), Outcome.COMMITTED), saga))
                .as("decided otherwise")
                .isEmpty();
        BulkTask resolve = new BulkTask.Resolve(suspended("UNDECODABLE"), Outcome.COMPENSATED);
        saga.input(input(resolve, saga).orElseThrow());
        assertThat(input(resolve, saga)).as("has ended").isEmpty();
    }

    @Test
    void there_is_no_callback_to_retry_while_the_end_of_a_branch_is_unknown() {
        WrittenSaga saga = new WrittenSaga(store, "s").endsUnknown("hotel");

        assertThat(input(new BulkTask.Retry(suspended("BRANCH_END_UNKNOWN")), saga))
                .isEmpty();
    }

    @Test
    void only_active_sagas_are_aborted_and_of_those_the_ones_that_are_named() {
        WrittenSaga saga = new WrittenSaga(store, "s").begun("").began("hotel", "hotel");

        assertThat(input(new BulkTask.Abort(Optional.of("car"), Optional.empty(), LATER), saga))
                .isEmpty();
        assertThat(input(new BulkTask.Abort(Optional.empty(), Optional.of("Cars.book"), LATER), saga))
                .isEmpty();
        assertThat(input(new BulkTask.Abort(Optional.of("hotel"), Optional.empty(), WrittenSaga.BEGUN), saga))
                .as("began when it was given")
                .isEmpty();
        BulkTask abort = new BulkTask.Abort(Optional.of("hotel"), Optional.of("Booking.book"), LATER);
        saga.input(input(abort, saga).orElseThrow());
        assertThat(input(abort, saga)).as("is not active").isEmpty();
    }

    @Test
    void a_saga_in_which_the_service_takes_part_since_later_is_not_aborted_because_nobody_counted_it() {
        BulkTask abort = new BulkTask.Abort(Optional.of("spa"), Optional.empty(), WrittenSaga.BEGUN.plusSeconds(5));
        WrittenSaga saga = new WrittenSaga(store, "s")
                .begun("")
                .began("car", "car")
                .later(Duration.ofSeconds(10))
                .began("spa", "spa");

        assertThat(input(abort, saga)).isEmpty();
        assertThat(input(abort.asOf(LATER), saga)).isPresent();
        BulkTask byInitiator =
                new BulkTask.Abort(Optional.of("booking"), Optional.empty(), WrittenSaga.BEGUN.plusSeconds(5));
        assertThat(input(byInitiator, saga)).isPresent();
    }

    @Test
    void an_order_that_another_node_has_carried_out_is_not_carried_out_again() {
        BulkOrders orders = new BulkOrders(new Sagas(), store, Clock.systemUTC(), task -> {
            throw new AssertionError("nothing is to be done");
        });
        BulkOrder order = new BulkOrder("17", ANN, new BulkTask.Skip(suspended("UNDECODABLE")), LATER, 50, false);
        BulkStatus over = new BulkStatus(order, Optional.of(new BulkStatus.Progress(7, 1, 0, false, true)));
        orders.put(order);
        orders.learn(over);

        orders.found(new StuckSagas(
                LATER.plusSeconds(1),
                false,
                new SagaCounts(Map.of()),
                Optional.empty(),
                List.of(),
                List.of(),
                StuckSagas.InFlight.NONE));
        assertThat(orders.all()).containsExactly(over);
    }

    @Test
    void however_long_the_reason_is_the_journal_names_the_order() {
        BulkTask task = new BulkTask.Skip(suspended("UNDECODABLE"));
        Operator wordy = new Operator("ann", "é".repeat(10_000));

        assertThat(new BulkOrder("17", wordy, task, LATER, 1, false).signed().why())
                .endsWith("… (bulk 17)");
        BulkTask abort = new BulkTask.Abort(Optional.of("hotel"), Optional.empty(), LATER);
        for (Operator who : List.of(wordy, new Operator("é".repeat(256), "é".repeat(10_000)))) {
            WrittenSaga saga =
                    new WrittenSaga(store, "s-" + who.who().length()).begun("").began("hotel", "hotel");
            Operator signed = new BulkOrder("17", who, abort, LATER, 1, false).signed();
            saga.input(abort.inputFor(saga.state(), signed, LATER).orElseThrow());
            assertThat(saga.state().abort().orElseThrow().text()).endsWith("… (bulk 17)");
            assertThat(abort.isDone(saga.state(), signed)).isTrue();
        }
    }
}
