package io.alphaomega.omega.transport;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaSnapshot;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The service that {@link Outage} watches: from its start it begins sagas, as many without alpha as with it. */
@Configuration(proxyBeanMethods = false)
@Import({Shop.class, OutageShop.Later.class, OutageShop.Endpoint.class, OutageShop.Load.class})
class OutageShop {
    public static void main(String[] args) {
        SpringApplication.run(OutageShop.class, args);
    }

    /** Sagas and branches that are reactive. */
    static class Later {
        @SagaStart
        public Mono<Void> run(Supplier<Mono<Void>> business) {
            return business.get();
        }

        @Compensable(compensationMethod = "giveBack", fenced = false)
        public Mono<Void> take(String item) {
            return Mono.empty();
        }

        public void giveBack(String item) {}
    }

    /** Does what a participant says that has no answer of alpha either. */
    @ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
    static class NoAlpha extends RuntimeException {}

    @RestController
    static class Endpoint {
        private final Load load;
        private final AlphaClient alpha;

        Endpoint(Load load, AlphaClient alpha) {
            this.load = load;
            this.alpha = alpha;
        }

        @PostMapping("/unavailable")
        void refuse() {
            throw new NoAlpha();
        }

        /** What {@link Outage.Figures#parse} reads; the longest times are those since it was asked before. */
        @GetMapping("/figures")
        String figures() {
            System.gc(); // What is left then is what is held.
            AlphaSnapshot now = alpha.snapshot().join();
            return new Outage.Figures(
                            ManagementFactory.getMemoryMXBean()
                                    .getHeapMemoryUsage()
                                    .getUsed(),
                            now.unanswered(),
                            now.withoutRoom(),
                            load.committed.get(),
                            load.failed.get(),
                            load.longestBegin.getAndSet(0),
                            load.longestAbort.getAndSet(0))
                    .toString();
        }
    }

    /** Sagas without end: of threads that wait, and of subscribers that do not. */
    static class Load {
        /** Of each kind. */
        private static final int THREADS = 16;

        /** A saga of each kind that long after the one before. */
        private static final Duration EVERY = Duration.ofMillis(10);

        final AtomicLong committed = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong longestBegin = new AtomicLong();
        final AtomicLong longestAbort = new AtomicLong();
        private final Orders orders;
        private final Later later;
        private final Stock stock;
        private final RestClient rest;
        private final WebClient web;

        Load(
                Orders orders,
                Later later,
                Stock stock,
                RestClient.Builder rest,
                WebClient.Builder web,
                @Value("http://127.0.0.1:${server.port}") String here) {
            this.orders = orders;
            this.later = later;
            this.stock = stock;
            this.rest = rest.baseUrl(here).build();
            this.web = web.baseUrl(here).build();
        }

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            for (int i = 0; i < THREADS; i++) {
                again(longestBegin, () -> orders.run(() -> stock.take(item())));
                again(
                        longestAbort,
                        () -> orders.run(
                                () -> rest.post().uri("/unavailable").retrieve().toBodilessEntity()));
            }
            again(() -> later.run(() -> later.take(item())));
            again(() -> later.run(() ->
                    web.post().uri("/unavailable").retrieve().toBodilessEntity().then()));
        }

        private static String item() {
            return UUID.randomUUID().toString();
        }

        private void again(AtomicLong longest, Runnable saga) {
            Thread.ofPlatform().daemon().start(() -> {
                while (true) {
                    long begin = System.nanoTime();
                    try {
                        saga.run();
                        committed.incrementAndGet();
                    } catch (SagaException | RestClientException e) {
                        failed.incrementAndGet();
                    }
                    longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
                }
            });
        }

        private void again(Supplier<Mono<Void>> saga) {
            Flux.interval(EVERY)
                    .onBackpressureDrop()
                    .flatMap(
                            number -> Mono.defer(saga)
                                    .doOnSuccess(nothing -> committed.incrementAndGet())
                                    .doOnError(failure -> failed.incrementAndGet())
                                    .onErrorComplete(),
                            Integer.MAX_VALUE)
                    .subscribe();
        }
    }
}
