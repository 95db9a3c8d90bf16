package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "appends on an event loop: {0}")
@ValueSource(booleans = {false, true})
class GroupCommitTest {
    private static final int OPEN = 1_000_000;

    /** Longer than any test runs. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final boolean async;
    private GatedRepository store;
    private GroupCommit commits;

    /** What a test does not look at; nobody may be forgotten all the same. */
    private final List<CompletableFuture<AppendResult>> submitted = new ArrayList<>();

    GroupCommitTest(boolean async) {
        this.async = async;
        store = new GatedRepository(async);
        commits = new GroupCommit(store, new GroupCommit.Limits(1, 4, 10_000, 8, 20_000));
    }

    @AfterEach
    void close() {
        store.gate.release(OPEN);
        commits.close();
        assertThat(submitted).allSatisfy(result -> assertThat(result).isDone());
    }

    @Test
    void an_idle_store_serves_an_append_at_once() {
        store.gate.release();
        assertThat(submit("a").join()).isInstanceOf(AppendResult.Appended.class);
        assertThat(sizes()).containsExactly(1);
    }

    @Test
    void what_gathers_while_a_batch_is_under_way_is_the_next_batch() {
        CompletableFuture<AppendResult> first = submit("a");
        awaitBatches(1);
        List<CompletableFuture<AppendResult>> gathered = List.of(submit("b"), submit("c"), submit("d"));
        assertThat(commits.queuedItems()).isEqualTo(3);
        assertThat(commits.queuedBytes()).isPositive();
        assertThat(commits.longestWait()).isPositive();

        store.gate.release(2);
        first.join();
        gathered.forEach(CompletableFuture::join);
        assertThat(sizes()).containsExactly(1, 3);
        assertThat(commits.queuedItems()).isZero();
        assertThat(commits.queuedBytes()).isZero();
        assertThat(commits.longestWait()).isZero();
    }

    @Test
    void a_batch_waits_a_little_for_as_many_as_the_last_one_had() {
        gather(FOR_EVER);
        occupy();
        CompletableFuture<Void> second = CompletableFuture.allOf(submit("b"), submit("c"));
        store.gate.release(2);
        second.join();
        CompletableFuture<AppendResult> early = submit("d");
        CompletableFuture<AppendResult> late = submit("e");
        store.gate.release();
        early.join();
        late.join();
        assertThat(sizes()).containsExactly(1, 2, 2);
    }

    @Test
    void who_comes_alone_after_one_that_was_alone_waits_for_nobody() {
        gather(FOR_EVER);
        store.gate.release(OPEN);
        for (String saga : List.of("a", "b", "c")) submit(saga).join();
        assertThat(sizes()).containsExactly(1, 1, 1);
    }

    @Test
    void who_waits_for_company_that_does_not_come_is_written_alone() {
        gather(Duration.ofMillis(1));
        occupy();
        submitted.addAll(List.of(submit("b"), submit("c")));
        store.gate.release(OPEN);
        awaitBatches(2);
        submit("d").join();
        assertThat(sizes()).containsExactly(1, 2, 1);
    }

    @Test
    void at_the_end_nobody_waits_for_company() {
        gather(FOR_EVER);
        occupy();
        CompletableFuture<AppendResult> b = submit("b");
        submitted.add(submit("c"));
        store.gate.release(OPEN);
        b.join();
        CompletableFuture<AppendResult> alone = submit("d");
        commits.close();
        assertThat(alone.join()).isInstanceOf(AppendResult.Appended.class);
    }

    @Test
    void a_batch_has_a_limit_of_items() {
        occupy();
        List<CompletableFuture<AppendResult>> rest = new ArrayList<>(submitAll(4, 10));
        for (String running : List.of("r1", "r2")) rest.add(commits.submit(GatedRepository.running(running)));
        store.gate.release(OPEN);
        rest.forEach(CompletableFuture::join);
        assertThat(sizes()).containsExactly(1, 4, 2);
    }

