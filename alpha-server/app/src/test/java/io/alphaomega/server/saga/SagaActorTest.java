package io.alphaomega.server.saga;

import static io.alphaomega.server.saga.SagaBench.ACCEPTED;
import static io.alphaomega.server.saga.SagaBench.abort;
import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.beginBranch;
import static io.alphaomega.server.saga.SagaBench.decided;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.repository.AppendListener;
import io.alphaomega.server.repository.GroupCommit;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One actor of one saga: what is stored before what is said, and what becomes of it when the store is not at its best. */
class SagaActorTest {
    private final SagaBench bench = new SagaBench();

    @AfterEach
    void close() {
        bench.close();
    }

    // ---- append, act, reply

    @Test
    void nobody_hears_anything_before_it_is_stored() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.store.hold();
        bench.tell(saga, begin(), 7);
        bench.awaitAppends(1);
        bench.caller.expectNoMessage(Duration.ZERO);

        bench.store.release(1);

        assertThat(bench.caller.receiveMessage()).isEqualTo(new SagaReply(bench.id, 7, decided(ACCEPTED)));
        assertThat(bench.journal()).containsExactly(SagaEvent.Begun.class);
    }

    @Test
    void what_arrives_during_an_append_is_stored_with_one_append_and_answered_in_order() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.store.hold();
        bench.tell(saga, begin(), 1);
        bench.awaitAppends(1);
        for (int i = 2; i <= 5; i++) bench.tell(saga, beginBranch("b" + i), i);
        bench.tell(saga, beginBranch("b2"), 6); // A repeat: it appends nothing, and yet waits for the batch.

        bench.store.release(1);
        bench.awaitAppends(2);
        assertThat(bench.caller.receiveMessage().correlation()).isEqualTo(1);
        bench.caller.expectNoMessage(Duration.ZERO);
        bench.store.release(1);

        assertThat(bench.caller.receiveSeveralMessages(5))
                .extracting(SagaReply::correlation)
                .containsExactly(2L, 3L, 4L, 5L, 6L);
        assertThat(bench.store.appends.get(1).events()).hasSize(4);
    }

    @Test
    void what_is_owed_is_asked_once_and_withdrawn_when_it_is_settled() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.decided(saga, endBranch("b"));
        bench.decided(saga, abort());

        CallbackCommand.Ask asked = bench.participants.expectMessageClass(CallbackCommand.Ask.class);
        assertThat(asked.call().branch()).isEqualTo(new BranchId("b"));
        bench.decided(saga, abort());
        bench.decided(saga, new SagaInput.SucceedCallback(new BranchId("b"), CallbackKind.COMPENSATION, 1, "hotel"));

        assertThat(bench.participants
                        .expectMessageClass(CallbackCommand.Withdraw.class)
                        .call())
                .isEqualTo(asked.call());
        assertThat(bench.journal()).last().isEqualTo(SagaEvent.Ended.class);
    }

    @Test
    void a_saga_that_is_loaded_asks_for_whatever_is_owed() {
        ActorRef<SagaCommand> before = bench.owner();
        bench.decided(before, begin());
        bench.decided(before, beginBranch("b"));
        bench.decided(before, endBranch("b"));
        bench.decided(before, abort());
        SagaEffect.Call call =
                bench.participants.expectMessageClass(CallbackCommand.Ask.class).call();

        bench.tell(bench.owner(), new SagaInput.Tick(), 1);

        assertThat(bench.participants
                        .expectMessageClass(CallbackCommand.Ask.class)
                        .call())
                .isEqualTo(call);
    }

    // ---- a store that fails

    @Test
    void an_append_that_was_stored_but_not_confirmed_is_stored_once_and_answered_as_if_it_had_been() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.store.faults.add(FaultyRepository.Fault.STORED_UNHEARD);

        assertThat(bench.decided(saga, begin())).isEqualTo(ACCEPTED);

        assertThat(bench.journal()).containsExactly(SagaEvent.Begun.class);
        assertThat(bench.count("alpha.saga.unknown.outcomes")).isEqualTo(1);
        assertThat(bench.count("alpha.sagas", "event", "begun")).isEqualTo(1);
    }

    @Test
    void an_append_that_failed_is_decided_again_on_what_is_stored() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.store.faults.add(FaultyRepository.Fault.NOT_STORED);
        bench.store.faults.add(FaultyRepository.Fault.NOT_STORED);

        assertThat(bench.decided(saga, begin())).isEqualTo(ACCEPTED);

        assertThat(bench.journal()).containsExactly(SagaEvent.Begun.class);
        assertThat(bench.store.loads).hasValue(2);
        assertThat(bench.count("alpha.sagas", "event", "begun")).isEqualTo(1);
    }

    @Test
    void while_the_store_is_down_everybody_is_told_to_come_back_and_then_it_goes_on() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.store.down = true;

        assertThat(bench.ask(saga, beginBranch("b")))
                .isInstanceOfSatisfying(
                        SagaReply.Outcome.Unavailable.class,
                        unavailable -> assertThat(unavailable.retryAfter()).isPositive());
        bench.shard.expectMessageClass(ClusterSharding.Passivate.class);

        bench.store.down = false;
        assertThat(bench.decided(saga, beginBranch("b"))).isEqualTo(ACCEPTED);
    }

    @Test
    void a_store_that_is_too_busy_has_stored_nothing_and_says_when_to_come_back() {
        GroupCommit commit = new GroupCommit(bench.store, new GroupCommit.Limits(1, 1, 1_000_000, 1, 1_000_000));
        try (SagaBench under = new SagaBench();
                SagaBench queued = new SagaBench()) {
            bench.append = under.append = queued.append = commit::submit;
            bench.store.hold();
            under.tell(under.owner(), begin(), 1);
            bench.awaitAppends(1);
            queued.tell(queued.owner(), begin(), 1);
            await().until(() -> commit.queuedItems() == 1);
            ActorRef<SagaCommand> saga = bench.owner();

            assertThat(bench.ask(saga, begin())).isInstanceOf(SagaReply.Outcome.Unavailable.class);
            assertThat(bench.count("alpha.saga.unknown.outcomes")).isZero();

            bench.store.releaseAll();
            await().until(() -> commit.queuedItems() == 0);
            assertThat(bench.decided(saga, begin())).isEqualTo(ACCEPTED);
        }
        commit.close();
    }

    @Test
    void more_inputs_than_can_wait_are_told_to_come_back() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.store.hold();
        bench.tell(saga, begin(), 0);
        bench.awaitAppends(1);
        for (int i = 1; i <= PendingReplies.GATHERED_MAX + 3; i++) bench.tell(saga, begin(), i);

        assertThat(bench.outcomes(3))
                .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(SagaReply.Outcome.Unavailable.class));
        bench.store.releaseAll();
        assertThat(bench.outcomes(PendingReplies.GATHERED_MAX + 1)).containsOnly(decided(ACCEPTED));
    }

    @Test
    void an_order_that_was_stored_but_not_confirmed_is_carried_out_once_and_its_operator_is_told_so() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.store.faults.add(FaultyRepository.Fault.STORED_UNHEARD);
        SagaInput order = new SagaInput.AbortByOperator(new Operator("ann", "wrong tenant"), 1);

        assertThat(bench.decided(saga, order)).isEqualTo(ACCEPTED);
        assertThat(bench.decided(bench.owner(), order)).as("after a restart").isEqualTo(ACCEPTED);

        assertThat(bench.journal())
                .containsExactly(SagaEvent.Begun.class, SagaEvent.Aborted.class, SagaEvent.Ended.class);
        assertThat(bench.count("alpha.saga.unknown.outcomes")).isEqualTo(1);
        assertThat(bench.count("alpha.saga.refusals", "reason", "SAGA_MOVED")).isZero();
    }

    // ---- a store that answers late, or twice

    @Test
    void a_late_answer_of_an_earlier_append_is_not_taken_for_the_present_one() {
        Queue<AppendListener> asked = new ConcurrentLinkedQueue<>();
        bench.submit = (append, waiter) -> asked.add(waiter);
        ActorRef<SagaCommand> saga = bench.owner();
        bench.tell(saga, begin(), 1);
        AppendListener first = next(asked);
        first.failed(new RepositoryUnavailableException("nobody knows"));
        AppendListener second = next(asked); // It has looked, found nothing, and appends again.

        first.stored(new AppendResult.Appended(new Version(1, "late")));
        first.failed(new RepositoryUnavailableException("late"));
        first.stored(new AppendResult.Locked());
        bench.tell(saga, begin(), 2);

        bench.caller.expectNoMessage(Duration.ZERO);
        second.stored(new AppendResult.Appended(new Version(1, "stored")));
        assertThat(bench.outcomes(2)).containsOnly(decided(ACCEPTED));
        assertThat(bench.count("alpha.saga.unknown.outcomes")).isEqualTo(1);
        assertThat(bench.count("alpha.saga.locked")).isZero();
        assertThat(asked).isEmpty();
    }

    @Test
    void a_second_answer_of_an_append_is_not_taken_for_that_of_the_load_that_follows() {
        List<AppendListener> asked = new CopyOnWriteArrayList<>();
        Semaphore loads = new Semaphore(0);
        bench.decided(bench.owner(), begin());
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.store.onLoad = loaded -> {
            loads.acquireUninterruptibly();
            return loaded;
        };
        bench.submit = (append, waiter) -> asked.add(waiter);
        bench.tell(saga, beginBranch("b"), 7);
        await().until(() -> asked.size() == 1);

        for (int i = 0; i < 2; i++) asked.getFirst().failed(new RepositoryUnavailableException("nobody knows"));
        loads.release();

        await().until(() -> asked.size() == 2);
        bench.caller.expectNoMessage(Duration.ZERO);
        asked.getLast().stored(new AppendResult.Appended(new Version(2, "stored")));
        assertThat(bench.outcomes(1)).containsExactly(decided(ACCEPTED));
        bench.shard.expectNoMessage(Duration.ZERO);
    }

    private static AppendListener next(Queue<AppendListener> asked) {
        await().until(() -> !asked.isEmpty());
        return Objects.requireNonNull(asked.poll());
    }

    // ---- who waits for the decision

    @Test
    void who_awaits_the_decision_gets_it_once_the_last_branch_has_ended() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.tell(saga, new SagaInput.End(true), 1);
        bench.tell(saga, new SagaInput.End(true), 1); // Asked again over the same stream.
        assertThat(bench.decided(saga, new SagaInput.End(false))).isEqualTo(new Reply.Pending());
        bench.caller.expectNoMessage(Duration.ZERO);

        bench.decided(saga, endBranch("b"));

        assertThat(bench.outcomes(1)).containsExactly(decided(new Reply.Committed()));
        bench.caller.expectNoMessage(Duration.ZERO);
    }

    @Test
    void who_awaits_the_decision_hears_of_the_abort_at_the_deadline() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.tell(saga, new SagaInput.End(true), 1);
        assertThat(bench.decided(saga, begin())).isEqualTo(ACCEPTED);

        bench.pass(SagaBench.POLICY.branchTimeout());

        assertThat(bench.outcomes(1).getFirst())
                .isInstanceOfSatisfying(
                        SagaReply.Outcome.Decided.class,
                        decided -> assertThat(decided.reply()).isInstanceOf(Reply.Aborted.class));
    }

    @Test
    void only_so_many_wait_for_one_decision() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        for (int i = 0; i <= PendingReplies.PARKED_MAX; i++) bench.tell(saga, new SagaInput.End(true), i);

        assertThat(bench.outcomes(1).getFirst()).isInstanceOf(SagaReply.Outcome.Unavailable.class);
    }

    // ---- a journal that cannot be read

    @Test
    void an_unreadable_saga_refuses_everything_appends_nothing_and_is_read_again_later() {
        bench.decided(bench.owner(), begin());
        StoredEvent fromTheFuture = StoredEvent.of("saga.teleported.v9", new byte[] {1});
        bench.store.onLoad =
                loaded -> loaded.events().isEmpty() ? loaded : new Loaded(List.of(fromTheFuture), loaded.version());
        ActorRef<SagaCommand> saga = bench.owner();

        assertThat(bench.ask(saga, beginBranch("b")))
                .isInstanceOfSatisfying(
                        SagaReply.Outcome.Unreadable.class,
                        unreadable -> assertThat(unreadable.text()).contains(bench.id.value(), "saga.teleported.v9"));
        assertThat(bench.unreadable.sentence(bench.id)).isPresent();
        assertThat(bench.ask(saga, new SagaInput.Tick())).isInstanceOf(SagaReply.Outcome.Unreadable.class);
        assertThat(bench.store.appends).hasSize(1);

        bench.pass(SagaActor.UNREADABLE_FOR);
        bench.shard.expectMessageClass(ClusterSharding.Passivate.class);
        saga.tell(SagaCommand.Signal.LEAVE);
        bench.store.onLoad = mended -> mended;
        assertThat(bench.decided(bench.owner(), beginBranch("b"))).isEqualTo(ACCEPTED);
        assertThat(bench.unreadable.sentence(bench.id)).isEmpty();
    }

    /** It may be another node's by then, and mended. */
    @Test
    void an_unreadable_saga_that_left_memory_counts_until_nobody_has_tried_it_for_minutes() {
        bench.decided(bench.owner(), begin());
        StoredEvent fromTheFuture = StoredEvent.of("saga.teleported.v9", new byte[] {1});
        bench.store.onLoad = loaded -> new Loaded(List.of(fromTheFuture), loaded.version());
        for (int times = 0; times < 2; times++) {
            ActorRef<SagaCommand> saga = bench.owner();
            assertThat(bench.ask(saga, new SagaInput.Tick())).isInstanceOf(SagaReply.Outcome.Unreadable.class);
            bench.pass(SagaActor.UNREADABLE_FOR);
            bench.shard.expectMessageClass(ClusterSharding.Passivate.class);
            saga.tell(SagaCommand.Signal.LEAVE);
            bench.kit.createTestProbe().expectTerminated(saga);

            bench.pass(UnreadableSagas.REMEMBERED_FOR.minus(SagaActor.UNREADABLE_FOR.multipliedBy(2)));
            assertThat(bench.unreadable.sentence(bench.id)).isPresent();
            assertThat(bench.unreadable.all()).containsKey(bench.id);
            assertThat(bench.unreadable.count()).isEqualTo(1);
        }

        bench.pass(SagaActor.UNREADABLE_FOR);
        assertThat(bench.unreadable.sentence(bench.id)).isEmpty();
        assertThat(bench.unreadable.all()).isEmpty();
        assertThat(bench.unreadable.count()).isZero();
    }

    @Test
    void an_unreadable_saga_that_must_go_while_it_is_read_goes() {
        bench.decided(bench.owner(), begin());
        StoredEvent fromTheFuture = StoredEvent.of("saga.teleported.v9", new byte[] {1});
        ActorRef<SagaCommand> saga = bench.owner();
        bench.store.onLoad = loaded -> {
            saga.tell(SagaCommand.Signal.LEAVE); // Arrives before what was read.
            return new Loaded(List.of(fromTheFuture), loaded.version());
        };

        assertThat(bench.ask(saga, beginBranch("b"))).isInstanceOf(SagaReply.Outcome.Unreadable.class);

        bench.kit.createTestProbe().expectTerminated(saga);
        assertThat(bench.unreadable.count()).isZero();
    }

    @Test
    void a_node_that_hands_an_unreadable_saga_over_does_not_count_it_for_ever() {
        bench.decided(bench.owner(), begin());
        StoredEvent fromTheFuture = StoredEvent.of("saga.teleported.v9", new byte[] {1});
        bench.store.onLoad = loaded -> new Loaded(List.of(fromTheFuture), loaded.version());
        ActorRef<SagaCommand> saga = bench.owner();
        assertThat(bench.ask(saga, beginBranch("b"))).isInstanceOf(SagaReply.Outcome.Unreadable.class);
        assertThat(bench.unreadable.count()).isEqualTo(1);

        saga.tell(SagaCommand.Signal.LEAVE);

        bench.kit.createTestProbe().expectTerminated(saga);
        assertThat(bench.unreadable.count()).isZero();
    }
}
