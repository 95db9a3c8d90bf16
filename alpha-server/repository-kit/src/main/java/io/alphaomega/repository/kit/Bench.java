package io.alphaomega.repository.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Locked;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** What a test works on: one store, one repository on it, and the sagas it invents. */
final class Bench {
    /**
     * A caller of alpha waits ten seconds for an answer. A machine that is busy with other tests has three times that; a
     * repository that needs more has hung.
     */
    static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final Duration BIT = Duration.ofMillis(100);

    /** An alpha is back in service ten seconds after its store; here too a busy machine has three times that. */
    static final Duration BACK_WITHIN = Duration.ofSeconds(30);

    /** A pass by single sagas through a store that many tests have used is shorter; one that is longer never ends. */
    private static final int PAGES_MAX = 10_000;

    /** Between the eras of the purging tests and any other. Nothing here is about the present. */
    static final Instant BASE = Instant.parse("2031-05-06T07:08:09.123Z");

    /** When many sagas are due: later than the others, so that these do not make the passes of other tests longer. */
    static final Instant LATE = BASE.plusSeconds(2_000_000_000);

    /** Nobody else's: sets the sagas of this test apart in a store that many tests have used. */
    final String service = "kit-" + UUID.randomUUID();

    private @Nullable Store store;
    private volatile @Nullable SagaRepository repository;

    void open(Store given) {
        store = given;
        repository = Patience.opened(given.open());
    }

    Store store() {
        return Objects.requireNonNull(store, "the test has not begun");
    }

    SagaRepository repository() {
        return Objects.requireNonNull(repository, "the test has not begun");
    }

    /** Closes the repository and opens another: what a restarted server sees. */
    SagaRepository reopen() {
        return Patience.opened(reconstruct());
    }

    /** The same, whether the store is there to be opened or not. */
    SagaRepository reconstruct() {
        repository().close();
        SagaRepository constructed = store().open();
        repository = constructed;
        return constructed;
    }

    void close() {
        if (repository != null) repository().close();
        if (store != null) store().close();
    }

    static SagaId newId() {
        return new SagaId(UUID.randomUUID().toString());
    }

    Draft saga() {
        return Draft.of(newId(), service, BASE);
    }

    List<Draft> sagas(int count, Function<Draft, Draft> each) {
        return Stream.generate(this::saga).limit(count).map(each).toList();
    }

    static StoredEvent event(String name) {
        return StoredEvent.of(name, ("the bytes of " + name).getBytes(StandardCharsets.UTF_8));
    }

    AppendResult append(Append item) {
        return append(List.of(item)).getFirst();
    }

    /** Sends again what is locked: of that nothing is stored. */
    List<AppendResult> append(List<Append> batch) {
        long last = System.nanoTime() + DEADLINE.toNanos();
        List<AppendResult> results = new ArrayList<>(repository().append(batch));
        assertThat(results).as("one result per item").hasSameSizeAs(batch);
        for (int i = 0; i < results.size(); i++) {
            while (results.get(i) instanceof Locked) {
                assertThat(System.nanoTime() - last)
                        .as("nobody holds saga %s for so long", batch.get(i).id())
                        .isNegative();
                results.set(i, repository().append(List.of(batch.get(i))).getFirst());
            }
        }
        return results;
    }

    /** Appends what must succeed. */
    Version appended(Append item) {
        AppendResult result = append(item);
        assertThat(result).isInstanceOf(Appended.class);
        return ((Appended) result).version();
    }

    /** Stores new sagas of one event each. */
    List<Version> begin(List<Draft> sagas) {
        List<AppendResult> results = repository()
                .append(sagas.stream()
                        .map(saga -> saga.after(Version.NONE, event("begun")))
                        .toList());
        assertThat(results).hasSameSizeAs(sagas).allMatch(Appended.class::isInstance);
        return results.stream().map(result -> ((Appended) result).version()).toList();
    }