    @Test
    void a_batch_has_a_limit_of_bytes_but_takes_one_item_of_any_size() {
        occupy();
        List<CompletableFuture<AppendResult>> rest = List.of(
                commits.submit(GatedRepository.running("b", 4_000)),
                commits.submit(GatedRepository.running("c", 4_000)),
                commits.submit(GatedRepository.running("d", 4_000)));
        store.gate.release(OPEN);
        rest.forEach(CompletableFuture::join);
        commits.submit(GatedRepository.append("huge", 100_000)).join();
        assertThat(sizes()).containsExactly(1, 2, 1, 1);
    }

    @Test
    void each_item_gets_its_own_result() {
        occupy();
        CompletableFuture<AppendResult> fresh = submit("b");
        CompletableFuture<AppendResult> stale = submit("a");
        CompletableFuture<AppendResult> other = submit("c");
        store.gate.release(OPEN);

        assertThat(fresh.join()).isInstanceOf(AppendResult.Appended.class);
        assertThat(stale.join()).isInstanceOf(AppendResult.Conflict.class);
        assertThat(other.join()).isInstanceOf(AppendResult.Appended.class);
        assertThat(((AppendResult.Appended) fresh.join()).version())
                .isEqualTo(store.load(new SagaId("b")).version());
    }

    @Test
    void when_the_store_fails_every_item_of_the_batch_has_an_unknown_outcome_and_the_next_batch_is_tried() {
        occupy();
        store.answer = results -> {
            throw new IllegalStateException("disk on fire");
        };
        CompletableFuture<AppendResult> b = submit("b");
        CompletableFuture<AppendResult> c = submit("c");
        store.gate.release(2);
        assertFails(b)
                .withMessageContaining("whether it has stored anything is unknown")
                .withMessageContaining("disk on fire");
        assertFails(c).withMessageContaining("disk on fire");

        store.answer = results -> results;
        store.gate.release();
        Awaitility.await().until(() -> !commits.isAway());
        assertThat(submit("d").join()).isInstanceOf(AppendResult.Appended.class);
    }

    @Test
    void even_an_error_leaves_nobody_waiting() {
        store.answer = results -> {
            throw new StackOverflowError("deep");
        };
        store.gate.release(OPEN);
        assertFails(submit("a")).withMessageContaining("StackOverflowError");
        store.answer = results -> results;
        assertThat(submit("b").join()).isInstanceOf(AppendResult.Appended.class);
    }

    @Test
    void a_store_that_answers_with_too_few_results_has_failed() {
        store.answer = results -> List.of();
        store.gate.release(OPEN);
        assertFails(submit("a")).withMessageContaining("1 appends with 0 results");
    }

    @Test
    void a_full_queue_refuses_and_says_when_to_come_again() {
        occupy();
        List<CompletableFuture<AppendResult>> taken = new ArrayList<>();
        for (int i = 0; i < 8; i++) taken.add(commits.submit(GatedRepository.running("r" + i)));
        CompletableFuture<AppendResult> refused = commits.submit(GatedRepository.running("late"));

        assertBusy(refused)
                .withMessageContaining("8 appends")
                .satisfies(
                        busy -> assertThat(busy.retryAfter()).isBetween(Duration.ofMillis(50), Duration.ofSeconds(5)));
        assertThat(commits.refusedFull(false)).isEqualTo(1);
        store.gate.release(OPEN);
        taken.forEach(CompletableFuture::join);
        assertThat(submit("late").join()).isInstanceOf(AppendResult.Appended.class);
    }

    @Test
    void new_sagas_are_refused_while_half_of_the_queue_is_full_and_running_ones_still_fit() {
        occupy();
        List<CompletableFuture<AppendResult>> begins = submitAll(4, 10);
        assertBusy(submit("late")).withMessageContaining("half of that for a saga to begin");
        assertThat(commits.refusedFull(true)).isEqualTo(1);
        CompletableFuture<AppendResult> running = commits.submit(GatedRepository.running("r"));

        store.gate.release(OPEN);
        begins.forEach(CompletableFuture::join);
        running.join();
        assertThat(store.batches.get(1).getFirst().id()).isEqualTo(new SagaId("r"));
        assertThat(commits.refusedFull(false)).isZero();
    }

