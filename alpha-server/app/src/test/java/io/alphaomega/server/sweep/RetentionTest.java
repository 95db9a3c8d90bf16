package io.alphaomega.server.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.typed.ActorRef;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.saga.ManualClock;
import io.alphaomega.server.saga.StoreThreads;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is old is deleted from the real store, at a time that the test decides. */
class RetentionTest {
    private static final Duration ENDED = Duration.ofDays(7);
    private static final Duration TOMBSTONES = Duration.ofDays(30);
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final int BATCH = 10;

    private static final Config CONFIG = ConfigFactory.parseString(
                    "akka.actor.provider = local, akka.loglevel = WARNING")
            .withFallback(ManualTime.config())
            .withFallback(ConfigFactory.parseResources("akka.conf"))
            .withFallback(ConfigFactory.load());

    @TempDir
    private Path directory;

    private final ActorTestKit kit = ActorTestKit.create("retention", CONFIG.resolve());
    private final ManualTime time = ManualTime.get(kit.system());
    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicBoolean away = new AtomicBoolean();
    private final AtomicInteger purges = new AtomicInteger();
    private final AtomicInteger forgets = new AtomicInteger();
    private final AtomicBoolean failing = new AtomicBoolean();

    @SuppressWarnings("NullAway.Init") // Before each test.
    private SagaRepository store;

    private int sagas;

    @BeforeEach
    void start() {
        store = EmbeddedRepository.in(directory);
        List<Retention.Task> tasks = List.of(
                new Retention.Task("histories", ENDED, (endedBefore, limit) -> {
                    purges.incrementAndGet();
                    if (failing.get()) throw new RepositoryUnavailableException("Deadlock.");
                    return store.purge(endedBefore, limit);
                }),
                new Retention.Task("tombstones", TOMBSTONES, (endedBefore, limit) -> {
                    forgets.incrementAndGet();
                    return store.forget(endedBefore, limit);
                }));
        ActorRef<Retention.Command> retention = kit.spawn(Retention.create(new Retention.Settings(
                tasks,
                INTERVAL,
                BATCH,
                away::get,
                clock,
                new StoreThreads(),
                new RetentionMetrics(meters, clock, tasks))));
        assertThat(retention).isNotNull();
    }

    @AfterEach
    void stop() {
        kit.shutdownTestKit();
        store.close();
    }

    @Test
    void what_has_ended_long_ago_is_purged_then_forgotten() {
        SagaId old = saga(State.COMMITTED);
        clock.advance(ENDED.minusHours(1));
        SagaId recent = saga(State.COMPENSATED);
        clock.advance(Duration.ofHours(2));
        run();
        assertThat(store.load(old).tombstone()).contains(State.COMMITTED);
        assertThat(store.load(recent).events()).hasSize(1);
        assertThat(deleted("histories")).isEqualTo(1);
        assertThat(deleted("tombstones")).isZero();

        clock.advance(TOMBSTONES.minus(ENDED));
        run();
        assertThat(store.load(old)).isEqualTo(Loaded.NOTHING);
        assertThat(store.load(recent).tombstone()).contains(State.COMPENSATED);
        assertThat(deleted("tombstones")).isEqualTo(1);
    }

    @Test
    void what_has_not_ended_stays_however_old_it_is() {
        List<SagaId> unfinished =
                List.of(saga(State.ACTIVE), saga(State.CONFIRMING), saga(State.COMPENSATING), saga(State.SUSPENDED));
        clock.advance(Duration.ofDays(3_000));
        run();
        assertThat(unfinished)
                .allSatisfy(id -> assertThat(store.load(id).events()).hasSize(1));
        assertThat(deleted("histories")).isZero();
    }