    Version begin(Draft saga) {
        return begin(List.of(saga)).getFirst();
    }

    List<StoredEvent> journal(SagaId id) {
        return repository().load(id).events();
    }

    /** The sagas of this test. */
    SagaQuery mine() {
        return SagaQuery.ALL.of(service);
    }

    SagaQuery mine(String text) {
        return mine().text(text);
    }

    List<SagaSummary> find(SagaQuery query) {
        return everyPage(cursor -> repository().find(query, cursor, SagaRepository.PAGE_MAX));
    }

    Optional<SagaSummary> summary(SagaId id) {
        return find(mine()).stream().filter(saga -> saga.id().equals(id)).findFirst();
    }

    List<SagaId> due(Instant until, int limit) {
        return everyPage(cursor -> repository().due(until, cursor, limit));
    }

    static <T> List<T> everyPage(Function<Cursor, Page<T>> page) {
        List<T> items = new ArrayList<>();
        Optional<Cursor> cursor = Optional.of(Cursor.START);
        for (int pages = 0; cursor.isPresent(); pages++) {
            assertThat(pages).as("pages of one pass").isLessThan(PAGES_MAX);
            Page<T> next = page.apply(cursor.get());
            items.addAll(next.items());
            cursor = next.next();
        }
        return items;
    }

    /** Asserts at once where the store shows appends at once, else within its declared lag and what a busy machine adds. */
    void shows(ThrowingRunnable assertion) {
        Duration lag = repository().visibilityLag();
        if (lag.isZero()) {
            try {
                assertion.run();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        } else {
            Awaitility.await().atMost(lag.plus(DEADLINE)).untilAsserted(assertion);
        }
    }

    /**
     * Runs the tasks at the same moment, each in a thread of its own, and returns what they returned, in order. A task
     * that hangs fails the race and is left behind.
     */
    static <T> List<T> race(List<Callable<T>> tasks) throws Exception {
        return race(tasks, Patience.LIMIT);
    }

    /** The same, of tasks that may take so long. */
    static <T> List<T> race(List<Callable<T>> tasks, Duration limit) throws Exception {
        CyclicBarrier start = new CyclicBarrier(tasks.size());
        List<FutureTask<T>> running = new ArrayList<>();
        for (Callable<T> task : tasks) {
            FutureTask<T> racer = new FutureTask<>(() -> {
                start.await();
                return task.call();
            });
            Thread.ofPlatform().daemon().start(racer);
            running.add(racer);
        }
        List<T> results = new ArrayList<>();
        for (FutureTask<T> each : running) results.add(each.get(limit.toMillis(), TimeUnit.MILLISECONDS));
        return results;
    }

    /**
     * What the call returns or throws, if it does within the deadline; a call that hangs is left behind. The deadline is
     * waited for bit by bit: while the machine stands still, so does the store, and only one bit passes.
     */
    static <T> T within(Duration deadline, Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofPlatform().daemon().start(task);
        for (Duration waited = Duration.ZERO; waited.compareTo(deadline) < 0; waited = waited.plus(BIT)) {
            try {
                return task.get(BIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // The next bit.
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception cause) throw cause;
                throw e;
            }
        }
        throw new AssertionError("no answer within " + deadline);
    }

    void assertUnavailable(Callable<?> call) throws Exception {
        try {
            Object result = within(DEADLINE, call);
            throw new AssertionError("the store is in trouble, but the call returned " + result);
        } catch (RepositoryUnavailableException expected) {
            assertThat(expected).hasMessageMatching("(?s).{10,}");
        }
    }

    void assertWorksAgain() {
        Awaitility.await()
                .atMost(BACK_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                .untilAsserted(() -> {
                    begin(saga());
                    assertThat(repository().check()).isInstanceOf(Health.Up.class);
                });
    }

    /** What a read returns once the trouble is over. */
    <T> T whenBack(Callable<T> read) {
        return Awaitility.await()
                .atMost(BACK_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                .until(read, result -> true);
    }
}