    @Test
    void the_queue_has_a_limit_of_bytes_but_takes_one_item_of_any_size() {
        occupy();
        CompletableFuture<AppendResult> huge = commits.submit(GatedRepository.append("huge", 1_000_000));
        assertBusy(submit("b")).withMessageContaining("1 appends");
        store.gate.release(OPEN);
        assertThat(huge.join()).isInstanceOf(AppendResult.Appended.class);
    }

    @Test
    void closing_writes_what_waits_then_refuses() {
        occupy();
        List<CompletableFuture<AppendResult>> waiting = submitAll(4, 10);
        CompletableFuture<Void> closing = CompletableFuture.runAsync(commits::close);
        Awaitility.await().until(() -> submit("late").isCompletedExceptionally());
        assertThat(store.closed).isFalse();
        store.gate.release(OPEN);

        closing.join();
        assertThat(store.closed).isTrue();
        assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isInstanceOf(AppendResult.Appended.class));
        assertFails(submit("later")).withMessageContaining("closed");
    }

    @Test
    void what_a_store_that_hangs_does_not_get_to_before_the_end_fails() {
        AppendLane lane =
                AppendLane.start(7, store, GroupCommit.Limits.ofLanes(1), new StoreAvailability(store::check));
        CompletableFuture<AppendResult> underWay = submit(lane, GatedRepository.append("a"));
        awaitBatches(1);
        CompletableFuture<AppendResult> waiting = submit(lane, GatedRepository.append("b"));
        lane.close();
        lane.drain(Duration.ofMillis(1));

        assertFails(waiting).withMessage("The repository was closed before this append was written.");
        assertThat(underWay).isNotDone();
        store.gate.release(OPEN);
        assertThat(underWay.join()).isInstanceOf(AppendResult.Appended.class);
        assertThat(store.batches).hasSize(1);
    }

    @Test
    void lanes_have_a_batch_each_under_way_and_a_saga_stays_in_its_lane() {
        use(GroupCommit.Limits.ofLanes(3));
        for (int i = 0; i < 30; i++) submitted.add(submit("s" + i));
        awaitBatches(3);
        CompletableFuture<AppendResult> again = submit("s0");
        CompletableFuture<AppendResult> other = submit("other");
        store.gate.release(OPEN);

        assertThat(again.join()).isInstanceOf(AppendResult.Conflict.class);
        assertThat(other.join()).isInstanceOf(AppendResult.Appended.class);
        assertThat(submitted).allSatisfy(result -> assertThat(result.join()).isInstanceOf(AppendResult.Appended.class));
    }

    @Test
    void few_share_the_batches_of_one_lane_and_many_have_two() {
        use(GroupCommit.Limits.ofLanes(2).filling(8));
        occupy();
        for (int i = 0; i < 7; i++) submitted.add(submit("few" + i));
        store.gate.release(2);
        submitted.forEach(CompletableFuture::join);
        assertThat(sizes()).containsExactly(1, 7);

        for (int i = 0; i < 40; i++) submitted.add(submit("many" + i));
        awaitBatches(4);
    }

    @Test
    void of_many_writers_nobody_is_forgotten() throws InterruptedException {
        use(new GroupCommit.Limits(2, 7, 20_000, 1_000_000, Integer.MAX_VALUE));
        store.gate.release(OPEN);
        int writers = 16;
        int each = 500;
        CountDownLatch done = new CountDownLatch(writers);
        List<CompletableFuture<AppendResult>> all = new ArrayList<>();
        for (int w = 0; w < writers; w++) {
            int writer = w;
            Thread.ofVirtual().start(() -> {
                for (int i = 0; i < each; i++) {
                    CompletableFuture<AppendResult> result = submit(writer + "-" + i);
                    synchronized (all) {
                        all.add(result);
                    }
                }
                done.countDown();
            });
        }
        done.await();
        assertThat(all)
                .hasSize(writers * each)
                .allSatisfy(result -> assertThat(result.join()).isInstanceOf(AppendResult.Appended.class));
        assertThat(store.batches.stream().flatMap(List::stream)).hasSize(writers * each);
        assertThat(sizes()).allSatisfy(size -> assertThat(size).isBetween(1, 7));
    }

    @Test
    void a_list_is_appended_as_a_whole_or_throws_the_first_failure() {
        store.gate.release(OPEN);
        assertThat(commits.append(List.of())).isEmpty();
        List<AppendResult> results = commits.append(
                List.of(GatedRepository.append("a"), GatedRepository.append("b"), GatedRepository.append("a")));
        assertThat(results)
                .hasExactlyElementsOfTypes(
                        AppendResult.Appended.class, AppendResult.Appended.class, AppendResult.Conflict.class);

        store.answer = failing -> {
            throw new RepositoryUnavailableException("the store is away");
        };
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> commits.append(List.of(GatedRepository.append("c"))))
                .withMessage("the store is away");
    }

    @Test
    void everything_else_goes_to_the_store_as_it_is() {
        assertThat(commits.visibilityLag()).isEqualTo(store.visibilityLag());
        assertThat(commits.durability()).isEqualTo(store.durability());
        assertThat(commits.load(new SagaId("nobody")).version()).isEqualTo(Version.NONE);
    }

    @Test
    void somebody_who_fails_when_he_is_told_makes_nobody_hear_twice_and_no_outage() {
        List<String> heard = new CopyOnWriteArrayList<>();
        AppendListener failing = new AppendListener() {
            @Override
            public void stored(AppendResult result) {
                heard.add("stored");
                throw new IllegalStateException("the test says so");
            }

            @Override
            public void failed(RuntimeException failure) {
                heard.add("failed");
            }
        };
        commits.submit(GatedRepository.append("failing"), failing);
        store.gate.release(2);

        assertThat(submit("other").join()).isInstanceOf(AppendResult.Appended.class);
        assertThat(heard).containsExactly("stored");
        assertThat(commits.outages()).isZero();
    }

    @Test
    void limits_of_nothing_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GroupCommit.Limits.ofLanes(0))
                .withMessage("lanes must be 1 or more but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GroupCommit.Limits.ofLanes(1).gathering(Duration.ofMillis(-1)))
                .withMessage("gather must not be negative but was PT-0.001S");
    }

    private static CompletableFuture<AppendResult> submit(AppendLane lane, Append append) {
        GroupCommit.Promise promise = new GroupCommit.Promise();
        lane.submit(append, promise);
        return promise;
    }

    private CompletableFuture<AppendResult> submit(String saga) {
        return commits.submit(GatedRepository.append(saga));
    }

    private List<CompletableFuture<AppendResult>> submitAll(int count, int bytes) {
        return IntStream.range(0, count)
                .mapToObj(i -> commits.submit(GatedRepository.append("x" + i, bytes)))
                .toList();
    }

    private void use(GroupCommit.Limits limits) {
        commits.close();
        store = new GatedRepository(async);
        commits = new GroupCommit(store, limits);
    }

    private void gather(Duration within) {
        use(new GroupCommit.Limits(1, 4, 10_000, 8, 20_000).gathering(within));
    }

    /** Has a batch under way, so that what comes next gathers. */
    private void occupy() {
        submitted.add(submit("a"));
        awaitBatches(1);
    }

    private void awaitBatches(int count) {
        Awaitility.await().until(() -> store.batches.size() == count);
    }

    private List<Integer> sizes() {
        return store.batches.stream().map(List::size).toList();
    }

    private static ThrowableAssertAlternative<RepositoryUnavailableException> assertFails(
            CompletableFuture<AppendResult> result) {
        return assertThatExceptionOfType(RepositoryUnavailableException.class).isThrownBy(() -> unwrapped(result));
    }

    private static ThrowableAssertAlternative<RepositoryBusyException> assertBusy(
            CompletableFuture<AppendResult> result) {
        return assertThatExceptionOfType(RepositoryBusyException.class).isThrownBy(() -> unwrapped(result));
    }

    private static AppendResult unwrapped(CompletableFuture<AppendResult> result) throws Throwable {
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause();
        }
    }
}
