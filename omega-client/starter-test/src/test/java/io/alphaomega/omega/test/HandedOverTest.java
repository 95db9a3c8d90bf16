package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import reactor.core.Disposable;

/** Work that a saga hands over to other threads and does not wait for itself: its end does. */
@SpringBootTest(classes = Travel.class)
@OmegaTest
@Import(AsyncTravel.class)
class HandedOverTest {
    private static final String HANDED_OVER = "handed over to ";

    @Autowired
    private AsyncTravel.Begin trips;

    @Autowired
    private AsyncTravel.SeatDesk seats;

    @Autowired
    private AsyncTravel.RoomDesk rooms;

    @Autowired
    private AsyncTravel.Gate gate;

    @Autowired
    private CarDesk cars;

    @Autowired
    @Qualifier("one")
    private ThreadPoolTaskExecutor one;

    @Autowired
    @Qualifier("dropping")
    private ThreadPoolTaskExecutor dropping;

    @Autowired
    @Qualifier("refusing")
    private ThreadPoolTaskExecutor refusing;

    @Autowired
    @Qualifier("refusingEarly")
    private ThreadPoolTaskExecutor refusingEarly;

    @Autowired
    @Qualifier("wrapped")
    private ExecutorService wrapped;

    @Autowired
    @Qualifier("bare")
    private ExecutorService bare;

    @Autowired
    private ThreadPoolTaskScheduler timer;

    @Autowired
    private SagaTemplate sagas;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    /** How a saga begins. */
    enum Way {
        METHOD((test, rest) -> test.trips.plain(rest)),
        FUTURE((test, rest) -> test.trips.future(rest).join()),
        MONO((test, rest) -> test.trips.mono(rest).block()),
        TEMPLATE((test, rest) ->
                test.sagas.executeWithoutResult(SagaSettings.named("trip"), saga -> rest.accept("Ada"))),
        NESTED((test, rest) -> test.trips.plain(guest -> test.trips.nested(rest)));

        @SuppressWarnings("ImmutableEnumChecker") // It is a lambda that keeps nothing.
        private final BiConsumer<HandedOverTest, Consumer<String>> begin;

        Way(BiConsumer<HandedOverTest, Consumer<String>> begin) {
            this.begin = begin;
        }
    }

    /** How a task is handed over. */
    enum Handing {
        ASYNC_METHOD((test, guest) -> test.seats.bookLater(guest)),
        RUN_ASYNC((test, guest) -> {
            CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> test.pass(guest), test.one);
        }),
        WRAPPED_EXECUTOR((test, guest) -> test.wrapped.execute(() -> test.pass(guest))),
        WRAPPED_TASK((test, guest) ->
                test.bare.execute(SagaContext.current().orElseThrow().wrap(() -> test.pass(guest)))),
        SCHEDULER_NOW((test, guest) -> test.timer.execute(() -> test.pass(guest))),
        TWICE((test, guest) -> test.one.execute(() -> test.wrapped.execute(() -> test.pass(guest))));

        @SuppressWarnings("ImmutableEnumChecker") // Likewise.
        private final BiConsumer<HandedOverTest, String> hand;

