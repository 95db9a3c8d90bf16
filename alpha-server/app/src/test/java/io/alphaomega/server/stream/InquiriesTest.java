package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What is asked of a service's fences, of whom, and how much at a time. */
class InquiriesTest {
    private static final Instant NOW = Instant.parse("2026-11-29T09:00:00Z");
    private static final ActorTestKit KIT = ActorTestKit.create(
            "inquiries", ConfigFactory.parseString("akka.loglevel = WARNING").withFallback(ConfigFactory.load()));
    private static int connections;

    private final Budget budget = new Budget(1, Integer.MAX_VALUE);
    private final Participant participant = new Participant(budget.open(0), KIT.spawn(Behaviors.ignore()));
    private final Inquiries inquiries = participant.inquiries;
    private final TestProbe<RunCallback> told = KIT.createTestProbe();

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    private ActorRef<RunCallback> connected(boolean inquirable) {
        return connected(inquirable, "");
    }

    private ActorRef<RunCallback> connected(boolean inquirable, String build) {
        ActorRef<RunCallback> connection = KIT.spawn(
                Behaviors.<RunCallback>receiveMessage(run -> {
                    told.getRef().tell(run);
                    return Behaviors.same();
                }),
                Participant.name(++connections, 1, "h-" + connections, build, inquirable));
        participant.open(connection, true);
        return connection;
    }

    private static SagaEffect.AskFence question(int bytes) {
        return new SagaEffect.AskFence(
                new BranchId("b"),
                "hotel",
                "1.4",
                "cancel",
                new Payload(new byte[bytes]),
                "fence-1",
                "",
                NOW.minusSeconds(60));
    }

    private void ask(int sagas) {
        for (int i = 0; i < sagas; i++) inquiries.ask(new SagaId("s" + i), question(0));
    }

    private Set<String> told(int count) {
        Set<String> sagas = new HashSet<>();
        for (RunCallback run : told.receiveSeveralMessages(count))
            sagas.add(run.callback().getSaga());
        return sagas;
    }

    @Test
    void the_question_says_which_branch_which_fence_and_by_which_callback() {
        connected(true);
        ask(1);
        inquiries.send(participant, NOW);

        Callback asked = told.receiveMessage().callback();
        assertThat(asked.getKind()).isEqualTo(CallbackKind.INQUIRY);
        assertThat(asked.getBranch()).isEqualTo("b");
        assertThat(asked.getFence()).isEqualTo("fence-1");
        assertThat(asked.getInquired()).isEqualTo("cancel");
        assertThat(asked.getName()).as("nothing is to be called").isEmpty();
        assertThat(asked.getBegunMillisAgo()).isEqualTo(60_000);
    }

    @Test
    void an_instance_of_an_older_omega_or_on_an_older_node_is_never_asked() {
        connected(false);
        ask(1);
        inquiries.send(participant, NOW);
        told.expectNoMessage(Duration.ZERO);
        assertThat(inquiries.isEmpty()).as("it waits for another").isFalse();

        connected(true);
        inquiries.send(participant, NOW);
        assertThat(told(1)).containsExactly("s0");
    }

    @Test
    void the_build_that_ran_the_branch_is_asked_if_it_is_connected() {
        connected(true, "1.5");
        ActorRef<RunCallback> same = connected(true, "1.4");
        connected(true, "1.6");
        for (int number = 0; number < 10; number++) {
            assertThat(participant.toInquire("1.4", number)).isEqualTo(same);
            assertThat(participant.toInquire("1.3", number)).isNotNull();
        }
    }

    @Test
    void a_few_are_under_way_at_a_time_and_the_next_follow_the_answers() {
        connected(true);
        ask(Inquiries.UNDER_WAY_MAX + 2);
        inquiries.send(participant, NOW);
        Set<String> first = told(Inquiries.UNDER_WAY_MAX);
        told.expectNoMessage(Duration.ZERO);

        first.stream().limit(2).forEach(saga -> inquiries.withdraw(new SagaId(saga), question(0)));
        inquiries.send(participant, NOW);
        assertThat(told(2)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void what_is_asked_for_twice_is_asked_once() {
        connected(true);
        ask(1);
        ask(1);
        inquiries.send(participant, NOW);
        ask(1);
        inquiries.send(participant, NOW);
        assertThat(told(1)).containsExactly("s0");
        told.expectNoMessage(Duration.ZERO);
    }

    @Test
    void what_nobody_answers_is_asked_again_of_each_instance_and_then_only_if_the_saga_says_so() {
        Set<ActorRef<RunCallback>> chosen = new HashSet<>();
        connected(true);
        connected(true);
        for (int number = 0; number < 2; number++) chosen.add(participant.toInquire("1.4", number));
        assertThat(chosen).hasSize(2);

        ask(1);
        Instant at = NOW;
        inquiries.send(participant, at);
        inquiries.look(at.plus(Inquiries.ANSWER_WITHIN).minusMillis(1));
        inquiries.send(participant, at);
        told(1);
        told.expectNoMessage(Duration.ZERO);
        int asked = 1;
        while (!inquiries.takeMissed()) {
            at = at.plus(Inquiries.ANSWER_WITHIN);
            inquiries.look(at);
            inquiries.send(participant, at);
            asked++;
        }
        assertThat(told(asked - 2))
                .as("one was told, and the last look asked nobody")
                .containsExactly("s0");
        assertThat(budget.lent()).as("nothing of it is kept").isZero();
        assertThat(inquiries.takeMissed()).as("once").isFalse();
    }

    @Test
    void sagas_for_whose_questions_there_is_no_room_are_to_ask_again_when_there_is() {
        ask(Inquiries.MAX + 1);
        inquiries.send(participant, NOW);
        assertThat(inquiries.hasRoom()).isFalse();
        assertThat(inquiries.takeMissed()).isFalse();

        for (int i = 0; i <= Inquiries.MAX / 2; i++) inquiries.withdraw(new SagaId("s" + i), question(0));
        inquiries.send(participant, NOW);
        assertThat(inquiries.hasRoom()).isTrue();
        assertThat(inquiries.takeMissed()).isTrue();
    }

    @Test
    void what_waits_counts_as_what_the_node_may_hold() {
        Budget small = new Budget(1, 100_000);
        Participant poor = new Participant(small.open(0), KIT.spawn(Behaviors.ignore()));
        int taken = 0;
        while (poor.inquiries.hasRoom() && taken < Inquiries.MAX) {
            poor.inquiries.ask(new SagaId("s" + taken++), question(10_000));
            poor.inquiries.send(poor, NOW);
        }
        assertThat(taken).isLessThan(10);
        for (int i = 0; i < taken; i++) poor.inquiries.withdraw(new SagaId("s" + i), question(10_000));
        assertThat(small.lent()).isZero();
    }
}
