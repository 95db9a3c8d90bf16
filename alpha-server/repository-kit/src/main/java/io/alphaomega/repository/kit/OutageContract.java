package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.DEADLINE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A store that is away costs its callers a bounded time and a typed error; when it is back, so is the repository. */
abstract class OutageContract {
    private static final int ROUNDS = 3;

    /** A database needs some four seconds for each on a machine that is not busy; the test as a whole has five minutes. */
    private static final Duration STARTS = Duration.ofMinutes(4);

    private static final int READS_MANY = 1_000;

    private final Bench bench;

    OutageContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void a_running_store_is_up_and_declares_its_durability() throws Exception {
        bench.begin(bench.saga());
        assertThat(Bench.within(DEADLINE, () -> bench.repository().check())).isInstanceOf(Health.Up.class);
        Durability durability = bench.repository().durability();
        assertThat(durability.level()).isNotNull();
        assertThat(durability.settings()).isNotBlank();
        assertThat(bench.repository().visibilityLag()).isGreaterThanOrEqualTo(Duration.ZERO);
    }

    @Test
    void an_append_fails_by_type_within_the_deadline_and_works_again_afterwards() throws Exception {
        Draft saga = bench.saga();
        Version version = bench.begin(saga);
        bench.store().stop();

        bench.assertUnavailable(() -> bench.append(saga.after(version, event("lost?"))));
        assertThat(Bench.within(DEADLINE, () -> bench.repository().check())).isInstanceOf(Health.Down.class);

        bench.store().start();
        bench.assertWorksAgain();
        // The outcome of the failed append is unknown; what counts is that it is all or nothing.
        Loaded loaded = bench.repository().load(saga.id());
        assertThat(loaded.events()).startsWith(event("begun")).hasSize((int)
                loaded.version().sequence());
        bench.appended(saga.after(loaded.version(), event("after")));
    }

    @Test
    void a_read_tells_the_truth_or_fails_by_type_within_the_deadline() throws Exception {
        Draft saga = bench.saga().wakeUpAt(BASE);
        Version version = bench.begin(saga);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(1));
        bench.store().stop();

        assertTrueOrUnavailable(() -> bench.repository().load(saga.id()), new Loaded(List.of(event("begun")), version));
        assertTrueOrUnavailable(() -> bench.find(bench.mine()), List.of(saga.summary()));
        assertTrueOrUnavailable(() -> bench.due(BASE, 100).contains(saga.id()), true);
        assertTrueOrUnavailable(() -> bench.repository().counts().byState().size(), 6);
        assertTrueOrUnavailable(
                () -> bench.repository().due(BASE, Cursor.START, 1).items().size(), 1);

