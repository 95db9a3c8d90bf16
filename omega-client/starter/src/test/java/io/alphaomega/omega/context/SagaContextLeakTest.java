package io.alphaomega.omega.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Very many sagas at once, over the same threads: no step of one is ever in another, and no thread stays in one. */
class SagaContextLeakTest {
    private static final int SAGAS = 25_000;
    private static final int THREADS = 8;

    /** As many sagas at once, so that steps of different ones take turns. */
    private static final int AT_ONCE = 256;

    private final AtomicInteger steps = new AtomicInteger();
    private final List<String> crossed = java.util.Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void restore() {
        Hooks.disableAutomaticContextPropagation();
    }

    private static SagaContext saga(int number) {
        String id = "saga-" + number;
        return SagaContext.begun(id, 0, "", PendingReports.nothing(id));
    }

    /** This step belongs to that saga. */
    private void step(String expected) {
        String found = SagaContext.current().map(SagaContext::saga).orElse("none");
        if (!expected.equals(found) || !expected.equals(MDC.get(SagaContext.MDC_SAGA))) {
            crossed.add(expected + " found itself in " + found);
        }
        steps.incrementAndGet();
    }

    private void assertNoneOn(Executor executor) {
        List<CompletableFuture<@Nullable String>> found = new ArrayList<>();
        CountDownLatch all = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            found.add(CompletableFuture.supplyAsync(
                    () -> {
                        all.countDown();
                        try {
                            if (!all.await(30, TimeUnit.SECONDS)) return "not all threads";
                        } catch (InterruptedException e) {
                            return "interrupted";
                        }
                        return SagaContext.current().map(SagaContext::toString).orElse(MDC.get(SagaContext.MDC_SAGA));
                    },
                    executor));
        }
        assertThat(found).extracting(CompletableFuture::join).containsOnlyNulls();
    }

    /** Each saga hops over the executor from step to step. */
    private void hop(Executor executor, int hops) throws InterruptedException {
        java.util.concurrent.Semaphore room = new java.util.concurrent.Semaphore(AT_ONCE);
        for (int i = 0; i < SAGAS; i++) {
            room.acquire();
            SagaContext saga = saga(i);
            saga.run(() -> {
                step(saga.saga());
                hop(executor, saga.saga(), hops, room::release);
            });
            assertThat(SagaContext.current()).isEmpty();
        }
        room.acquire(AT_ONCE);
        assertThat(crossed).isEmpty();
        assertThat(steps).hasValue(SAGAS * (hops + 1));
    }

    private void hop(Executor executor, String saga, int left, Runnable done) {
        executor.execute(() -> {
            step(saga);
            if (left == 1) done.run();
            else hop(executor, saga, left - 1, done);
        });
    }

    @Test
    void over_a_pool_as_that_of_async_methods() throws Exception {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(THREADS);
        executor.setTaskDecorator(new ContextPropagatingTaskDecorator());
        executor.initialize();
        try {
            hop(executor, 2);
            assertNoneOn(executor);
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void over_a_pool_that_is_wrapped() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        ExecutorService executor = ContextExecutorService.wrap(
                pool, () -> ContextSnapshotFactory.builder().build().captureAll());
        try {
            hop(executor, 2);
            assertNoneOn(pool);
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void over_threads_of_their_own_virtual_ones_where_there_are() throws Exception {
        SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor();
        executor.setVirtualThreads(Runtime.version().feature() >= 21);
        executor.setTaskDecorator(new ContextPropagatingTaskDecorator());
        hop(executor, 1);
    }

    @Test
    void by_hand() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < SAGAS; i++) {
                SagaContext saga = saga(i);
                all.add(CompletableFuture.runAsync(() -> saga.run(() -> step(saga.saga())), pool));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
            assertThat(crossed).isEmpty();
            assertThat(saga(1).call(() -> SagaContext.current().orElseThrow().saga()))
                    .isEqualTo("saga-1");
            assertNoneOn(pool);
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void through_reactor_over_all_of_its_schedulers() {
        Hooks.enableAutomaticContextPropagation();
        Long many = Flux.range(0, SAGAS)
                .flatMap(
                        number -> {
                            SagaContext saga = saga(number);
                            return Mono.fromRunnable(() -> step(saga.saga()))
                                    .subscribeOn(number % 2 == 0 ? Schedulers.parallel() : Schedulers.boundedElastic())
                                    .then(Mono.defer(() -> {
                                        step(saga.saga());
                                        return Mono.just(number);
                                    }))
                                    .publishOn(Schedulers.single())
                                    .doOnNext(each -> step(saga.saga()))
                                    .publishOn(Schedulers.parallel())
                                    .map(each -> {
                                        step(saga.saga());
                                        return each;
                                    })
                                    .contextWrite(context -> context.put(SagaContextAccessor.KEY, saga));
                        },
                        AT_ONCE)
                .doOnNext(each -> {
                    if (SagaContext.current().isPresent()) crossed.add("outside: " + SagaContext.current());
                })
                .count()
                .block(Duration.ofSeconds(60));
        assertThat(many).isEqualTo(SAGAS);
        assertThat(crossed).isEmpty();
        assertThat(steps).hasValue(SAGAS * 4);
    }
}