        Handing(BiConsumer<HandedOverTest, String> hand) {
            this.hand = hand;
        }
    }

    private void pass(String guest) {
        gate.pass();
        cars.book(guest);
    }

    @BeforeEach
    void nothing_done() {
        ledger.clear();
        gate.close();
    }

    @AfterEach
    void all_done() {
        gate.open();
        // A task of a saga that was aborted would begin its branch at the next test's alpha.
        await().until(() -> one.getActiveCount() == 0
                && one.getThreadPoolExecutor().getQueue().isEmpty());
    }

    /** Begins a saga on a thread of its own, and returns when alpha has heard what it waits for. */
    private Future<?> begun(Runnable saga) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        saga.run();
                        done.complete(null);
                    } catch (Throwable thrown) {
                        done.completeExceptionally(thrown);
                    }
                })
                .start();
        await().until(() -> done.isDone() || history().anyMatch(line -> line.contains(HANDED_OVER)));
        return done;
    }

    private Stream<String> history() {
        return alpha.sagas().stream().flatMap(saga -> saga.history().stream());
    }

    private static void assertAborted(Future<?> saga, String... sentences) {
        await().until(saga::isDone);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(saga::get)
                .havingCause()
                .isInstanceOf(SagaAbortedException.class)
                .withMessageContainingAll(sentences);
    }

    @ParameterizedTest
    @EnumSource
    void a_saga_is_committed_when_what_it_has_handed_over_is_done(Way way) throws Exception {
        Future<?> saga = begun(() -> way.begin.accept(this, seats::bookLater));

        assertThat(saga).isNotDone();
        gate.open();
        saga.get();
        assertThat(alpha.sagas().getFirst()).committed();
        assertThat(ledger.all()).contains("car for Ada");
    }

    @ParameterizedTest
    @EnumSource
    void a_task_counts_however_it_is_handed_over(Handing handing) throws Exception {
        Future<?> saga = begun(() -> trips.plain(guest -> handing.hand.accept(this, guest)));

        assertThat(saga).isNotDone();
        gate.open();
        saga.get();
        assertThat(alpha.saga()).committed();
        assertThat(ledger.all()).containsExactly("room for Ada", "car for Ada");
    }

    @Test
    void its_branch_that_fails_aborts_the_saga_and_the_caller_hears() {
        Future<?> saga = begun(() -> trips.plain(guest -> {
            seats.bookLater(guest);
            seats.hold("");
        }));

        gate.open();
        assertAborted(saga, "no guest");
        assertThat(alpha.saga()).compensated("CarDesk.book", "HotelDesk.book");
    }

    @Test
    void futures_that_follow_one_another_are_waited_for_to_the_last() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        Future<?> saga = begun(() -> trips.plain(guest -> {
            CompletableFuture<String> unused = rooms.future(first).thenCompose(room -> rooms.future(second));
        }));
        assertWaitsForBoth(saga, "RoomDesk.future", first, second);
    }

    @Test
    void and_so_are_publishers_that_nobody_returns() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        Future<?> saga = begun(() -> trips.plain(guest -> {
            Disposable unused = rooms.mono(first).then(rooms.mono(second)).subscribe();
        }));
        assertWaitsForBoth(saga, "RoomDesk.mono", first, second);
    }

    private void assertWaitsForBoth(
            Future<?> saga, String operation, CompletableFuture<String> first, CompletableFuture<String> second)
            throws Exception {
        first.complete("first");
        await().until(() -> saga.isDone()
                || history().filter(line -> line.contains(operation + " began")).count() == 2);
        assertThat(saga).isNotDone();
        second.complete("second");
        saga.get();
        assertThat(alpha.saga()).committed();
    }

    @Test
    void an_asynchronous_listener_is_a_part_of_the_saga_that_publishes() throws Exception {
        Future<?> saga = begun(() -> trips.tells(new AsyncTravel.Booked("Ada")));

        assertThat(saga).isNotDone();
        gate.open();
        saga.get();
        assertThat(alpha.saga()).committed();
        assertThat(ledger.all()).containsExactly("car for Ada");
    }

    @Test
    void and_so_is_one_that_waits_for_a_transaction() throws Exception {
        Future<?> saga = begun(() -> trips.plain(trips::pay));

        assertThat(saga).isNotDone();
        gate.open();
        saga.get();
        assertThat(ledger.all()).containsExactly("room for Ada", "car for Ada");
    }

    @Test
    void a_task_that_its_executor_drops_aborts_the_saga() {
        dropping.execute(gate::pass);
        Future<?> saga = begun(() -> trips.plain(seats::bookPerhaps));

        await().until(() -> {
            System.gc(); // Nothing else says that nobody can run it any more.
            return saga.isDone();
        });
        assertAborted(saga, "the task of SeatDesk.bookPerhaps never ran: its executor has rejected or dropped it");
        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }

    /** How a task is handed over to an executor that has no room for it, and says so. */
    enum Refused {
        ASYNC_METHOD((test, guest) -> test.seats.bookIfRoom(guest)),
        EXECUTED((test, guest) -> test.refusing.execute(() -> test.pass(guest))),
        SUBMITTED((test, guest) -> {
            Future<?> unused = test.refusing.submit(() -> test.pass(guest));
        }),
        RUN_ASYNC((test, guest) -> {
            CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> test.pass(guest), test.refusing);
        }),
        EARLY((test, guest) -> test.refusingEarly.execute(() -> test.pass(guest)));

        @SuppressWarnings("ImmutableEnumChecker") // Likewise.
        private final BiConsumer<HandedOverTest, String> hand;

        Refused(BiConsumer<HandedOverTest, String> hand) {
            this.hand = hand;
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_task_that_was_refused_is_not_waited_for_where_its_caller_does_without(Refused refused) throws Exception {
        occupy(refusing);
        occupy(refusingEarly);
        Future<?> saga = begun(() -> trips.plain(guest -> {
            assertThatExceptionOfType(RejectedExecutionException.class)
                    .isThrownBy(() -> refused.hand.accept(this, guest));
            System.gc(); // By which one that was dropped in silence would be found.
            cars.book("somebody else");
        }));

        saga.get();
        assertThat(alpha.saga()).committed();
        assertThat(ledger.all()).contains("car for somebody else").doesNotContain("car for Ada");
    }

    /** Its only thread may not be back yet from the test before. */
    private void occupy(ThreadPoolTaskExecutor executor) {
        await().ignoreException(TaskRejectedException.class).until(() -> {
            executor.execute(gate::pass);
            return true;
        });
    }

    @Test
    void what_was_handed_over_before_one_that_was_refused_is_waited_for() throws Exception {
        occupy(refusing);
        Future<?> saga = begun(() -> trips.plain(guest -> {
            one.execute(() -> pass(guest));
            assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> seats.bookIfRoom(guest));
        }));

        gate.open();
        saga.get();
        assertThat(ledger.all()).contains("car for Ada");
    }

    @Test
    void one_that_takes_too_long_aborts_the_saga_and_is_named() {
        Future<?> saga = begun(() -> trips.plain(seats::bookLater));

        alpha.advance(Duration.ofMinutes(1));
        assertAborted(saga, "SeatDesk.bookLater, handed over to another thread, of travel did not end in time");
        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }

    @Test
    void its_sentence_is_that_of_the_page() throws IOException {
        Future<?> saga = begun(() -> trips.plain(seats::bookLater));
        alpha.advance(Duration.ofMinutes(1));
        await().until(saga::isDone);

        List<String> page = Files.readAllLines(Path.of("../../docs/misuse/log.md"));
        String quoted =
                page.get(page.indexOf("### A task that takes too long") + 2).substring("> ".length());
        String pattern = Pattern.quote(quoted).replace("…", "\\E.+\\Q");
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(saga::get)
                .havingCause()
                .withMessageMatching(pattern);
    }

    @Test
    void a_saga_on_the_only_thread_of_its_executor_is_aborted_in_time_and_says_why() {
        CompletableFuture<Void> saga = new CompletableFuture<>();
        Future<?> unused = begun(() -> saga.completeAsync(
                        () -> {
                            trips.plain(seats::bookLater);
                            return null;
                        },
                        one)
                .exceptionally(thrown -> null)
                .join());

        alpha.advance(Duration.ofMinutes(1));
        assertAborted(saga, "SeatDesk.bookLater, handed over to another thread, of travel did not end in time");
    }

    @Test
    void what_is_scheduled_for_later_is_no_part_of_the_saga() {
        trips.plain(guest -> AsyncTravel.tomorrow(timer, () -> cars.book(guest)));

        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga()).history().noneMatch(line -> line.contains(HANDED_OVER));
    }

    @Test
    void who_does_not_wait_for_the_decision_is_told_that_it_is_pending() {
        Future<?> saga = begun(() -> trips.notAwaited(seats::bookLater));

        await().until(saga::isDone);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(saga::get)
                .withCauseInstanceOf(SagaPendingException.class);
        gate.open();
        await().untilAsserted(() -> assertThat(alpha.saga()).committed());
        assertThat(ledger.all()).containsExactly("room for Ada", "car for Ada");
    }

    @Test
    void a_task_may_end_the_saga_that_it_is_a_part_of() {
        Future<?> begin = begun(() -> trips.leftOpen(guest -> one.execute(() -> {
            pass(guest);
            trips.end();
        })));
        await().until(begin::isDone);
        assertThat(alpha.saga()).active();

        gate.open();
        await().untilAsserted(() -> assertThat(alpha.saga()).committed());
        assertThat(ledger.all()).containsExactly("room for Ada", "car for Ada");
    }
}
