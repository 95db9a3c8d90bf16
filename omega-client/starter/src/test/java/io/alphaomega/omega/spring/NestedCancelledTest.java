package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_NESTED;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_NESTED_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.observation.SagaObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Sagas in sagas whose callers cancel them at the worst of times. */
class NestedCancelledTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final Watching WATCHING = new Watching();

    private static SmallAlpha alpha;
    private static ConfigurableApplicationContext application;
    private static Outer outer;
    private static Inner inner;

    /** Its completion cancels the inner one. */
    private final Sinks.Empty<String> enough = Sinks.empty();

    /** Done when the inner one is subscribed to. Reactor keeps back what is cancelled before, until that has run. */
    private volatile CompletableFuture<?> subscribed = CompletableFuture.completedFuture(null);

    /** Done when alpha was told that the inner one is not wanted. */
    private final CompletableFuture<String> unwanted = new CompletableFuture<>();

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @Import({Outer.class, Inner.class})
    static class Shopping {
        @Bean
        static ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(WATCHING);
            return registry;
        }
    }

    /** Does something where the observation of the inner one starts, and where it stops. */
    private static final class Watching implements ObservationHandler<SagaObservation> {
        private final AtomicInteger open = new AtomicInteger();
        private volatile Runnable atStart = () -> {};
        private volatile Runnable atStop = () -> {};

        @Override
        public void onStart(SagaObservation saga) {
            open.incrementAndGet();
            if (isInner(saga)) atStart.run();
        }

        @Override
        public void onStop(SagaObservation saga) {
            open.decrementAndGet();
            if (isInner(saga)) atStop.run();
        }

        private static boolean isInner(SagaObservation saga) {
            return saga.operation().contains("Inner");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof SagaObservation;
        }
    }

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

    static class Inner {
        @SagaStart(propagation = SagaPropagation.NESTED)
        public Mono<String> run() {
            RUNS.incrementAndGet();
            return Mono.just("done");
        }

        @SagaStart(propagation = SagaPropagation.NESTED)
        public CompletableFuture<String> future(CompletableFuture<String> work) {
            return work;
        }
    }

    @BeforeAll
    static void start() {
        alpha = new SmallAlpha();
        application = new SpringApplicationBuilder(Shopping.class)
                .web(WebApplicationType.NONE)
                .properties("spring.application.name=shop", "omega.alpha.addresses=" + alpha.address())
                .run();
        outer = application.getBean(Outer.class);
        inner = application.getBean(Inner.class);
    }

    @AfterAll
    static void stop() {
        application.close();
        alpha.close();
    }

    @BeforeEach
    void anew() {
        alpha.observer = input -> {
            if (input.hasBeginNested()) subscribed.join();
            if (input.hasFailBranch()) unwanted.complete("gone on");
        };
        whenPreparing(() -> {});
        WATCHING.atStart = () -> {};
        WATCHING.atStop = () -> {};
        RUNS.set(0);
        alpha.forget();
    }

    /** Does that when alpha is asked for the end of the inner saga, before it answers. */
    private void whenPreparing(Runnable first) {
        alpha.answer = input -> {
            if (!input.hasEnd() || input.getSaga().equals(outerSaga())) return null;
            first.run();
            return SmallAlpha.accepted();
        };
    }

    private String outerSaga() {
        return alpha.firstTold(BEGIN_NESTED_BRANCH).getSaga();
    }

    private void cancel() {
        enough.emitEmpty(Sinks.EmitFailureHandler.FAIL_FAST);
    }

    /** The inner one, until it is cancelled. */
    private Mono<String> cancellable() {
        Mono<String> race = Mono.firstWithSignal(enough.asMono(), inner.run());
        CompletableFuture<@Nullable Void> itsSubscription = new CompletableFuture<>();
        subscribed = itsSubscription;
        return Mono.fromDirect(caller -> {
            race.subscribe(caller);
            itsSubscription.complete(null);
        });
    }

    private void requireOuterAborted(Mono<String> outcome) {
        assertThatThrownBy(() -> outcome.block(LIMIT))
                .isInstanceOf(SagaAbortedException.class)
                .hasMessageContaining("its caller cancelled saga "
                        + alpha.firstTold(BEGIN_NESTED).getSaga());
        assertThat(alpha.told())
                .as("the branch has not ended")
                .noneMatch(input -> input.hasEndBranch() || input.getCarried().getEndedCount() > 0);
    }

    @Test
    void one_that_is_cancelled_while_alpha_prepares_it_aborts_the_outer_saga() {
        whenPreparing(this::cancel);
        requireOuterAborted(outer.run(cancellable().then(Mono.fromFuture(unwanted))));
        assertThat(alpha.toldKinds()).doesNotContain(ABORT);
    }

    @Test
    void so_does_one_that_is_cancelled_before_its_caller_has_heard_that_it_is_prepared() {
        WATCHING.atStop = this::cancel;
        requireOuterAborted(outer.run(cancellable().then(Mono.fromFuture(unwanted))));
    }

    @Test
    void so_does_a_future() {
        CompletableFuture<String> work = new CompletableFuture<>();
        requireOuterAborted(Mono.fromFuture(outer.future(() -> {
            CompletableFuture<String> its = inner.future(work);
            whenPreparing(() -> its.cancel(false));
            work.complete("done");
            return its.exceptionally(cancelled -> "gone on").thenCombine(unwanted, (told, too) -> told);
        })));
    }

    @Test
    void one_whose_caller_has_its_value_is_done_whatever_is_cancelled_then() {
        outer.run(inner.run().flux().takeUntil(value -> true).next()).block(LIMIT);
        assertThat(alpha.toldKinds()).containsExactly(BEGIN_NESTED_BRANCH, BEGIN_NESTED, END, END);
        assertThat(alpha.told().get(3).getCarried().getEndedList())
                .containsExactly(alpha.firstTold(BEGIN_NESTED).getBeginNested().getParentBranch());
    }

    @Test
    void one_that_is_cancelled_at_the_moment_that_it_begins_is_aborted_alone_and_observed_to_its_end() {
        WATCHING.atStart = this::cancel;
        outer.run(cancellable()).block(LIMIT);

        await().untilAsserted(() -> {
            assertThat(alpha.toldKinds()).contains(ABORT);
            assertThat(WATCHING.open).hasValue(0);
        });
        assertThat(alpha.firstTold(ABORT).getSaga())
                .isEqualTo(alpha.firstTold(BEGIN_NESTED).getSaga());
        assertThat(RUNS).hasValue(0);
    }
}
