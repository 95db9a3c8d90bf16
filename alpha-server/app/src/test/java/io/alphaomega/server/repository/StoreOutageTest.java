package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** While the store is away nobody waits for its driver to find out again, and what runs goes first when it is back. */
@ParameterizedClass(name = "appends on an event loop: {0}")
@ValueSource(booleans = {false, true})
class StoreOutageTest {
    private static final int OPEN = 1_000_000;

    /** Sooner than any driver gives up, and than an alpha may take to be back. */
    private final GatedRepository store;

    private final GroupCommit commits;

    StoreOutageTest(boolean async) {
        store = new GatedRepository(async);
        commits = new GroupCommit(store, new GroupCommit.Limits(2, 64, 100_000, 64, 200_000));
    }

    @BeforeEach
    void serve() {
        store.gate.release(OPEN);
    }

    @AfterEach
    void close() {
        store.gate.release(OPEN);
        commits.close();
    }

    @Test
    void new_sagas_are_refused_at_once_and_told_when_to_come_again() {
        takeAway();
        int sent = store.batches.size();

        assertBusy(commits.submit(GatedRepository.append("b")), "The store has been away for ", "The disk is gone.");
        assertThat(commits.refusedAway(true)).isEqualTo(1);
        assertThat(commits.isAway()).isTrue();
        assertThat(commits.awayFor()).isPositive();
        assertThat(commits.outages()).isEqualTo(1);
        assertThat(store.batches).hasSize(sent);
    }

    @Test
    void running_sagas_wait_and_go_on_when_the_store_is_back() {
        takeAway();
        List<CompletableFuture<AppendResult>> running = run(20);
        int sent = store.batches.size();

        bringBack();
        await().untilAsserted(() -> assertThat(running).allMatch(CompletableFuture::isDone));
        assertThat(running).allSatisfy(each -> assertThat(each.join()).isInstanceOf(AppendResult.Conflict.class));
        assertThat(store.batches.size() - sent).isBetween(1, 4);
        awaitServing();
        assertThat(commits.submit(GatedRepository.append("b")).join()).isInstanceOf(AppendResult.Appended.class);
        assertThat(commits.awayFor()).isZero();
    }

    @Test
    void running_sagas_that_have_waited_for_long_are_refused_before_their_senders_give_up() {
        takeAway();
        List<CompletableFuture<AppendResult>> running = run(3);
        await().untilAsserted(() -> assertThat(running).allMatch(CompletableFuture::isDone));
        for (CompletableFuture<AppendResult> each : running)
            assertBusy(each, "Nothing was stored", "The disk is gone.");
        assertThat(commits.refusedAway(false)).isEqualTo(3);
        assertThat(commits.queuedItems()).isZero();
    }