        bench.store().start();
        bench.assertWorksAgain();
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"));
    }

    @Test
    void a_repository_that_was_constructed_in_an_outage_works_after_it() throws Exception {
        Draft saga = bench.saga();
        bench.begin(saga);
        bench.store().stop();

        SagaRepository constructed = Bench.within(DEADLINE, bench::reconstruct);
        bench.assertUnavailable(() -> bench.append(bench.saga().after(Version.NONE, event("a"))));
        assertThat(Bench.within(DEADLINE, constructed::check)).isInstanceOf(Health.Down.class);

        bench.store().start();
        bench.assertWorksAgain();
        assertThat(bench.journal(saga.id())).containsExactly(event("begun"));
    }

    @Test
    void when_the_store_stops_in_the_middle_nothing_that_returned_is_missing() throws Exception {
        int writers = 4;
        List<Draft> sagas = bench.sagas(writers, saga -> saga);
        CountDownLatch writing = new CountDownLatch(3 * writers);
        AtomicBoolean away = new AtomicBoolean();
        CountDownLatch stopped = new CountDownLatch(writers);
        Callable<Version> operator = () -> {
            writing.await();
            bench.store().stop();
            away.set(true);
            stopped.await();
            bench.store().start();
            return Version.NONE;
        };
        List<Callable<Version>> racers = new ArrayList<>(List.of(operator));
        for (Draft saga : sagas) {
            racers.add(() -> {
                Version version = Version.NONE;
                try {
                    boolean lastWord = false;
                    while (!lastWord) {
                        lastWord = away.get();
                        AppendResult result = bench.append(saga.after(version, event("a"), event("b")));
                        version = ((Appended) result).version();
                        writing.countDown();
                    }
                    throw new AssertionError("an append to the stopped store succeeded");
                } catch (RepositoryUnavailableException outage) {
                    return version;
                } finally {
                    stopped.countDown();
                }
            });
        }
        List<Version> acknowledged = Bench.race(racers);
        bench.assertWorksAgain();

        for (int i = 0; i < writers; i++) {
            Loaded loaded = bench.repository().load(sagas.get(i).id());
            long least = acknowledged.get(i + 1).sequence();
            assertThat(loaded.version().sequence()).isBetween(least, least + 2).isEven();
            assertThat(loaded.events())
                    .isEqualTo(IntStream.range(0, (int) loaded.version().sequence() / 2)
                            .boxed()
                            .flatMap(pair -> Stream.of(event("a"), event("b")))
                            .toList());
            if (loaded.version().sequence() == least) {
                assertThat(loaded.version()).isEqualTo(acknowledged.get(i + 1));
            }
        }
    }

    @Test
    void who_reads_while_the_store_stops_and_starts_again_sees_the_truth_or_an_error() throws Exception {
        List<Draft> sagas = bench.sagas(4, saga -> saga.wakeUpAt(BASE));
        List<Version> versions = bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(sagas.size()));
        Semaphore answered = new Semaphore(0);
        AtomicBoolean over = new AtomicBoolean();
        Callable<Void> operator = () -> {
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    awaitReaders(answered, 6 * sagas.size());
                    bench.store().stop();
                    answered.drainPermits();
                    awaitReaders(answered, 2 * sagas.size());
                    bench.store().start();
                    bench.assertWorksAgain();
                }
            } finally {
                over.set(true);
                bench.store().start();
            }
            return null;
        };
        List<Callable<Void>> racers = new ArrayList<>(List.of(operator));
        for (int i = 0; i < sagas.size(); i++) {
            Draft saga = sagas.get(i);
            Loaded truth = new Loaded(List.of(event("begun")), versions.get(i));
            racers.add(() -> {
                try {
                    while (!over.get()) {
                        assertTrueOrUnavailable(() -> bench.repository().load(saga.id()), truth);
                        answered.release();
                        assertTrueOrUnavailable(
                                () -> bench.find(bench.mine(saga.id().value())), List.of(saga.summary()));
                        answered.release();
                        assertTrueOrUnavailable(() -> bench.due(BASE, 100).contains(saga.id()), true);
                        answered.release();
                    }
                } finally {
                    // Nobody is to wait for one that has failed.
                    answered.release(READS_MANY);
                }
                return null;
            });
        }
        Bench.race(racers, STARTS);
        for (Draft saga : sagas) assertThat(bench.journal(saga.id())).containsExactly(event("begun"));
    }

    private static void awaitReaders(Semaphore answered, int reads) throws InterruptedException {
        Duration longest = DEADLINE.multipliedBy(3);
        assertThat(answered.tryAcquire(reads, longest.toMillis(), TimeUnit.MILLISECONDS))
                .as("%d reads return or fail within %s", reads, longest)
                .isTrue();
    }

    private static <T> void assertTrueOrUnavailable(Callable<T> call, T truth) throws Exception {
        try {
            assertThat(Bench.within(DEADLINE, call)).isEqualTo(truth);
        } catch (RepositoryUnavailableException expected) {
            assertThat(expected).hasMessageMatching("(?s).{10,}");
        }
    }
}
