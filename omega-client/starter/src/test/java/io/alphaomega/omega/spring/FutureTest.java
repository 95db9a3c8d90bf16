package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.FAIL_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.scheduler.Schedulers;

/** Methods that return a CompletableFuture, as sagas and as branches without a fence. */
class FutureTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static RunningLaterShop shop = new RunningLaterShop();

    private static CompletableFuture<String> booked(String what) {
        return CompletableFuture.supplyAsync(() -> what);
    }

    /** On a thread of Reactor's, where nothing may wait. */
    private static <T> T onEventLoop(Supplier<T> task) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Schedulers.parallel().schedule(() -> {
            try {
                done.complete(task.get());
            } catch (Throwable thrown) {
                done.completeExceptionally(thrown);
            }
        });
        return done.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Test
    void a_branch_ends_and_a_saga_is_committed_when_their_futures_are_done() {
        CompletableFuture<String> work = new CompletableFuture<>();
        AtomicBoolean toldEarly = new AtomicBoolean();
        CompletableFuture<String> saga =
                shop.counter.future(() -> shop.desk.future(() -> work).thenApply(car -> car + " booked"));
        shop.alpha.observer = input -> {
            if (!work.isDone() || saga.isDone()) toldEarly.set(true);
        };
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH);
        assertThat(saga).isNotDone();
        work.complete("car");

        assertThat(saga).succeedsWithin(LIMIT).isEqualTo("car booked");
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(toldEarly).isFalse();
        assertThat(shop.branches().get(0).getFenced()).isFalse();
    }

    @Test
    void a_failure_fails_the_branch_and_aborts_the_saga_and_is_passed_on_as_it_is() {
        Shop.OutOfStock error = new Shop.OutOfStock("no unicorns left");
        CompletableFuture<String> saga = shop.counter.future(
                () -> shop.desk.future(() -> booked("unicorn").thenApply(unicorn -> {
                    throw error;
                })));
        assertThat(saga).failsWithin(LIMIT).withThrowableThat().havingCause().isSameAs(error);
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, FAIL_BRANCH, ABORT);
        assertThat(shop.failed().get(0).getCause()).isEqualTo("OutOfStock: no unicorns left");
        assertThat(shop.failed().get(0).getRolledBack()).isFalse();
    }

    @Test
    void what_is_thrown_instead_of_returned_is_a_failure_of_the_future_and_so_is_null() {
        assertThat(shop.counter.future(() -> shop.desk.future(() -> {
                    throw new Shop.OutOfStock("at once");
                })))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withMessageContaining("at once");
        assertThat(shop.counter.future(() -> null))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withMessageContaining("returned null instead of a CompletableFuture");
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, FAIL_BRANCH, ABORT);
    }

    @Test
    void a_harmless_failure_does_not_abort() {
        assertThat(shop.counter.futureAllTheSame(() -> shop.desk
                        .future(() -> booked("car"))
                        .thenCompose(car -> CompletableFuture.failedFuture(new Shop.Harmless()))))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withCauseInstanceOf(Shop.Harmless.class);
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void a_saga_that_somebody_else_has_aborted_is_a_failure() {
        CompletableFuture<String> saga = shop.counter.future(() -> shop.desk.future(() -> {
            shop.alpha.abort(shop.told().get(0).getSaga(), Aborted.Cause.OPERATOR, "", "a person");
            return booked("car");
        }));
        assertThat(saga).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(SagaAbortedException.class);
    }

    @Test
    void a_future_that_is_cancelled_is_a_failure_and_cancels_the_work() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> saga = shop.counter.future(() -> {
            CompletableFuture<String> branch = shop.desk.future(() -> work);
            CompletableFuture<String> passed = branch.copy();
            CompletableFuture<String> unused = passed.whenComplete((value, failure) -> branch.cancel(true));
            return passed;
        });
        saga.cancel(true);
        assertThat(work).isCancelled();
        await().until(() -> shop.kinds().contains(FAIL_BRANCH) && shop.kinds().contains(ABORT));
        assertThat(shop.failed().get(0).getCause()).contains("cancelled");
        assertThat(shop.failed().get(0).getRolledBack()).isFalse();
    }

    @Test
    void one_that_is_cancelled_when_it_is_done_and_alpha_has_not_answered_aborts_the_saga_of_who_goes_on_without_it() {
        CompletableFuture<Void> ending = new CompletableFuture<>();
        shop.alpha.silentOn = input -> input.hasEndBranch() && ending.complete(null);
        CompletableFuture<String> saga = shop.counter.future(() -> {
            CompletableFuture<String> branch = shop.desk.future(() -> booked("car"));
            CompletableFuture<String> goesOn = branch.exceptionally(cancelled -> "gone on");
            CompletableFuture<Void> unused = ending.thenRun(() -> branch.cancel(true));
            return goesOn;
        });
        assertThat(saga).failsWithin(LIMIT).withThrowableThat().withCauseInstanceOf(SagaAbortedException.class);
        assertThat(shop.kinds()).contains(END_BRANCH, ABORT).doesNotContain(END, FAIL_BRANCH);
    }

    @Test
    void where_nothing_may_wait_the_method_runs_on_another_thread_in_its_saga() {
        List<String> threads = new CopyOnWriteArrayList<>();
        CountDownLatch returned = new CountDownLatch(1);
        shop.alpha.observer = input -> {
            if (input.hasBeginBranch()) await().until(() -> returned.getCount() == 0);
        };
        CompletableFuture<String> saga = onEventLoop(() -> shop.counter.future(() -> {
            threads.add(Thread.currentThread().getName());
            return shop.desk.future(() -> {
                threads.add(Thread.currentThread().getName());
                return booked(SagaContext.current().orElseThrow().saga());
            });
        }));
        returned.countDown();
        assertThat(saga).succeedsWithin(LIMIT).isEqualTo(shop.told().get(0).getSaga());
        assertThat(threads.get(0)).as("nothing to wait for").startsWith("parallel-");
        assertThat(threads.get(1)).startsWith("omega-later");
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void a_branch_that_is_cancelled_before_alpha_has_answered_does_not_run() {
        shop.alpha.silentOn = Input::hasBeginBranch;
        CompletableFuture<String> branch = new CompletableFuture<>();
        onEventLoop(() -> shop.counter.future(() -> {
            CompletableFuture<String> begins = shop.desk.future(() -> booked("car"));
            CompletableFuture<String> unused = branch.whenComplete((value, failure) -> begins.cancel(true));
            return begins;
        }));
        await().until(() -> shop.kinds().contains(BEGIN_BRANCH));
        branch.cancel(true);
        await().until(() -> shop.kinds().contains(FAIL_BRANCH) && shop.kinds().contains(ABORT));
        assertThat(shop.failed().get(0).getRolledBack()).isTrue();
        assertThat(shop.desk.runs()).isZero();
    }

    @Test
    void callers_do_not_go_on_where_alpha_is_heard() {
        List<String> threads = new CopyOnWriteArrayList<>();
        CompletableFuture<String> saga = shop.counter.future(() -> shop.desk
                .future(() -> booked("car"))
                .whenComplete(
                        (car, failure) -> threads.add(Thread.currentThread().getName()))
                .thenCompose(car -> shop.desk.future(() -> booked(car + " and room"))));
        CompletableFuture<String> next = saga.whenComplete(
                (value, failure) -> threads.add(Thread.currentThread().getName()));
        assertThat(next).succeedsWithin(LIMIT).isEqualTo("car and room");
        assertThat(threads).hasSize(2).noneMatch(thread -> thread.startsWith("omega-alpha"));
        assertThat(shop.branches()).as("what is chained is in the saga").hasSize(2);
    }

    @Test
    void further_tries_are_one_branch() {
        AtomicInteger tries = new AtomicInteger();
        CompletableFuture<String> saga = shop.counter.future(() -> shop.desk
                .retriedFuture(() -> tries.incrementAndGet() < 3
                        ? CompletableFuture.failedFuture(new Shop.OutOfStock("not yet"))
                        : booked(SagaContext.current().orElseThrow().saga()))
                .toCompletableFuture());
        assertThat(saga).succeedsWithin(LIMIT).isEqualTo(shop.told().get(0).getSaga());
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(shop.desk.runs()).isEqualTo(3);
    }

    @Test
    void a_result_that_is_too_large_for_the_compensation_fails_the_branch_which_is_done() {
        assertThat(shop.counter.future(() -> shop.desk.huge("car")))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withCauseInstanceOf(SagaException.class);
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, FAIL_BRANCH, ABORT);
        assertThat(shop.failed().get(0).getRolledBack()).isFalse();
    }

    @Test
    void a_compensation_that_returns_a_future_is_waited_for() {
        assertThat(shop.alpha
                        .call(callback -> callback.setSaga("saga-1")
                                .setBranch("branch-1")
                                .setKind(CallbackKind.COMPENSATION)
                                .setAttempt(1)
                                .setName("LaterShop.Desk.cancelHuge")
                                .setArguments(com.google.protobuf.ByteString.copyFromUtf8("[\"car\"]"))
                                .setResult(com.google.protobuf.ByteString.copyFromUtf8("\"R\"")))
                        .hasFailure())
                .isFalse();
        assertThat(shop.desk.undone()).containsExactly("car");
    }

    @Test
    void sagas_do_not_nest() {
        assertThat(shop.counter.future(() -> shop.counter.future(() -> booked("car"))))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withMessageContaining("it did not run. It may join that one");
    }

    @Test
    void a_plain_saga_may_join_branches_that_run_side_by_side() {
        String both = shop.counter.plain(() -> {
            CompletableFuture<String> car = shop.desk.future(() -> booked("car"));
            CompletableFuture<String> room = shop.desk.future(() -> booked("room"));
            return car.thenCombine(room, (a, b) -> a + " " + b).join();
        });
        assertThat(both).isEqualTo("car room");
        assertThat(shop.branches()).hasSize(2);
        assertThat(shop.told().stream().map(Input::getSaga).distinct()).hasSize(1);
    }

    @Test
    void a_branch_that_alpha_refuses_fails_the_future_and_does_not_run() {
        shop.alpha.answer = input -> input.hasBeginBranch()
                ? io.alphaomega.protocol.v1.Ack.newBuilder()
                        .setRejected(
                                io.alphaomega.protocol.v1.Rejected.newBuilder().setReason("BRANCH_CONFLICT"))
                : null;
        CompletableFuture<String> saga = shop.counter.future(() -> shop.desk.future(() -> booked("car")));
        assertThat(saga)
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withCauseInstanceOf(io.alphaomega.omega.SagaRejectedException.class);
        assertThat(saga.handle((value, failure) -> failure).join())
                .as("as it is, without what futures put around it")
                .isNotInstanceOf(CompletionException.class);
        assertThat(shop.desk.runs()).isZero();
    }
}
