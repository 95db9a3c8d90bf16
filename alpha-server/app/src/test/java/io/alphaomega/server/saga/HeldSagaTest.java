package io.alphaomega.server.saga;

import static io.alphaomega.server.saga.SagaBench.ACCEPTED;
import static io.alphaomega.server.saga.SagaBench.abort;
import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.beginBranch;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorRef;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A saga whose store was set back, while it is in memory and when it is loaded. */
class HeldSagaTest {
    private final SagaBench bench = new SagaBench();

    @AfterEach
    void close() {
        bench.close();
    }

    private void storeIsSetBack() {
        bench.clock.advance(Duration.ofSeconds(1));
        bench.holds.restored(new Restoration(bench.clock.instant(), bench.clock.instant(), "It is older."));
    }

    private ActorRef<SagaCommand> open() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.decided(saga, endBranch("b"));
        return saga;
    }

    private void isTheLast(Class<? extends SagaEvent> event) {
        assertThat(bench.journal().getLast()).isEqualTo(event);
    }

    @Test
    void one_in_memory_is_held_before_it_decides_anything_else() {
        ActorRef<SagaCommand> saga = open();
        storeIsSetBack();

        assertThat(bench.ask(saga, abort())).isInstanceOf(SagaReply.Outcome.Unavailable.class);
        isTheLast(SagaEvent.Held.class);
        assertThat(bench.count("alpha.sagas", "event", "held")).isEqualTo(1);
    }

    @Test
    void whoever_waits_for_the_decision_is_told_to_ask_later() {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch("b"));
        bench.tell(saga, new SagaInput.End(true), 7);
        bench.awaitAppends(3);
        storeIsSetBack();

        assertThat(bench.decided(saga, new SagaInput.Tick())).isEqualTo(ACCEPTED);

        assertThat(bench.outcomes(1)).singleElement().isInstanceOf(SagaReply.Outcome.Unavailable.class);
    }

    @Test
    void one_whose_deadline_has_passed_is_held_when_its_alarm_goes_off_and_only_its_fences_are_asked() {
        open();
        storeIsSetBack();

        bench.pass(SagaBench.POLICY.timeout().plusSeconds(10));
        bench.awaitAppends(4);

        isTheLast(SagaEvent.Held.class);
        bench.participants.expectMessageClass(FenceCommand.Ask.class);
        bench.participants.expectNoMessage();
    }

    @Test
    void a_callback_under_way_is_withdrawn() {
        ActorRef<SagaCommand> saga = open();
        bench.decided(saga, abort());
        bench.participants.expectMessageClass(CallbackCommand.Ask.class);
        storeIsSetBack();

        bench.decided(saga, new SagaInput.Tick());

        bench.participants.expectMessageClass(CallbackCommand.Withdraw.class);
        isTheLast(SagaEvent.Held.class);
    }

    @Test
    void one_that_is_loaded_asks_its_fences_and_for_nothing_that_it_owed() {
        ActorRef<SagaCommand> before = open();
        bench.decided(before, abort());
        bench.participants.expectMessageClass(CallbackCommand.Ask.class);
        before.tell(SagaCommand.Signal.LEAVE);
        bench.kit.createTestProbe().expectTerminated(before);
        storeIsSetBack();

        assertThat(bench.decided(bench.owner(), new SagaInput.Tick())).isEqualTo(ACCEPTED);

        isTheLast(SagaEvent.Held.class);
        bench.participants.expectMessageClass(FenceCommand.Ask.class);
        bench.participants.expectNoMessage();
    }

    @Test
    void what_its_fences_have_not_said_is_asked_for_again_when_their_service_connects() {
        ActorRef<SagaCommand> saga = open();
        storeIsSetBack();
        bench.decided(saga, new SagaInput.Tick());
        FenceCommand.Ask asked = bench.participants.expectMessageClass(FenceCommand.Ask.class);

        bench.decided(saga, new SagaInput.ConnectService(asked.question().service()));
        assertThat(bench.participants.expectMessageClass(FenceCommand.Ask.class))
                .isEqualTo(asked);

        Evidence ran = new Evidence(Evidence.Finding.RAN, Optional.empty(), "");
        SagaInput answer = new SagaInput.AnswerFence(
                asked.question().branch(), ran, asked.question().service());
        assertThat(bench.decided(saga, answer)).isEqualTo(ACCEPTED);
        isTheLast(SagaEvent.FenceAnswered.class);
        bench.participants.expectMessageClass(FenceCommand.Withdraw.class);
        bench.decided(saga, new SagaInput.ConnectService(asked.question().service()));
        bench.participants.expectNoMessage();
    }

    @Test
    void one_that_a_person_releases_goes_on_and_is_not_held_again() {
        ActorRef<SagaCommand> saga = open();
        storeIsSetBack();
        bench.decided(saga, new SagaInput.Tick());

        SagaInput retry = new SagaInput.Retry(
                new Operator("ann", "not paid"), bench.journal().size());
        assertThat(bench.decided(saga, retry)).isEqualTo(ACCEPTED);
        isTheLast(SagaEvent.Resumed.class);

        assertThat(bench.decided(bench.owner(), new SagaInput.Tick())).isEqualTo(ACCEPTED);
        isTheLast(SagaEvent.Resumed.class);
    }

    @Test
    void one_that_begins_after_that_is_a_saga_like_any_other() {
        storeIsSetBack();
        bench.clock.advance(Duration.ofSeconds(1));

        ActorRef<SagaCommand> saga = open();
        bench.decided(saga, abort());

        bench.participants.expectMessageClass(CallbackCommand.Ask.class);
        assertThat(bench.journal()).doesNotContain(SagaEvent.Held.class);
    }
}