    @Test
    void much_is_deleted_in_batches_with_a_rest_after_each() {
        for (int i = 0; i < 3 * BATCH + 5; i++) saga(State.COMMITTED);
        clock.advance(ENDED.plusDays(1));
        time.timePasses(Duration.ofMinutes(2));
        await().until(() -> deleted("histories") == BATCH);
        await().during(Duration.ofMillis(200)).until(() -> purges.get() == 1);

        finish(0);
        assertThat(purges).hasValueGreaterThanOrEqualTo(4);
        assertThat(deleted("histories")).isEqualTo(3 * BATCH + 5);
        assertThat(store.counts().in(State.COMMITTED)).isZero();
    }

    @Test
    void the_longer_a_batch_takes_the_longer_is_the_rest() {
        assertThat(Retention.rest(Duration.ZERO)).isEqualTo(Duration.ofMillis(10));
        assertThat(Retention.rest(Duration.ofMillis(50))).isEqualTo(Duration.ofMillis(200));
        assertThat(Retention.rest(Duration.ofMinutes(1))).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void a_failure_is_made_up_for_by_the_next_run_and_does_not_keep_the_rest_from_being_done() {
        SagaId forgotten = saga(State.COMMITTED);
        clock.advance(ENDED.plusDays(1));
        run();
        SagaId old = saga(State.COMMITTED);
        clock.advance(TOMBSTONES);
        int before = forgets.get();
        failing.set(true);
        finish(before);
        assertThat(count("alpha.retention.failures", "histories")).isPositive();
        assertThat(store.load(forgotten)).isEqualTo(Loaded.NOTHING);
        assertThat(store.load(old).events()).hasSize(1);

        failing.set(false);
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            time.timePasses(INTERVAL);
            return store.load(old).tombstone().isPresent();
        });
    }

    @Test
    void while_the_store_is_away_nothing_is_tried() {
        away.set(true);
        time.timePasses(Duration.ofHours(3));
        await().during(Duration.ofMillis(200)).until(() -> purges.get() == 0);
        away.set(false);
        run();
        assertThat(purges).hasPositiveValue();
    }

    @Test
    void how_old_the_oldest_can_be_is_known_after_the_first_run() {
        assertThat(seconds("alpha.retention.oldest", "histories")).isNaN();
        run();
        assertThat(seconds("alpha.retention.last.run", "histories")).isZero();
        assertThat(seconds("alpha.retention.oldest", "histories")).isEqualTo(7.0 * 24 * 3_600);
        clock.advance(Duration.ofHours(1));
        assertThat(seconds("alpha.retention.last.run", "histories")).isEqualTo(3_600);
        assertThat(seconds("alpha.retention.oldest", "histories")).isEqualTo((7.0 * 24 + 1) * 3_600);
    }

    /** Lets the time of the next run come, and the run to its end. */
    private void run() {
        finish(forgets.get());
    }

    /** Lets time pass until a run that began now, and none that was under way, has looked for tombstones: its last task. */
    private void finish(int before) {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            if (forgets.get() > before && seconds("alpha.retention.last.run", "tombstones") <= 0) return true;
            time.timePasses(INTERVAL);
            return false;
        });
    }

    private SagaId saga(State state) {
        SagaId id = new SagaId("saga-" + sagas++);
        SagaSummary summary = new SagaSummary(
                id,
                state,
                "booking",
                "book",
                "",
                Set.of("booking"),
                0,
                "",
                false,
                clock.instant(),
                clock.instant(),
                state.isEnded() ? Optional.of(clock.instant()) : Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty());
        StoredEvent event = StoredEvent.of("saga.begun.v1", new byte[10]);
        assertThat(store.append(List.of(new Append(id, Version.NONE, List.of(event), summary))))
                .hasExactlyElementsOfTypes(Appended.class);
        return id;
    }

    private double deleted(String what) {
        return count("alpha.retention.deleted", what);
    }

    private double count(String meter, String what) {
        return meters.counter(meter, "what", what).count();
    }

    private double seconds(String gauge, String what) {
        return meters.get(gauge).tag("what", what).timeGauge().value();
    }
}
