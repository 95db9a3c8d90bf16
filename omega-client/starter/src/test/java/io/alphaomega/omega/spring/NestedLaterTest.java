package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.ASK_OUTCOME;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_NESTED;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_NESTED_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Committed;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Sagas in sagas, of methods whose work is done when what they return is. */
class NestedLaterTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** How often the inner one has run. */
    private static final AtomicInteger RUNS = new AtomicInteger();

    private static SmallAlpha alpha;
    private static ConfigurableApplicationContext application;
    private static Outer outer;
    private static Inner inner;

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @Import({Outer.class, Inner.class})
    static class Shopping {}

    static class Outer {
        @SagaStart
        public <T> Mono<T> run(Mono<T> business) {
            return business;
        }

        @SagaStart
        public <T> CompletableFuture<T> future(Supplier<CompletableFuture<T>> business) {
            return business.get();
        }
    }

    /** Has the saga that it runs in. */
    static class Inner {
        @SagaStart(propagation = SagaPropagation.NESTED, timeout = "20s")
        public Mono<String> run(Mono<?> business) {
            RUNS.incrementAndGet();
            String saga = SagaContext.current().orElseThrow().saga();
            return business.thenReturn(saga);
        }

        @SagaStart(propagation = SagaPropagation.NESTED)
        public Flux<String> stream(String... elements) {
            return Flux.just(elements);
        }

        @SagaStart(propagation = SagaPropagation.NESTED)
        public CompletableFuture<String> future(boolean fails) {
            String saga = SagaContext.current().orElseThrow().saga();
            return fails
                    ? CompletableFuture.failedFuture(new IllegalStateException("no seat"))
                    : CompletableFuture.completedFuture(saga);
        }
    }

    @BeforeAll
    static void start() {
        alpha = new SmallAlpha();
        application = Applications.started(Shopping.class, "shop", alpha);
        outer = application.getBean(Outer.class);
        inner = application.getBean(Inner.class);
    }

    @AfterAll
    static void stop() {
        application.close();
        alpha.close();
    }

    /** Tells a story to an application that soon stops waiting for its alpha, one of its own, which is silent on that. */
    private void impatiently(String limit, Predicate<Input> silentOn, BiConsumer<Outer, Inner> story) {
        SmallAlpha others = alpha;
        alpha = new SmallAlpha();
        try {
            anew();
            alpha.silentOn = silentOn;
            Applications.plain()
                    .withBean(Outer.class)
                    .withBean(Inner.class)
                    .withPropertyValues(
                            "omega.alpha.addresses=" + alpha.address(),
                            "omega.begin-timeout=20s",
                            "omega.ack-timeout=20s",
                            "omega.drain-timeout=100ms") // It stays silent.
                    .withPropertyValues(limit)
                    .run(context -> {
                        AlphaClient client = context.getBean(AlphaClient.class);
                        await().until(() ->
                                client.status().stream().anyMatch(each -> each.state() == AlphaStatus.State.CONNECTED));
                        story.accept(context.getBean(Outer.class), context.getBean(Inner.class));
                    });
        } finally {
            alpha.close();
            alpha = others;
        }
    }

    @BeforeEach
    void anew() {
        alpha.silentOn = input -> false;
        alpha.answer = input -> isEndOfInner(input) ? SmallAlpha.accepted() : null;
        RUNS.set(0);
        alpha.forget();
    }

    private String outerSaga() {
        return alpha.firstTold(BEGIN_NESTED_BRANCH).getSaga();
    }

    private String branch() {
        return alpha.firstTold(BEGIN_NESTED).getBeginNested().getParentBranch();
    }

    private boolean isEndOfInner(Input input) {
        return input.hasEnd()
                && alpha.inputs().stream()
                        .anyMatch(other ->
                                other.hasBeginNested() && other.getSaga().equals(input.getSaga()));
    }

    /** Whether alpha was told that the outer saga's branch has ended, by itself or with something else. */
    private boolean isBranchEnded() {
        return alpha.told().stream()
                .anyMatch(input -> input.getCarried().getEndedList().contains(branch())
                        || (input.hasEndBranch()
                                && input.getEndBranch().getBranch().equals(branch())));
    }

    /** The business is told that the inner one has failed, and goes on. */
    private static Mono<String> goneOn(Mono<String> tried) {
        return tried.onErrorResume(
                IllegalStateException.class, thrown -> Mono.just(String.valueOf(thrown.getMessage())));
    }

    @Test
    void a_mono_is_nested_and_prepared_when_it_is_done() {
        String saga = outer.run(inner.run(Mono.empty())).block(LIMIT);

        assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, BEGIN_NESTED, END, END);
        assertThat(saga).isEqualTo(alpha.firstTold(BEGIN_NESTED).getSaga()).isNotEqualTo(outerSaga());
        assertThat(alpha.told().get(2).getSaga()).isEqualTo(saga);
        assertThat(alpha.told().get(3).getCarried().getEndedList()).containsExactly(branch());
    }

    @Test
    void each_subscription_is_a_nested_saga_and_outside_it_is_one_like_any_other() {
        Mono<String> twice = inner.run(Mono.empty());
        outer.run(twice.then(twice)).block(LIMIT);
        assertThat(alpha.toldKinds()).filteredOn(BEGIN_NESTED::equals).hasSize(2);

        alpha.forget();
        inner.run(Mono.empty()).block(LIMIT);
        assertThat(alpha.toldKinds()).doesNotContain(BEGIN_NESTED_BRANCH, BEGIN_NESTED);
    }

    @Test
    void one_that_fails_is_aborted_alone_and_who_resumes_goes_on() {
        Mono<String> failing = inner.run(Mono.error(new IllegalStateException("no seat")));
        assertThat(outer.run(goneOn(failing)).block(LIMIT)).isEqualTo("no seat");

        assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, BEGIN_NESTED, ABORT, END);
        assertThat(alpha.firstTold(ABORT).getSaga())
                .isEqualTo(alpha.firstTold(BEGIN_NESTED).getSaga());
        assertThat(alpha.firstTold(END).getSaga()).isEqualTo(outerSaga());
        assertThat(alpha.firstTold(END).getCarried().getEndedList()).containsExactly(branch());
    }

    @Test
    void one_that_is_cancelled_is_aborted_alone() {
        Sinks.Empty<String> enough = Sinks.empty();
        Mono<String> endless = inner.run(Mono.defer(() -> {
            enough.tryEmitEmpty();
            return Mono.never();
        }));
        outer.run(Mono.firstWithSignal(endless, enough.asMono())).block(LIMIT);

        await().until(() -> alpha.toldKinds().contains(ABORT) && isBranchEnded());
        assertThat(alpha.firstTold(ABORT).getSaga())
                .isEqualTo(alpha.firstTold(BEGIN_NESTED).getSaga());
        assertThat(alpha.firstTold(END).getSaga()).isEqualTo(outerSaga());
    }

    @Test
    void one_that_is_cancelled_before_it_has_begun_is_aborted_when_it_has() {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        impatiently(
                "omega.begin-timeout=2900ms",
                input -> input.hasBeginNested() && asked.complete(null),
                (hasty, within) -> {
                    hasty.run(Mono.firstWithSignal(
                                    within.run(Mono.empty()),
                                    Mono.fromFuture(asked).thenReturn("")))
                            .block(LIMIT);
                    assertThat(RUNS).hasValue(0);
                    // Alpha never says that it has begun: so the outer one is aborted, and does not wait for it.
                    await().untilAsserted(() -> assertThat(alpha.told())
                            .anyMatch(input -> input.hasFailBranch()
                                    && input.getFailBranch().getBranch().equals(branch())
                                    && !input.getFailBranch().getRolledBack()));
                });
    }

    @Test
    void an_end_that_alpha_does_not_answer_aborts_the_outer_saga() {
        impatiently(
                "omega.saga.decision-timeout=1s",
                this::isEndOfInner,
                (hasty, within) -> assertThatExceptionOfType(SagaAbortedException.class)
                        .isThrownBy(() -> hasty.run(within.run(Mono.empty())
                                        .onErrorResume(SagaException.class, unknown -> Mono.just("swallowed")))
                                .block(LIMIT))
                        .withMessageContaining("did not say what became of saga"));
    }

    @Test
    void what_alpha_does_not_let_begin_does_not_run() {
        alpha.answer = input -> input.hasBeginNested()
                ? Ack.newBuilder().setAborted(Aborted.newBuilder().setText("too late"))
                : null;
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> outer.run(inner.run(Mono.empty())).block(LIMIT))
                .withMessageContaining("too late");
        assertThat(RUNS).hasValue(0);
        assertThat(isBranchEnded()).as("it is over").isTrue();
    }

    @Test
    void the_elements_of_a_flux_pass_and_it_is_done_when_it_is_prepared() {
        assertThat(outer.run(inner.stream("a", "b").collectList()).block(LIMIT)).containsExactly("a", "b");
        assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, BEGIN_NESTED, END, END);
    }

    @Test
    void so_is_a_future() {
        String saga = outer.future(() -> inner.future(false)).join();
        assertThat(saga).isEqualTo(alpha.firstTold(BEGIN_NESTED).getSaga());
        assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, BEGIN_NESTED, END, END);

        alpha.forget();
        String told = outer.future(() -> inner.future(true).exceptionally(thrown -> "gone on"))
                .join();
        assertThat(told).isEqualTo("gone on");
        assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, BEGIN_NESTED, ABORT, END);
        assertThat(alpha.firstTold(END).getCarried().getEndedList()).containsExactly(branch());
    }

    // ---- what comes again after the commit of the outer saga

    /** By a message of another service. */
    private static <T> T received(Callable<T> business) throws Exception {
        String saga = UUID.randomUUID().toString();
        return SagaContext.received(
                        saga, "", "message", System.nanoTime() + LIMIT.toNanos(), "", PendingReports.nothing(saga))
                .call(business);
    }

    private static Ack.Builder committed() {
        return Ack.newBuilder().setCommitted(Committed.getDefaultInstance());
    }

    @Test
    void one_that_comes_again_after_the_commit_runs_in_the_same_saga_and_nothing_is_told_of_it() throws Exception {
        alpha.answer = input -> input.hasBeginNestedBranch() || input.hasAskOutcome() ? committed() : null;

        for (Callable<String> repeated : List.<Callable<String>>of(
                () -> inner.run(Mono.empty()).block(LIMIT),
                () -> inner.future(false).join())) {
            alpha.forget();
            String saga = received(repeated);
            assertThat(saga)
                    .isEqualTo(alpha.firstTold(BEGIN_NESTED_BRANCH)
                            .getBeginNestedBranch()
                            .getSaga())
                    .isEqualTo(alpha.firstTold(ASK_OUTCOME).getSaga());
            assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, ASK_OUTCOME);
        }
    }

    @Test
    void what_comes_after_the_commit_for_the_first_time_does_not_run() {
        alpha.answer = input -> input.hasBeginNestedBranch()
                ? committed()
                : Ack.newBuilder().setRejected(Rejected.newBuilder().setReason("UNKNOWN_SAGA"));

        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(() -> received(() -> inner.run(Mono.empty()).block(LIMIT)))
                .withMessageEndingWith("comes too late.");
        assertThat(RUNS).hasValue(0);
        assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, ASK_OUTCOME);
    }
}
