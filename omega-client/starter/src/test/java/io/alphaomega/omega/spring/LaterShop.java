package io.alphaomega.omega.spring;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the tests run whose work is done later: sagas that do what a test says, and branches. */
class LaterShop {
    record Receipt(String number) {}

    /** The sagas. */
    static class Counter {
        @SagaStart
        public Mono<String> mono(Supplier<Mono<String>> business) {
            return business.get();
        }

        @SagaStart
        public Flux<String> flux(Supplier<Flux<String>> business) {
            return business.get();
        }

        @SagaStart
        public CompletableFuture<String> future(Supplier<CompletableFuture<String>> business) {
            return business.get();
        }

        @SagaStart(propagation = SagaPropagation.REQUIRES_NEW)
        public Mono<String> monoApart(Supplier<Mono<String>> business) {
            return business.get();
        }

        @SagaStart(noAbortFor = Shop.Harmless.class)
        public Mono<String> monoAllTheSame(Supplier<Mono<String>> business) {
            return business.get();
        }

        @SagaStart(noAbortFor = Shop.Harmless.class)
        public CompletableFuture<String> futureAllTheSame(Supplier<CompletableFuture<String>> business) {
            return business.get();
        }

        @SagaStart(autoClose = false)
        public Mono<String> open(Supplier<Mono<String>> business) {
            return business.get();
        }

        @SagaEnd
        public Mono<Void> close() {
            return Mono.empty();
        }

        @SagaStart
        public String plain(Supplier<String> business) {
            return business.get();
        }

        @SagaStart(propagation = SagaPropagation.MANDATORY)
        public String joining(Supplier<String> business) {
            return business.get();
        }
    }

    /** The participant. */
    static class Desk {
        private final AtomicInteger runs = new AtomicInteger();
        private final Queue<String> undone = new ConcurrentLinkedQueue<>();

        @Compensable(compensationMethod = "forget", fenced = false)
        public Mono<String> mono(Supplier<Mono<String>> business) {
            runs.incrementAndGet();
            return business.get();
        }

        @Compensable(compensationMethod = "forget", name = "flux", fenced = false)
        public Flux<String> flux(Supplier<Flux<String>> business) {
            runs.incrementAndGet();
            return business.get();
        }

        @Compensable(compensationMethod = "forget", name = "future", fenced = false)
        public CompletableFuture<String> future(Supplier<CompletableFuture<String>> business) {
            runs.incrementAndGet();
            return business.get();
        }

        @Compensable(compensationMethod = "forget", name = "clean", fenced = false, cleanOnException = true)
        public Mono<String> cleanMono(Supplier<Mono<String>> business) {
            return business.get();
        }

        @Compensable(
                compensationMethod = "forget",
                name = "retriedMono",
                fenced = false,
                cleanOnException = true,
                forwardRetries = 2,
                forwardRetryDelay = "1ms")
        public Mono<String> retriedMono(Supplier<Mono<String>> business) {
            runs.incrementAndGet();
            return business.get();
        }

        @Compensable(
                compensationMethod = "forget",
                name = "retriedFuture",
                fenced = false,
                cleanOnException = true,
                forwardRetries = 2,
                forwardRetryDelay = "1ms")
        public CompletionStage<String> retriedFuture(Supplier<CompletableFuture<String>> business) {
            runs.incrementAndGet();
            return business.get();
        }

        @Compensable(compensationMethod = "cancel", fenced = false)
        public Mono<Receipt> order(String item) {
            return Mono.delay(Duration.ofMillis(1)).map(waited -> new Receipt("R-" + item));
        }

        public Mono<Void> cancel(String item, @Nullable Receipt receipt) {
            return Mono.delay(Duration.ofMillis(1))
                    .doOnNext(waited -> undone.add(item + " " + (receipt == null ? "nothing" : receipt.number())))
                    .then();
        }

        @Compensable(compensationMethod = "cancelHuge", fenced = false)
        public CompletableFuture<String> huge(String item) {
            return CompletableFuture.supplyAsync(() -> item.repeat(100_000));
        }

        public CompletableFuture<Void> cancelHuge(String item, String result) {
            return CompletableFuture.runAsync(() -> undone.add(item));
        }

        @Compensable(compensationMethod = "forget", name = "plain")
        public String plain(String item) {
            return item;
        }

        public void forget() {}

        /** Forgets what was before. */
        void anew() {
            runs.set(0);
            undone.clear();
        }

        int runs() {
            return runs.get();
        }

        List<String> undone() {
            return List.copyOf(undone);
        }
    }
}
