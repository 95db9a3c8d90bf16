package io.alphaomega.server.saga;

import static io.alphaomega.server.saga.SagaBench.ACCEPTED;
import static io.alphaomega.server.saga.SagaBench.abort;
import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.beginBranch;
import static io.alphaomega.server.saga.SagaBench.decided;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long one actor of one saga stays: its alarm, leaving when idle, being handed over. */
class SagaActorStayTest {
    private final SagaBench bench = new SagaBench();

    @AfterEach
    void close() {
        bench.close();
    }

    // ---- time

    @Test
    void a_saga_wakes_up_by_itself_at_its_deadline() {
        ActorRef<SagaCommand> saga = bench.owner();
        hasSetItsAlarm(saga);

        bench.pass(SagaBench.PASSIVATE_AFTER.dividedBy(2));
        assertThat(bench.journal()).containsExactly(SagaEvent.Begun.class);
        bench.pass(SagaBench.POLICY.timeout());

        await().until(() -> bench.journal().contains(SagaEvent.Aborted.class));
    }

    @Test
    void a_saga_whose_alarm_went_off_during_an_append_still_wakes_up_at_its_deadline() {
        alarmedDuringAnAppend();

        bench.pass(SagaBench.POLICY.timeout());

        await().until(() -> bench.journal().contains(SagaEvent.Aborted.class));
    }

    @Test
    void a_saga_whose_alarm_went_off_during_an_append_still_leaves_when_it_is_idle() {
        ActorRef<SagaCommand> saga = alarmedDuringAnAppend();

        bench.pass(SagaBench.PASSIVATE_AFTER);

        bench.shard.expectMessageClass(ClusterSharding.Passivate.class);
        saga.tell(SagaCommand.Signal.LEAVE);
        bench.kit.createTestProbe().expectTerminated(saga);
    }

    private ActorRef<SagaCommand> alarmedDuringAnAppend() {
        ActorRef<SagaCommand> saga = bench.owner();
        hasSetItsAlarm(saga);
        bench.decided(saga, beginBranch("b"));
        bench.store.hold();
        bench.tell(saga, endBranch("b"), 1);
        bench.awaitAppends(3);
        bench.pass(SagaBench.PASSIVATE_AFTER);
        bench.store.releaseAll();
        assertThat(bench.outcomes(1)).containsExactly(decided(ACCEPTED));
        hasSetItsAlarm(saga);
        return saga;
    }

    /** It does that after it has answered, and before it answers again. */
    private void hasSetItsAlarm(ActorRef<SagaCommand> saga) {
        for (int i = 0; i < 2; i++) bench.decided(saga, begin());
    }

    @Test
    void a_saga_that_comes_from_a_node_whose_clock_was_a_minute_ahead_does_not_stand_still_for_a_minute() {
        Duration ahead = Duration.ofMinutes(1);
        bench.clock.advance(ahead);
        ActorRef<SagaCommand> before = bench.owner();
        bench.decided(before, begin());
        before.tell(SagaCommand.Signal.LEAVE);
        bench.kit.createTestProbe().expectTerminated(before);
        bench.clock.advance(ahead.negated());
        ActorRef<SagaCommand> saga = bench.owner();
        hasSetItsAlarm(saga);
        bench.decided(saga, beginBranch("b"));

        bench.pass(SagaBench.PASSIVATE_AFTER.dividedBy(2));
        assertThat(bench.journal()).doesNotContain(SagaEvent.Aborted.class);
        bench.pass(SagaBench.POLICY.timeout());

        await().until(() -> bench.journal().contains(SagaEvent.Aborted.class));
        assertThat(bench.store.journal(bench.id))
                .extracting(SagaEvent::at)
                .as("time never runs backwards for a saga")
                .isSorted();
    }

    // ---- coming and going

    @Test
    void an_idle_saga_that_owes_nothing_leaves() {
        ActorRef<SagaCommand> saga = bench.owner();
        hasSetItsAlarm(saga);

        bench.pass(SagaBench.PASSIVATE_AFTER);
        bench.shard.expectMessageClass(ClusterSharding.Passivate.class);
        saga.tell(SagaCommand.Signal.LEAVE);

        bench.kit.createTestProbe().expectTerminated(saga);
        await().untilAsserted(() -> assertThat(
                        bench.meters.get("alpha.saga.actors").gauge().value())
                .isZero());
        assertThat(bench.count("alpha.saga.handovers")).isZero();
    }

    @Test
    void a_saga_that_did_not_ask_to_leave_is_handed_over_and_counted_once() {
        ActorRef<SagaCommand> saga = bench.owner();
        hasSetItsAlarm(saga);

        saga.tell(SagaCommand.Signal.LEAVE);

        bench.kit.createTestProbe().expectTerminated(saga);
        assertThat(bench.count("alpha.saga.handovers")).isEqualTo(1);
    }

    @Test
    void a_saga_that_is_woken_says_how_late_that_is() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.clock.advance(SagaBench.POLICY.timeout().plusSeconds(5));

