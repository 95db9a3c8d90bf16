package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.servers.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * An append that was executed and whose answer was lost: the caller learns that nobody knows, loads, and knows. The
 * plugin repeats nothing: it would meet its own append and call it somebody else's.
 */
abstract class UnknownOutcomeContract {
    private static final int ATTEMPTS = 3;
    private static final int ROUNDS = 3;
    private static final int WRITERS = 8;
    private static final int ITEMS = 20;

    private final Bench bench;

    UnknownOutcomeContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void an_append_whose_answer_is_lost_fails_by_type_and_is_there_whole_or_not_at_all() throws Exception {
        int executed = 0;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Draft saga = bench.saga();
            Version version = bench.begin(saga);
            bench.store().loseAnswers();
            bench.assertUnavailable(() -> bench.append(saga.after(version, event("a"), event("b"))));
            bench.store().start();
            bench.assertWorksAgain();

            Loaded loaded = bench.repository().load(saga.id());
            if (wasExecuted(loaded, version, event("begun"), event("a"), event("b"))) executed++;
            Version after = bench.appended(saga.after(loaded.version(), event("after")));
            assertThat(bench.repository().load(saga.id()).version()).isEqualTo(after);
        }
        assertThat(executed)
                .as(
                        "appends of %d that the store executed without an answer: with none, this test sees nothing",
                        ATTEMPTS)
                .isPositive();
    }

    @Test
    void who_repeats_such_an_append_blindly_doubles_nothing() throws Exception {
        Draft saga = bench.saga();
        Version version = bench.begin(saga);
        List<Append> repeated = List.of(
                saga.after(version, event("a"), event("b")), bench.saga().after(Version.NONE, event("a"), event("b")));
        bench.store().loseAnswers();
        for (Append each : repeated) bench.assertUnavailable(() -> bench.append(each));
        bench.store().start();
        bench.assertWorksAgain();

        for (Append each : repeated) {
            AppendResult second = bench.append(each);
            Version now = bench.repository().load(each.id()).version();
            assertThat(second).isIn(new Appended(now), new Conflict(now));
            assertThat(bench.append(each)).isEqualTo(new Conflict(now));
            assertThat(bench.journal(each.id()))
                    .endsWith(event("a"), event("b"))
                    .hasSize((int) now.sequence());
            assertThat(now.sequence()).isEqualTo(each.expected().sequence() + 2);
        }
    }

    @Test
    void the_items_of_such_a_batch_are_each_there_whole_or_not_at_all() throws Exception {
        List<Draft> sagas = bench.sagas(ITEMS, saga -> saga);
        bench.begin(bench.saga());
        bench.store().loseAnswers();
        bench.assertUnavailable(() -> bench.repository()
                .append(sagas.stream()
                        .map(saga -> saga.after(Version.NONE, event("a"), event("b")))
                        .toList()));
        bench.store().start();
        bench.assertWorksAgain();

        for (Draft saga : sagas) {
            wasExecuted(bench.repository().load(saga.id()), Version.NONE, event("a"), event("b"));
        }
    }

    @Test
    void writers_that_load_after_each_lost_answer_lose_and_double_nothing() throws Exception {
        Semaphore lost = new Semaphore(0);
        Semaphore acknowledged = new Semaphore(0);
        AtomicBoolean over = new AtomicBoolean();
        Callable<Void> network = () -> {
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    await(WRITERS, acknowledged, "acknowledged");
                    bench.store().loseAnswers();
                    await(1, lost, "unknown");
                    bench.store().start();
                    acknowledged.drainPermits();
                    lost.drainPermits();
                }
                await(WRITERS, acknowledged, "acknowledged");
            } finally {
                over.set(true);
                bench.store().start();
            }
            return null;
        };
        List<Callable<Void>> racers = new ArrayList<>(List.of(network));
        for (Draft saga : bench.sagas(WRITERS, saga -> saga)) {
            racers.add(() -> {
                writeAndLoad(saga, over, acknowledged, lost);
                return null;
            });
        }
        Bench.race(racers);
    }

    private static void await(int count, Semaphore appends, String outcome) throws InterruptedException {
        assertThat(appends.tryAcquire(count, Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .as("%d appends are %s within %s", count, outcome, Patience.LIMIT)
                .isTrue();
    }

    /** Nobody else writes to this saga: so a conflict is with an append of its own that somebody repeated. */
    private void writeAndLoad(Draft saga, AtomicBoolean over, Semaphore acknowledged, Semaphore lost) {
        Version version = Version.NONE;
        while (!over.get()) {
            long next = version.sequence() + 1;
            try {
                AppendResult result = bench.append(saga.after(version, event("e" + next), event("e" + (next + 1))));
                assertThat(result)
                        .as("append to saga %s at %s", saga.id(), version)
                        .isInstanceOf(Appended.class);
                version = ((Appended) result).version();
                acknowledged.release();
            } catch (RepositoryUnavailableException unknown) {
                lost.release();
                version = versionNow(saga, version);
            }
        }
        version = versionNow(saga, version);
        assertThat(bench.journal(saga.id()))
                .isEqualTo(IntStream.rangeClosed(1, (int) version.sequence())
                        .mapToObj(i -> event("e" + i))
                        .toList());
    }

    private Version versionNow(Draft saga, Version known) {
        Version now = bench.whenBack(() -> bench.repository().load(saga.id())).version();
        assertThat(now.sequence()).as("saga %s", saga.id()).isGreaterThanOrEqualTo(known.sequence());
        if (now.sequence() == known.sequence()) assertThat(now).isEqualTo(known);
        return now;
    }

    private static boolean wasExecuted(Loaded loaded, Version before, StoredEvent... whole) {
        if (loaded.version().equals(before)) {
            assertThat(loaded.events()).hasSize((int) before.sequence());
            return false;
        }
        assertThat(loaded.events()).containsExactly(whole);
        assertThat(loaded.version().sequence()).isEqualTo(whole.length);
        return true;
    }
}