    @Test
    void new_sagas_that_wait_when_the_store_goes_away_are_refused_soon() {
        store.gate.drainPermits();
        CompletableFuture<AppendResult> first = commits.submit(GatedRepository.append("a"));
        await().until(() -> store.batches.size() == 1);
        List<CompletableFuture<AppendResult>> waiting = IntStream.range(0, 10)
                .mapToObj(i -> commits.submit(GatedRepository.append("a" + i)))
                .toList();
        await().until(() -> store.batches.size() == 2); // Both lanes wait for the store, and take nothing more along.
        List<String> told = new CopyOnWriteArrayList<>();
        for (CompletableFuture<AppendResult> each : waiting) {
            var unused = each.whenComplete((result, refused) -> told.add("new"));
        }
        var unused =
                commits.submit(GatedRepository.running("r")).whenComplete((result, refused) -> told.add("running"));
        breakDown();
        store.gate.release(2);
        await().untilAsserted(() -> assertThat(first).isDone());
        await().untilAsserted(() -> assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally));
        await().untilAsserted(() -> assertThat(told).hasSize(waiting.size() + 1));
        assertThat(told).as("who runs may wait for longer").endsWith("running");
        assertThat(commits.queuedItems()).isZero();
    }

    @Test
    void one_question_at_a_time_finds_out_and_at_a_pace() {
        takeAway();
        int checks = store.checks.get();
        int sent = store.batches.size();
        run(30);
        long began = System.nanoTime();
        await().during(Duration.ofSeconds(2)).until(commits::isAway);
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        // After pauses of 100, 200, 400, 800 and 1,600 ms, then of two seconds.
        assertThat(store.checks.get() - checks).isBetween(1, 5 + (int) seconds / 2);
        assertThat(store.batches).hasSize(sent);
    }

    @Test
    void a_store_that_answers_but_cannot_write_is_tried_one_batch_at_a_time() {
        breakDown();
        store.health = new Health.Up();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        store.answer = results -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            await().during(Duration.ofMillis(20)).until(() -> true);
            atOnce.decrementAndGet();
            throw new RepositoryUnavailableException("The disk is full.");
        };
        assertFails(commits.submit(GatedRepository.append("a")));
        most.set(0);
        List<CompletableFuture<AppendResult>> running = run(40);
        await().untilAsserted(() ->
                assertThat(running).filteredOn(CompletableFuture::isDone).isNotEmpty());
        assertThat(most).hasValue(1);
        assertThat(commits.outages()).isEqualTo(1);

        store.answer = results -> results;
        awaitServing();
    }

    @Test
    void a_failure_that_is_over_at_once_refuses_nobody_for_long() {
        AtomicInteger failures = new AtomicInteger();
        store.answer = results -> {
            if (failures.getAndIncrement() == 0) throw new RepositoryUnavailableException("A deadlock.");
            return results;
        };
        assertFails(commits.submit(GatedRepository.append("a")));
        await().until(() -> !commits.isAway());
        assertThat(store.checks.get()).as("one question tells").isLessThanOrEqualTo(1);
        assertThat(commits.submit(GatedRepository.append("b")).join()).isInstanceOf(AppendResult.Appended.class);
    }

    @Test
    void the_store_is_believed_that_it_is_back_when_nobody_wants_to_append() {
        takeAway();
        bringBack();
        await().until(() -> commits.awayFor().isZero());
        assertThat(commits.check()).isInstanceOf(Health.Up.class);
    }

    @Test
    void the_check_tells_the_store_s_sentence_without_asking_it_again() {
        takeAway();
        assertThat(commits.check())
                .isInstanceOfSatisfying(
                        Health.Down.class,
                        down -> assertThat(down.reason())
                                .startsWith("The store has been away for ")
                                .endsWith("The disk is gone."));
    }

    @Test
    void a_check_that_finds_the_store_away_spares_the_first_sagas_the_wait() {
        store.health = new Health.Down("The power is off.");
        assertThat(commits.check()).isEqualTo(new Health.Down("The power is off."));
        assertBusy(commits.submit(GatedRepository.append("a")), "The power is off.");
        assertThat(store.batches).isEmpty();
    }

    @Test
    void reads_that_fail_begin_an_outage_if_the_store_says_so_itself() {
        store.loading = () -> {
            throw new RepositoryUnavailableException("Connection reset.");
        };
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> commits.load(new SagaId("s")))
                .withMessage("Connection reset.");
        await().during(Duration.ofMillis(200)).until(() -> !commits.isAway());

        store.health = new Health.Down("Connection refused.");
        await().until(() -> {
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> commits.load(new SagaId("s")));
            return commits.isAway();
        });
    }

    @Test
    void of_many_reads_of_a_store_that_hangs_few_wait_for_it_and_the_others_are_refused() {
        takeAway();
        Semaphore hanging = new Semaphore(0);
        AtomicInteger asked = new AtomicInteger();
        store.loading = () -> {
            asked.incrementAndGet();
            hanging.acquireUninterruptibly();
        };
        int readers = 50;
        CountDownLatch refused = new CountDownLatch(readers - 4);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    commits.load(new SagaId("s"));
                } catch (RepositoryUnavailableException e) {
                    refused.countDown();
                }
            }));
        }
        await().until(() -> refused.getCount() == 0);
        assertThat(asked).hasValue(4);
        hanging.release(4);
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void closing_in_an_outage_forgets_nobody() {
        takeAway();
        List<CompletableFuture<AppendResult>> running = run(5);
        commits.close();
        assertThat(running).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(store.closed).isTrue();
    }

    private void takeAway() {
        breakDown();
        assertFails(commits.submit(GatedRepository.append("first")));
        await().until(() ->
                commits.check() instanceof Health.Down(String reason) && reason.contains("The disk is gone."));
    }

    private void breakDown() {
        store.answer = results -> {
            throw new RepositoryUnavailableException("The disk is gone.");
        };
        store.health = new Health.Down("The disk is gone.");
    }

    private void bringBack() {
        store.answer = results -> results;
        store.health = new Health.Up();
    }

    private void awaitServing() {
        await().until(() -> commits.awayFor().isZero());
    }

    private List<CompletableFuture<AppendResult>> run(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> commits.submit(GatedRepository.running("r" + i)))
                .toList();
    }

    private static void assertFails(CompletableFuture<AppendResult> result) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(result::join)
                .withCauseInstanceOf(RepositoryUnavailableException.class);
    }

    private static void assertBusy(CompletableFuture<AppendResult> result, String... sentences) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(result::join)
                .havingCause()
                .isInstanceOfSatisfying(
                        RepositoryBusyException.class,
                        busy -> assertThat(busy.retryAfter()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3)))
                .satisfies(busy -> assertThat(busy.getMessage()).contains(sentences));
    }
}
