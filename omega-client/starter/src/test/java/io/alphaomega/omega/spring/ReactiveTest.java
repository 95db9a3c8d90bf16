package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.FAIL_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.Input;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Methods that return a Mono or a Flux, as sagas and as branches. */
class ReactiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static RunningLaterShop shop = new RunningLaterShop();

    private static Mono<String> booked(String what) {
        return Mono.delay(Duration.ofMillis(1)).map(waited -> what);
    }

    @Test
    void nothing_happens_before_somebody_subscribes() {
        AtomicInteger called = new AtomicInteger();
        Mono<String> saga = shop.counter.mono(() -> {
            called.incrementAndGet();
            return shop.desk.mono(() -> booked("car"));
        });
        Mono<String> branch = shop.desk.mono(() -> booked("car"));
        Flux<String> elements = shop.desk.flux(() -> Flux.just("car"));

        assertThat(List.of(saga, branch, elements)).hasSize(3);
        assertThat(called).hasValue(0);
        assertThat(shop.desk.runs()).isEqualTo(0);
        assertThat(shop.told()).isEmpty();
    }

    @Test
    void a_branch_ends_and_a_saga_is_committed_when_their_monos_are_done() {
        AtomicBoolean toldEarly = new AtomicBoolean();
        CompletableFuture<String> result = new CompletableFuture<>();
        AtomicReference<String> value = new AtomicReference<>();
        shop.alpha.observer = input -> {
            if (input.hasEnd() && result.isDone()) toldEarly.set(true);
            if (input.hasEndBranch() && !"car".equals(value.get())) toldEarly.set(true);
        };
        shop.counter
                .mono(() ->
                        shop.desk.mono(() -> booked("car").doOnNext(value::set)).map(car -> car + " booked"))
                .subscribe(result::complete, result::completeExceptionally);

        assertThat(result).succeedsWithin(LIMIT).isEqualTo("car booked");
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(toldEarly)
                .as("an end before the work's, or an answer before alpha's")
                .isFalse();
        assertThat(shop.told().get(0).getCarried().getBegin().getOperation()).isEqualTo("LaterShop.Counter.mono");
        assertThat(shop.branches().get(0).getFenced()).isFalse();
    }

    @Test
    void an_empty_mono_is_done_as_well() {
        assertThat(shop.counter.mono(() -> shop.desk.mono(Mono::empty)).blockOptional(LIMIT))
                .isEmpty();
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void the_elements_of_a_flux_pass_and_its_end_waits_for_alpha() {
        AtomicInteger passed = new AtomicInteger();
        AtomicInteger before = new AtomicInteger(-1);
        shop.alpha.observer = input -> {
            if (input.hasEndBranch()) before.set(passed.get());
        };
        List<String> all = shop.counter
                .flux(() -> shop.desk.flux(() -> Flux.just("a", "b", "c")).doOnNext(each -> passed.incrementAndGet()))
                .collectList()
                .block(LIMIT);
        assertThat(all).containsExactly("a", "b", "c");
        assertThat(before).hasValue(3);
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void an_error_fails_the_branch_and_aborts_the_saga_and_is_passed_on_as_it_is() {
        Shop.OutOfStock error = new Shop.OutOfStock("no unicorns left");
        assertThatThrownBy(() -> shop.counter
                        .mono(() -> shop.desk.mono(() -> booked("unicorn").then(Mono.error(error))))
                        .block(LIMIT))
                .isSameAs(error);
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, FAIL_BRANCH, ABORT);
        assertThat(shop.failed().get(0).getCause()).isEqualTo("OutOfStock: no unicorns left");
        assertThat(shop.failed().get(0).getRolledBack())
                .as("nobody knows what it has done")
                .isFalse();
    }

    @Test
    void an_error_of_a_flux_and_one_that_is_thrown_before_anything_is_returned_are_failures_too() {
        assertThatThrownBy(() -> shop.counter
                        .flux(() ->
                                shop.desk.flux(() -> Flux.concat(Flux.just("a"), Flux.error(new Shop.OutOfStock("b")))))
                        .blockLast(LIMIT))
                .isInstanceOf(Shop.OutOfStock.class);
        assertThatThrownBy(() -> shop.counter
                        .mono(() -> shop.desk.cleanMono(() -> {
                            throw new Shop.OutOfStock("c");
                        }))
                        .block(LIMIT))
                .isInstanceOf(Shop.OutOfStock.class);
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, FAIL_BRANCH, ABORT, BEGIN_BRANCH, FAIL_BRANCH, ABORT);
        assertThat(shop.failed().get(1).getRolledBack())
                .as("it says cleanOnException")
                .isTrue();
    }

    @Test
    void a_harmless_error_does_not_abort() {
        assertThatThrownBy(() -> shop.counter
                        .monoAllTheSame(
                                () -> shop.desk.mono(() -> booked("car")).then(Mono.error(new Shop.Harmless())))
                        .block(LIMIT))
                .isInstanceOf(Shop.Harmless.class);
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void a_saga_that_somebody_else_has_aborted_is_an_error_and_not_a_value() {
        assertThatThrownBy(() -> shop.counter
                        .mono(() -> shop.desk.mono(() -> {
                            abort("a person");
                            return booked("car");
                        }))
                        .block(LIMIT))
                .isInstanceOfSatisfying(
                        SagaAbortedException.class, e -> assertThat(e.text()).isEqualTo("a person"));
    }

    private static void abort(String text) {
        shop.alpha.abort(shop.told().get(shop.told().size() - 1).getSaga(), Aborted.Cause.OPERATOR, "", text);
    }

    @Test
    void a_branch_that_alpha_does_not_let_begin_does_not_run() {
        assertThatThrownBy(() -> shop.counter
                        .mono(() -> shop.desk
                                .mono(() -> booked("car"))
                                .doOnNext(car -> abort("a person"))
                                .then(shop.desk.mono(() -> booked("room"))))
                        .block(LIMIT))
                .isInstanceOf(SagaAbortedException.class);
        assertThat(shop.desk.runs()).isEqualTo(1);
    }

    @Test
    void each_subscription_is_a_saga_of_its_own() {
        Mono<String> saga = shop.counter.mono(() -> shop.desk.mono(() -> booked("car")));
        assertThat(saga.zipWith(saga).block(LIMIT)).isNotNull();
        assertThat(shop.told().stream().map(Input::getSaga).distinct()).hasSize(2);
        assertThat(shop.told()).hasSize(6);
    }

    @Test
    void each_subscription_to_a_branch_is_one_and_a_repetition_of_a_failed_one_comes_too_late() {
        AtomicInteger tries = new AtomicInteger();
        assertThatThrownBy(() -> shop.counter
                        .mono(() -> shop.desk
                                .mono(() -> tries.incrementAndGet() < 2
                                        ? Mono.error(new Shop.OutOfStock("not yet"))
                                        : booked("car"))
                                .retry(1))
                        .block(LIMIT))
                .isInstanceOf(SagaAbortedException.class);
        assertThat(tries).hasValue(1);
        assertThat(shop.branches())
                .extracting(BeginBranch::getBranch)
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void a_saga_may_be_retried_as_a_whole() {
        AtomicInteger tries = new AtomicInteger();
        String result = shop.counter
                .mono(() -> shop.desk.mono(
                        () -> tries.incrementAndGet() < 2 ? Mono.error(new Shop.OutOfStock("not yet")) : booked("car")))
                .retry(1)
                .block(LIMIT);
        assertThat(result).isEqualTo("car");
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, FAIL_BRANCH, ABORT, BEGIN_BRANCH, END_BRANCH, END);
    }

    @Test
    void further_tries_are_one_branch_and_make_the_same_calls() {
        AtomicInteger tries = new AtomicInteger();
        List<String> inner = new CopyOnWriteArrayList<>();
        String result = shop.counter
                .mono(() -> shop.desk.retriedMono(() -> {
                    inner.add(SagaContext.current().orElseThrow().nextBranch("inner"));
                    return tries.incrementAndGet() < 3 ? Mono.error(new Shop.OutOfStock("not yet")) : booked("car");
                }))
                .block(LIMIT);
        assertThat(result).isEqualTo("car");
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, END);
        assertThat(inner).hasSize(3).containsOnly(inner.get(0));
    }

    @Test
    void a_branch_that_is_cancelled_has_failed_and_so_has_a_saga() {
        Sinks.One<String> never = Sinks.one();
        AtomicBoolean cancelled = new AtomicBoolean();
        Disposable subscription = shop.counter
                .mono(() -> shop.desk.mono(() -> never.asMono().doOnCancel(() -> cancelled.set(true))))
                .subscribe();
        await().until(() -> shop.desk.runs() == 1);
        subscription.dispose();

        await().until(() -> shop.kinds().contains(FAIL_BRANCH) && shop.kinds().contains(ABORT));
        assertThat(cancelled).isTrue();
        assertThat(shop.failed().get(0).getCause()).contains("cancelled");
        assertThat(shop.failed().get(0).getRolledBack()).isFalse();
    }

    @Test
    void a_flux_that_is_not_read_to_its_end_is_cancelled() {
        shop.counter
                .flux(() -> shop.desk.flux(() -> Flux.just("a", "b", "c")))
                .take(1)
                .blockLast(LIMIT);
        await().until(() -> shop.kinds().contains(FAIL_BRANCH) && shop.kinds().contains(ABORT));
    }

    @Test
    void a_branch_that_is_cancelled_before_alpha_has_answered_does_not_run() {
        shop.alpha.silentOn = Input::hasBeginBranch;
        Disposable subscription =
                shop.counter.mono(() -> shop.desk.mono(() -> booked("car"))).subscribe();
        await().until(() -> shop.kinds().contains(BEGIN_BRANCH));
        subscription.dispose();
        await().until(() -> shop.kinds().contains(FAIL_BRANCH) && shop.kinds().contains(ABORT));
        assertThat(shop.failed().get(0).getRolledBack()).isTrue();
        assertThat(shop.desk.runs()).isEqualTo(0);
    }

    @Test
    void one_that_is_cancelled_when_it_is_done_and_alpha_has_not_answered_aborts_the_saga_of_who_goes_on_without_it() {
        CompletableFuture<Void> ending = new CompletableFuture<>();
        shop.alpha.silentOn = input -> input.hasEndBranch() && ending.complete(null);
        Mono<String> enough = Mono.fromFuture(ending).thenReturn("gone on");
        assertThatThrownBy(() -> shop.counter
                        .mono(() -> Mono.firstWithSignal(shop.desk.mono(() -> booked("car")), enough))
                        .block(LIMIT))
                .isInstanceOf(SagaAbortedException.class);
        assertThat(shop.kinds()).contains(END_BRANCH, ABORT).doesNotContain(END, FAIL_BRANCH);
    }

    @Test
    void a_compensation_gets_the_result_and_is_waited_for() {
        shop.counter
                .mono(() -> shop.desk.order("car").map(LaterShop.Receipt::number))
                .block(LIMIT);
        Input begin = shop.told().get(0);
        Input end = shop.told().get(1);
        assertThat(shop.alpha
                        .call(callback -> callback.setSaga(begin.getSaga())
                                .setBranch(begin.getBeginBranch().getBranch())
                                .setKind(CallbackKind.COMPENSATION)
                                .setAttempt(1)
                                .setName("LaterShop.Desk.cancel")
                                .setArguments(begin.getBeginBranch().getArguments())
                                .setForwardEnded(true)
                                .setResult(end.getEndBranch().getResult()))
                        .hasFailure())
                .isFalse();
        assertThat(shop.desk.undone()).containsExactly("car R-car");
    }

    @Test
    void sagas_do_not_nest_and_one_may_be_ended_elsewhere() {
        assertThatThrownBy(() -> shop.counter
                        .mono(() -> shop.counter.mono(() -> booked("car")))
                        .block(LIMIT))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("it did not run. It may join that one");
        assertThatThrownBy(() -> shop.counter.close().block(LIMIT))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("outside one, it did not run");

        int before = shop.told().size();
        AtomicReference<SagaContext> open = new AtomicReference<>();
        shop.counter
                .open(() -> {
                    open.set(SagaContext.current().orElseThrow());
                    return shop.desk.mono(() -> booked("car"));
                })
                .block(LIMIT);
        assertThat(shop.told().subList(before, shop.told().size()))
                .extracting(Input::getKindCase)
                .containsExactly(BEGIN_BRANCH, END_BRANCH);
        shop.counter
                .close()
                .contextWrite(context -> context.put(SagaContextAccessor.KEY, open.get()))
                .block(LIMIT);
        assertThat(shop.told().get(shop.told().size() - 1).getKindCase()).isEqualTo(END);
    }

    @Test
    void the_context_decides_on_whichever_thread_somebody_subscribes() throws Exception {
        shop.counter
                .mono(() -> Mono.just("car")
                        .publishOn(Schedulers.boundedElastic())
                        .flatMap(car -> shop.desk.mono(() -> booked(car)))
                        .publishOn(Schedulers.single())
                        .flatMap(car -> shop.desk.mono(() -> shop.desk.mono(() -> booked(car)))))
                .block(LIMIT);
        List<BeginBranch> branches = shop.branches();
        assertThat(branches).hasSize(3);
        assertThat(branches.get(0).getParent()).isEmpty();
        assertThat(branches.get(1).getParent()).isEmpty();
        assertThat(branches.get(2).getParent()).isEqualTo(branches.get(1).getBranch());
        assertThat(shop.told().stream().map(Input::getSaga).distinct()).hasSize(1);
    }

    @Test
    void a_plain_saga_waits_for_the_monos_it_blocks_for() {
        String saga = shop.counter.plain(() -> {
            assertThat(shop.desk
                            .mono(() -> booked("car"))
                            .subscribeOn(Schedulers.boundedElastic())
                            .block(LIMIT))
                    .isEqualTo("car");
            return SagaContext.current().orElseThrow().saga();
        });
        assertThat(shop.told()).hasSize(3).allMatch(input -> input.getSaga().equals(saga));
    }

    @Test
    void sagas_and_branches_are_observed_from_their_begin_to_their_end() {
        shop.counter.mono(() -> shop.desk.mono(() -> booked("car"))).block(LIMIT);
        shop.counter.flux(() -> shop.desk.flux(() -> Flux.just("a", "b"))).blockFirst(LIMIT);

        MeterRegistry timers = shop.application.getBean(MeterRegistry.class);
        assertThat(timers.get("omega.saga")
                        .tags("operation", "LaterShop.Counter.mono", "outcome", "COMMITTED")
                        .timer()
                        .count())
                .isPositive();
        assertThat(timers.get("omega.branch")
                        .tags("operation", "LaterShop.Desk.mono", "outcome", "ENDED")
                        .timer()
                        .count())
                .isPositive();
        for (String each : List.of("omega.saga.active", "omega.branch.active")) {
            await().untilAsserted(() ->
                    assertThat(timers.get(each).longTaskTimers()).allMatch(timer -> timer.activeTasks() == 0));
        }
    }

    @Test
    void outside_a_saga_it_is_an_ordinary_method() {
        assertThat(shop.desk.mono(() -> booked("car")).block(LIMIT)).isEqualTo("car");
        assertThat(shop.told()).isEmpty();
    }

    @Test
    void what_is_plain_and_waits_for_alpha_does_not_run_where_nothing_may_wait() throws Exception {
        assertRefused(() -> shop.counter.plain(() -> "car"));
        SagaTemplate sagas = shop.application.getBean(SagaTemplate.class);
        assertRefused(() -> sagas.outcome("saga-1"));
        assertRefused(() -> sagas.resume("saga-1", "key", saga -> "car"));
        Omega omega = shop.application.getBean(Omega.class);
        shop.counter.plain(() -> {
            SagaContext saga = SagaContext.current().orElseThrow();
            assertRefused(() -> in(saga, () -> shop.counter.joining(() -> "car")));
            assertRefused(() -> in(saga, () -> {
                omega.abort("changed my mind");
                return "";
            }));
            return "";
        });
        assertThat(shop.told()).isEmpty();
    }

    private static String in(SagaContext saga, Supplier<String> business) {
        SagaContext.Scope scope = saga.open();
        try {
            return business.get();
        } finally {
            scope.close();
        }
    }

    private static void assertRefused(Supplier<?> onAnEventLoop) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Schedulers.parallel().schedule(() -> {
            try {
                thrown.complete(new AssertionError("it ran: " + onAnEventLoop.get()));
            } catch (Throwable e) {
                thrown.complete(e);
            }
        });
        assertThat(thrown.orTimeout(30, TimeUnit.SECONDS).join())
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("a thread on which nothing may wait; it did not run");
    }

    @Test
    void a_saga_of_its_own_may_be_called_in_one() {
        String both = shop.counter
                .mono(() -> shop.desk
                        .mono(() -> Mono.just("car"))
                        .flatMap(car -> shop.counter
                                .monoApart(() -> shop.desk.mono(() -> Mono.just("room")))
                                .map(room -> car + " " + room)))
                .block(LIMIT);
        assertThat(both).isEqualTo("car room");
        assertThat(shop.kinds()).containsExactly(BEGIN_BRANCH, END_BRANCH, BEGIN_BRANCH, END_BRANCH, END, END);
        List<String> sagas = shop.told().stream().map(Input::getSaga).toList();
        assertThat(sagas.get(2))
                .isNotEqualTo(sagas.get(0))
                .isEqualTo(sagas.get(3))
                .isEqualTo(sagas.get(4));
        assertThat(sagas.get(5)).isEqualTo(sagas.get(0));
    }
}