        bench.decided(saga, new SagaInput.Tick());

        Timer lateness = bench.meters.get("alpha.saga.lateness").timer();
        assertThat(lateness.count()).isEqualTo(1);
        assertThat(lateness.totalTime(TimeUnit.SECONDS)).isEqualTo(5);
    }

    @Test
    void where_there_is_no_room_idle_sagas_leave_soon() {
        int each = SagaMemory.size(new SagaState.Absent(bench.id));
        bench.memory = new SagaMemory(4L * 10 * each, SagaBench.PASSIVATE_AFTER);
        bench.memory.take(9 * each);
        ActorRef<SagaCommand> saga = bench.owner();
        hasSetItsAlarm(saga);

        assertThat(bench.memory.patience()).isLessThan(SagaBench.PASSIVATE_AFTER.dividedBy(10));
        bench.pass(SagaBench.PASSIVATE_AFTER.dividedBy(10));
        bench.shard.expectMessageClass(ClusterSharding.Passivate.class);
        saga.tell(SagaCommand.Signal.LEAVE);

        bench.kit.createTestProbe().expectTerminated(saga);
        await().untilAsserted(() ->
                assertThat(bench.memory.patience()).isLessThanOrEqualTo(SagaBench.PASSIVATE_AFTER.dividedBy(10)));
    }

    @Test
    void a_saga_that_owes_a_callback_stays() {
        Duration patience = SagaBench.PASSIVATE_AFTER.multipliedBy(10);
        CallbackPolicy callbacks =
                new CallbackPolicy(1, Duration.ofHours(1), Duration.ofSeconds(1), Duration.ofSeconds(1), patience);
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(
                saga,
                new SagaInput.Begin(
                        Initiator.UNKNOWN,
                        new Policy(Duration.ofHours(1), patience, Policy.Order.SEQUENTIAL, callbacks)));
        bench.decided(saga, beginBranch("b"));
        bench.decided(saga, endBranch("b"));
        bench.decided(saga, abort());

        for (int i = 0; i < 3; i++) bench.pass(SagaBench.PASSIVATE_AFTER);
        bench.decided(saga, abort());

        bench.shard.expectNoMessage(Duration.ZERO);
    }

    @Test
    void whoever_is_told_directly_is_answered_also_while_the_saga_is_told_to_leave() {
        for (int i = 1; i <= 50; i++) {
            ActorRef<SagaCommand> saga = bench.owner();
            bench.decided(saga, begin());
            Deliver direct = new Deliver(bench.id, begin(), i, bench.caller.getRef());
            await().until(() -> bench.localSagas.tell(direct));
            bench.threads.execute(() -> saga.tell(SagaCommand.Signal.LEAVE));
            int told = 1;
            while (bench.localSagas.tell(direct)) told++;

            assertThat(bench.outcomes(told)).hasSize(told);
            bench.kit.createTestProbe().expectTerminated(saga);
        }
    }

    @Test
    void a_saga_that_was_told_to_leave_is_not_told_anything_directly_again() {
        TestProbe<SagaCommand> self = bench.kit.createTestProbe();
        Passivation passivation = new Passivation(bench.id, self.getRef(), bench.shard.getRef(), bench.localSagas);
        passivation.enter();
        passivation.leave();
        passivation.enter(); // As after an append that was under way.

        assertThat(bench.localSagas.tell(new Deliver(bench.id, begin(), 1, bench.caller.getRef())))
                .isFalse();
        assertThat(passivation.isLeaving()).isFalse();
        self.expectMessage(SagaCommand.Signal.LEAVE);
        passivation.leave();
        assertThat(passivation.isLeaving()).isTrue();
    }

    @Test
    void an_ended_saga_leaves_at_once_and_still_answers_on_its_way_out() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, new SagaInput.End(true));
        bench.shard.expectMessageClass(ClusterSharding.Passivate.class);

        assertThat(bench.decided(saga, new SagaInput.End(true))).isEqualTo(new Reply.Committed());
        bench.shard.expectNoMessage(Duration.ZERO);
    }

    @Test
    void a_saga_that_must_go_finishes_its_append_first() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.store.hold();
        bench.tell(saga, begin(), 1);
        bench.awaitAppends(1);
        bench.tell(saga, beginBranch("b"), 2);
        saga.tell(SagaCommand.Signal.LEAVE);
        bench.store.releaseAll();

        assertThat(bench.outcomes(2)).containsExactly(decided(ACCEPTED), decided(ACCEPTED));
        bench.kit.createTestProbe().expectTerminated(saga);
    }

    @Test
    void who_waits_for_a_decision_when_the_saga_moves_is_told_to_come_back() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.tell(saga, new SagaInput.End(true), 1);
        bench.decided(saga, begin());
        saga.tell(SagaCommand.Signal.LEAVE);

        assertThat(bench.outcomes(1).getFirst()).isInstanceOf(SagaReply.Outcome.Unavailable.class);
    }
}
