package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

/** What a start says of methods whose work is done later. */
@ExtendWith(OutputCaptureExtension.class)
class LaterStartUpTest {
    @TempDir
    Path directory;

    private static ApplicationContextRunner plain(Class<?> bean) {
        return Applications.plain()
                .withPropertyValues("omega.alpha.addresses=127.0.0.1:1")
                .withBean(bean);
    }

    private ApplicationContextRunner fenced(Class<?> bean) {
        return Applications.withDatabase(directory)
                .withPropertyValues("omega.alpha.addresses=127.0.0.1:1")
                .withBean(bean);
    }

    private static void refused(ApplicationContextRunner application, String... sentences) {
        application.run(context -> {
            assertThat(context).as(sentences[0]).hasFailed();
            Applications.assertRefused(context, sentences);
        });
    }

    static class Published {
        @SagaStart
        public Publisher<String> sell() {
            return Mono.empty();
        }
    }

    static class Flowing {
        @SagaStart
        public Flow.Publisher<String> sell() {
            return subscriber -> {};
        }
    }

    static class Parallel {
        @SagaStart
        public ParallelFlux<String> sell() {
            return Flux.<String>empty().parallel();
        }
    }

    @Test
    void what_else_returns_before_its_work_is_done_is_refused() {
        for (Class<?> bean : List.of(Published.class, Flowing.class, Parallel.class)) {
            refused(
                    plain(bean),
                    bean.getSimpleName() + ".sell() is @SagaStart and returns a ",
                    "it returns before its work is done");
        }
    }

    static class FencedFuture {
        @Compensable(compensationMethod = "undo")
        public CompletableFuture<String> order() {
            return CompletableFuture.completedFuture("");
        }

        public void undo() {}
    }

    static class AsyncFuture {
        @Async
        @Compensable(compensationMethod = "undo")
        public CompletableFuture<String> order() {
            return CompletableFuture.completedFuture("");
        }

        public void undo() {}
    }

    @EnableAsync
    static class WithAsync {}

    @Test
    void a_future_behind_the_fence_must_be_one_of_async_and_without_a_fence_need_not() {
        refused(
                fenced(FencedFuture.class),
                "FencedFuture.order() returns a CompletableFuture and is not @Async",
                "outside the fence's transaction");
        refused(fenced(AsyncFuture.class), "is not @Async"); // Nobody has switched it on.
        fenced(AsyncFuture.class)
                .withUserConfiguration(WithAsync.class)
                .run(context -> assertThat(context).hasNotFailed());
        plain(FencedFuture.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Unguarded {
        @Compensable(compensationMethod = "undo")
        public Mono<String> order() {
            return Mono.empty();
        }

        @Compensable(compensationMethod = "undo", name = "known", fenced = false)
        public Flux<String> orderKnowingly() {
            return Flux.empty();
        }

        public void undo() {}
    }

    @Test
    void what_no_fence_guards_is_named_unless_the_method_knows(CapturedOutput log) {
        fenced(Unguarded.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(log)
                .contains(
                        "since they return a Flux or a Flow, or, in a service without R2DBC and its transaction manager, a Mono, or are suspend functions: LaterStartUpTest.Unguarded.order.")
                .contains("spring.reactor.context-propagation");
    }

    static class CompensatedOnException {
        @Compensable(compensationMethod = "undo", compensateOnException = true)
        public Mono<String> order() {
            return Mono.empty();
        }

        public void undo() {}
    }

    static class RetriedFlux {
        @Compensable(compensationMethod = "undo", forwardRetries = 1)
        public Flux<String> order() {
            return Flux.empty();
        }

        public void undo() {}
    }

    static class TransactionalMono {
        @Transactional
        @Compensable(compensationMethod = "undo", fenced = false)
        public Mono<String> order() {
            return Mono.empty();
        }

        public void undo() {}
    }

    static class LaterCompensation {
        @Compensable(compensationMethod = "undo")
        public void order() {}

        public Mono<Void> undo() {
            return Mono.empty();
        }
    }

    static class FluxResult {
        @Compensable(compensationMethod = "undo", fenced = false)
        public Flux<String> order() {
            return Flux.empty();
        }

        public void undo(Flux<String> result) {}
    }

    @Test
    void what_cannot_be_right_is_refused() {
        refused(
                fenced(CompensatedOnException.class),
                "says compensateOnException, but returns a Mono: that it began is noted nowhere");
        refused(plain(RetriedFlux.class), "has forwardRetries, but returns a Flux");
        refused(
                fenced(TransactionalMono.class),
                "TransactionalMono.order() returns a Mono, but its transaction is one of a thread");
        refused(plain(LaterCompensation.class), "undo() is a compensation and returns a Mono");
        refused(plain(FluxResult.class), "must be one of undo(), found");
    }

    /** Public, since its proxy is of another class loader. */
    public static class Plain {
        @SagaStart
        public CompletableFuture<String> sell() {
            return CompletableFuture.completedFuture("");
        }

        @Compensable(compensationMethod = "undo")
        public void order() {}

        public void undo() {}
    }

    @Test
    void reactor_need_not_be_there() {
        plain(Plain.class)
                .withClassLoader(
                        new FilteredClassLoader("reactor", "org.reactivestreams", "org.springframework.web.reactive"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Joining {
        @SagaStart(propagation = SagaPropagation.REQUIRED)
        public Mono<String> sell() {
            return Mono.empty();
        }
    }

    static class Bound {
        @SagaStart(propagation = SagaPropagation.MANDATORY)
        public CompletableFuture<String> sell() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class Apart {
        @SagaStart(propagation = SagaPropagation.NEVER)
        public Flux<String> sell() {
            return Flux.empty();
        }
    }

    @Test
    void what_is_done_later_has_a_saga_of_its_own() {
        refused(plain(Joining.class), "has propagation REQUIRED, but returns a Mono");
        refused(plain(Bound.class), "has propagation MANDATORY, but returns a CompletableFuture");
        refused(plain(Apart.class), "has propagation NEVER, but returns a Flux");
    }
}
