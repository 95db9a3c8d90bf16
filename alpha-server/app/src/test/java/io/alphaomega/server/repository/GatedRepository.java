package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A repository in memory whose appends wait until a test lets them through, and fail if it says so. */
final class GatedRepository extends ForwardingSagaRepository {
    private static final String LOOP = "test-loop";
    private static final Instant AT = Instant.parse("2026-11-20T08:00:00Z");

    /** What was asked for, batch by batch. */
    final List<List<Append>> batches = new CopyOnWriteArrayList<>();
    /** Each append takes one. */
    final Semaphore gate = new Semaphore(0);

    volatile UnaryOperator<List<AppendResult>> answer = results -> results;
    volatile Health health = new Health.Up();
    final AtomicInteger checks = new AtomicInteger();
    volatile Runnable loading = () -> {};
    volatile boolean closed;
    private final boolean async;
    private final ExecutorService loop = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name(LOOP).factory());

    GatedRepository() {
        this(false);
    }

    /** @param async whether it appends on an event loop */
    GatedRepository(boolean async) {
        super(new InMemorySagaRepository());
        this.async = async;
    }

    /** An append to a running saga, which conflicts; it travels like any other. */
    static Append running(String saga, int bytes) {
        Append first = append(saga, bytes);
        return new Append(first.id(), new Version(1, "somebody's"), first.events(), first.summary());
    }

    static Append running(String saga) {
        return running(saga, 10);
    }

    /** A first append of a saga, with an event of so many bytes. */
    static Append append(String saga, int bytes) {
        SagaId id = new SagaId(saga);
        SagaSummary summary = new SagaSummary(
                id,
                SagaSummary.State.ACTIVE,
                "booking",
                "book",
                "",
                Set.of("booking"),
                0,
                "",
                false,
                AT,
                AT,
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty());
        return new Append(id, Version.NONE, List.of(StoredEvent.of("saga.begun.v1", new byte[bytes])), summary);
    }

    static Append append(String saga) {
        return append(saga, 10);
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        batches.add(batch);
        gate.acquireUninterruptibly();
        return answer.apply(super.append(batch));
    }

    @Override
    public Optional<AsyncAppends> asyncAppends() {
        return async ? Optional.of(new OnLoop()) : Optional.empty();
    }

    /** The gate is waited for elsewhere: the loop waits for nothing. */
    private final class OnLoop implements AsyncAppends {
        @Override
        public Executor loop() {
            return loop;
        }

        @Override
        public CompletableFuture<List<AppendResult>> append(List<Append> batch) {
            assertThat(Thread.currentThread().getName()).isEqualTo(LOOP);
            return CompletableFuture.supplyAsync(() -> GatedRepository.this.append(batch), Thread.ofVirtual()::start)
                    .whenCompleteAsync((results, failure) -> {}, loop);
        }
    }

    @Override
    public Loaded load(SagaId id) {
        loading.run();
        return super.load(id);
    }

    @Override
    public Duration visibilityLag() {
        return Duration.ofSeconds(7);
    }

    @Override
    public Health check() {
        checks.incrementAndGet();
        return health;
    }

    @Override
    public void close() {
        closed = true;
        loop.shutdown();
        super.close();
    }
}
