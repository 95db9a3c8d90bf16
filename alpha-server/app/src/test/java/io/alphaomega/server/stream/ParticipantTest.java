package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Behaviors;
import akka.serialization.Serializers;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import java.io.NotSerializableException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Who of a service is asked, and what becomes of the rest. */
class ParticipantTest {
    private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");
    private static final Instant GIVEN_UP_AT = NOW.plus(Duration.ofHours(24));
    private static final Duration TO_ANSWER = Duration.ofSeconds(30);
    private static final ActorTestKit KIT = ActorTestKit.create(
            "participant", ConfigFactory.parseString("akka.loglevel = WARNING").withFallback(ConfigFactory.load()));

    private final Participant participant = participant(new Budget(1, Integer.MAX_VALUE));
    private static int connections;

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    private static Participant participant(Budget budget) {
        return new Participant(budget.open(0), KIT.spawn(Behaviors.ignore()));
    }

    private static ActorRef<RunCallback> connection(String instance) {
        return KIT.spawn(Behaviors.<RunCallback>ignore(), Participant.name(++connections, 0, instance, "", false));
    }

    private ActorRef<RunCallback> connected(String instance) {
        ActorRef<RunCallback> connection = connection(instance);
        assertThat(participant.open(connection, true)).isTrue();
        return connection;
    }

    private static CallbackRequest ask(String saga, String instance, int attempt) {
        return new CallbackRequest(
                new SagaId(saga),
                new SagaEffect.Call(
                        new BranchId("b"),
                        "hotel",
                        instance,
                        CallbackKind.COMPENSATION,
                        "cancel",
                        attempt,
                        Payload.EMPTY,
                        Payload.EMPTY,
                        true,
                        true,
                        "",
                        "",
                        NOW,
                        NOW.plus(TO_ANSWER),
                        GIVEN_UP_AT,
                        "",
                        Set.of(),
                        "",
                        true));
    }

    private static CallbackRequest ask(String saga, String branch, Instant giveUpAt) {
        return new CallbackRequest(
                new SagaId(saga),
                new SagaEffect.Call(
                        new BranchId(branch),
                        "hotel",
                        "h-1",
                        CallbackKind.COMPENSATION,
                        "cancel",
                        1,
                        Payload.EMPTY,
                        Payload.EMPTY,
                        true,
                        true,
                        "",
                        "",
                        NOW,
                        NOW.plus(TO_ANSWER),
                        giveUpAt,
                        "",
                        Set.of(),
                        "",
                        true));
    }

    private ActorRef<RunCallback> askedOf(CallbackRequest ask) {
        assertThat(participant.enqueue(ask, NOW)).isNull();
        return Objects.requireNonNull(participant.next()).connection();
    }

    @Test
    void the_instance_that_ran_the_branch_is_asked_first_whatever_its_name() {
        connected("h/0 ä");
        ActorRef<RunCallback> ran = connected("h/1 ä+%");
        connected("h-2");

        for (int i = 0; i < 20; i++)
            assertThat(askedOf(ask("s" + i, "h/1 ä+%", 1))).isEqualTo(ran);
    }

    private ActorRef<RunCallback> connected(String instance, String build) {
        ActorRef<RunCallback> connection =
                KIT.spawn(Behaviors.<RunCallback>ignore(), Participant.name(++connections, 1, instance, build, false));
        assertThat(participant.open(connection, true)).isTrue();
        return connection;
    }

    /** Of a branch that {@code instance} of {@code build} ran. */
    private static CallbackRequest ask(String saga, String instance, String build, int attempt, String... unable) {
        SagaEffect.Call call = ask(saga, instance, attempt).call();
        return new CallbackRequest(
                new SagaId(saga),
                new SagaEffect.Call(
                        call.branch(),
                        call.service(),
                        call.instance(),
                        call.kind(),
                        call.name(),
                        call.attempt(),
                        call.arguments(),
                        call.result(),
                        call.forwardEnded(),
                        call.fenced(),
                        call.fence(),
                        call.traceparent(),
                        call.begunAt(),
                        call.answerBy(),
                        call.giveUpAt(),
                        build,
                        Set.of(unable),
                        call.businessKey(),
                        call.retried()));
    }

    @Test
    void another_instance_of_the_build_that_ran_the_branch_is_asked_rather_than_one_of_another_build() {
        connected("h-2", "1.5");
        ActorRef<RunCallback> same = connected("h-1", "1.4");

        assertThat(askedOf(ask("s", "h-0", "1.4", 1))).isEqualTo(same);
    }

    @Test
    void the_build_that_ran_the_branch_is_waited_for_and_keeps_nobody_else_waiting() {
        ActorRef<RunCallback> ran = connected("h-1", "1.4");
        ActorRef<RunCallback> next = connected("h-2", "1.5");
        CallbackRequest first = ask("s1", "h-1", "1.4", 1);
        assertThat(askedOf(first)).isEqualTo(ran);

        assertThat(participant.enqueue(ask("s2", "h-1", "1.4", 1), NOW)).isNull();
        assertThat(participant.next()).isNull();
        assertThat(askedOf(ask("s3", "h-2", "1.5", 1))).isEqualTo(next);

        participant.remove(first);
        Participant.Sending waited = Objects.requireNonNull(participant.next());
        assertThat(waited.ask().saga()).isEqualTo(new SagaId("s2"));
        assertThat(waited.connection()).isEqualTo(ran);
    }

    @Test
    void a_build_that_cannot_is_not_asked_again_while_another_may() {
        connected("h-2", "1.5");
        ActorRef<RunCallback> other = connected("h-1", "1.4");
        CallbackRequest first = ask("s1", "h-0", "1.3", 2, "1.5");
        assertThat(askedOf(first)).isEqualTo(other);

        participant.listed(Set.of());
        assertThat(participant.enqueue(ask("s2", "h-0", "1.3", 2, "1.5"), NOW)).isNull();
        assertThat(participant.next()).as("while it is busy").isNull();
        assertThat(participant.takeUnable()).isEmpty();
    }

    @Test
    void what_no_build_that_is_connected_can_is_taken_back_at_once() {
        connected("h-1", "1.4");
        participant.listed(Set.of());
        CallbackRequest ask = ask("s", "h-1", "1.4", 2, "1.4");
        assertThat(participant.enqueue(ask, NOW)).isNull();

        assertThat(participant.next()).isNull();
        assertThat(participant.isUnable(ask)).isTrue();
        assertThat(participant.takeUnable()).containsExactly(ask);
        assertThat(participant.queued()).isZero();
    }

    @Test
    void the_build_that_ran_the_branch_has_half_of_the_time_to_come_back() {
        connected("h-2", "1.5");
        participant.listed(Set.of());
        CallbackRequest ask = ask("s", "h-1", "1.4", 2, "1.5");
        assertThat(participant.enqueue(ask, NOW)).isNull();

        assertThat(participant.next()).isNull();
        assertThat(participant.takeUnable()).isEmpty();
        ActorRef<RunCallback> back = connected("h-1", "1.4");
        assertThat(Objects.requireNonNull(participant.next()).connection()).isEqualTo(back);
    }

    @Test
    void each_third_attempt_may_go_to_any_build_in_case_the_fault_is_the_builds() {
        ActorRef<RunCallback> other = connected("h-2", "1.5");
        connected("h-1", "1.4");
        Set<ActorRef<RunCallback>> asked = new HashSet<>();
        for (int attempt = 2; attempt < 20; attempt++) {
            CallbackRequest ask = ask("s", "h-1", "1.4", attempt);
            ActorRef<RunCallback> by = askedOf(ask);
            participant.remove(ask);
            if (by.equals(other)) assertThat(attempt % 3).isZero();
            asked.add(by);
        }
        assertThat(asked).hasSize(2);
    }

    @Test
    void a_connection_of_an_older_node_says_no_build_and_is_asked_whatever_others_have_said() {
        ActorRef<RunCallback> older = connected("h-1");
        participant.listed(Set.of());

        assertThat(askedOf(ask("s", "h-1", "1.4", 2, "1.4"))).isEqualTo(older);
        assertThat(participant.builds()).isEmpty();
    }

    @Test
    void further_attempts_are_spread_over_all_instances() {
        connected("h-0");
        connected("h-1");
        connected("h-2");

        Set<ActorRef<RunCallback>> asked = IntStream.rangeClosed(2, 20)
                .mapToObj(attempt -> askedOf(ask("s", "h-1", attempt)))
                .collect(java.util.stream.Collectors.toSet());

        assertThat(asked).hasSize(3);
    }

    @Test
    void an_instance_with_several_streams_is_asked_over_the_one_to_this_node() {
        ActorRef<RunCallback> there = connection("h-1");
        participant.open(there, false);
        ActorRef<RunCallback> here = connected("h-1");

        assertThat(askedOf(ask("s", "h-1", 1))).isEqualTo(here);
    }

    @Test
    void a_connection_that_is_not_on_the_list_of_another_node_any_more_gets_nothing_new() {
        ActorRef<RunCallback> gone = connection("h-1");
        participant.open(gone, false);
        assertThat(participant.isAway()).isFalse();

        participant.listed(Set.of());

        assertThat(participant.isAway()).isTrue();
    }

    @Test
    void a_connection_of_a_node_that_is_reached_again_gets_something_again() {
        ActorRef<RunCallback> there = connection("h-1");
        participant.open(there, false);
        participant.listed(Set.of());

        assertThat(participant.open(there, false)).isFalse();
        participant.listed(Set.of(there));

        assertThat(participant.isAway()).isFalse();
        assertThat(askedOf(ask("s", "h-1", 1))).isEqualTo(there);
    }

    @Test
    void nobody_is_taken_for_away_before_the_first_list() {
        assertThat(participant.isAway()).isFalse();
        participant.listed(Set.of());
        assertThat(participant.isAway()).isTrue();
    }

    @Test
    void what_the_window_does_not_take_waits_and_goes_when_something_is_settled() {
        connected("h-1");
        for (int i = 0; i < Participant.CAPACITY; i++) askedOf(ask("s" + i, "h-1", 1));
        participant.enqueue(ask("late", "h-1", 1), NOW);
        assertThat(participant.next()).isNull();

        participant.remove(ask("s7", "h-1", 1));

        assertThat(Objects.requireNonNull(participant.next()).ask().saga()).isEqualTo(new SagaId("late"));
        assertThat(participant.underWay()).isEqualTo(Participant.CAPACITY);
    }

    @Test
    void what_has_waited_for_half_its_time_is_given_back() {
        CallbackRequest ask = ask("s", "h-1", 1);
        participant.enqueue(ask, NOW);

        assertThat(participant.takeOverdue(NOW.plus(TO_ANSWER.dividedBy(2)).minusMillis(1)))
                .isEmpty();
        assertThat(participant.takeOverdue(NOW.plus(TO_ANSWER.dividedBy(2)))).containsExactly(ask);
        assertThat(participant.queued()).isZero();
    }

    @Test
    void the_queue_is_bounded() {
        for (int i = 0; i < Participant.QUEUE_MAX; i++) {
            assertThat(participant.enqueue(ask("s" + i, "h-1", 1), NOW)).isNull();
        }
        CallbackRequest oneTooMany = ask("one-too-many", "h-1", 1);
        assertThat(participant.enqueue(oneTooMany, NOW)).isEqualTo(oneTooMany);
    }

    @Test
    void what_there_is_no_memory_for_is_given_back_but_for_one() {
        Participant crowded = participant(new Budget(1, 0));
        assertThat(crowded.enqueue(ask("first", "h-1", 1), NOW)).isNull();
        CallbackRequest oneTooMany = ask("second", "h-1", 1);
        assertThat(crowded.enqueue(oneTooMany, NOW)).isEqualTo(oneTooMany);

        crowded.open(connection("h-1"), true);
        CallbackRequest sent = Objects.requireNonNull(crowded.next()).ask();
        assertThat(crowded.enqueue(oneTooMany, NOW)).as("one is under way").isEqualTo(oneTooMany);
        crowded.remove(sent);

        assertThat(crowded.enqueue(oneTooMany, NOW)).isNull();
    }

    @Test
    void memory_is_given_back_with_what_took_it() {
        Budget budget = new Budget(1, Integer.MAX_VALUE);
        Participant some = participant(budget);
        some.open(connection("h-1"), true);
        for (int i = 0; i < 3 * Participant.CAPACITY; i++) some.enqueue(ask("s" + i, "h-1", 1), NOW);
        for (int i = 0; i < Participant.CAPACITY; i++) some.next();
        assertThat(budget.lent())
                .isEqualTo(3L * Participant.CAPACITY * ask("s", "h-1", 1).bytes());

        some.takeQueued();
        some.forgetStale(NOW.plus(Duration.ofDays(1)));

        assertThat(budget.lent()).isZero();
    }

    @Test
    void of_a_full_queue_the_one_that_has_the_most_time_left_makes_room() {
        for (int i = 0; i < Participant.QUEUE_MAX; i++) participant.enqueue(ask("s" + i, "h-1", 1), NOW);

        CallbackRequest put = participant.enqueue(ask("older", "b", GIVEN_UP_AT.minusSeconds(1)), NOW);

        assertThat(put).isEqualTo(ask("s" + (Participant.QUEUE_MAX - 1), "h-1", 1));
        connected("h-1");
        assertThat(Objects.requireNonNull(participant.next()).ask().saga()).isEqualTo(new SagaId("older"));
    }

    @Test
    void the_window_is_the_instances_whatever_streams_it_has_and_each_node_has_its_share() {
        participant.sharedBy(3);
        for (int stream = 0; stream < 3; stream++) {
            participant.open(
                    KIT.spawn(Behaviors.<RunCallback>ignore(), Participant.name(++connections, 24, "h-1", "", false)),
                    true);
        }
        for (int i = 0; i < 20; i++) participant.enqueue(ask("s" + i, "h-1", 1), NOW);

        int sent = 0;
        while (participant.next() != null) sent++;
        assertThat(sent).isEqualTo(8);
    }

    @Test
    void a_saga_with_many_branches_keeps_no_other_from_its_turn() {
        connected("h-1");
        for (int i = 0; i < 100; i++) participant.enqueue(ask("wide", "b" + i, GIVEN_UP_AT), NOW);
        participant.enqueue(ask("late", "b", GIVEN_UP_AT.plusSeconds(1)), NOW);

        for (int i = 0; i < Participant.SAGA_SHARE; i++) {
            assertThat(Objects.requireNonNull(participant.next()).ask().saga()).isEqualTo(new SagaId("wide"));
        }
        assertThat(Objects.requireNonNull(participant.next()).ask().saga()).isEqualTo(new SagaId("late"));
        assertThat(Objects.requireNonNull(participant.next()).ask().saga()).isEqualTo(new SagaId("wide"));
    }

    @Test
    void from_half_a_queue_on_there_is_no_room_for_further_sagas_to_be_woken() {
        for (int i = 0; i < Participant.QUEUE_MAX / 2; i++) {
            participant.noteRoom();
            assertThat(participant.hasRoom()).isTrue();
            participant.enqueue(ask("s" + i, "h-1", 1), NOW);
        }
        participant.noteRoom();
        assertThat(participant.hasRoom()).isFalse();

        participant.remove(ask("s7", "h-1", 1));
        participant.noteRoom();
        assertThat(participant.hasRoom()).isTrue();
    }

    @Test
    void what_a_lost_connection_has_not_answered_comes_back() {
        ActorRef<RunCallback> lost = connected("h-1");
        CallbackRequest ask = ask("s", "h-1", 1);
        askedOf(ask);

        assertThat(participant.remove(lost)).containsExactly(ask);
        assertThat(participant.underWay()).isZero();
        assertThat(participant.remove(lost)).isEmpty();
    }

    @Test
    void what_a_saga_that_moved_away_never_withdrew_is_forgotten() {
        connected("h-1");
        askedOf(ask("s", "h-1", 1));

        participant.forgetStale(NOW.plus(TO_ANSWER));
        assertThat(participant.underWay()).isEqualTo(1);
        participant.forgetStale(NOW.plus(TO_ANSWER).plusMillis(1));
        assertThat(participant.underWay()).isZero();
    }

    /** The receptionist's keys carry the name of the class. */
    @Test
    void nodes_of_neighbouring_versions_find_connections_by_fixed_names() {
        assertThat(CallbackRouter.key("hotel"))
                .hasToString("ServiceKey[io.alphaomega.server.stream.RunCallback](hotel)");
        assertThat(Participant.name(7, 32, "h/1-ä", "", false)).isEqualTo("7-32-h%2F1-%C3%A4");
        assertThat(Participant.name(7, 32, "h-1", "1.4~rc+ä", false)).isEqualTo("7-32-h-1~1.4%7Erc%2B%C3%A4");
        assertThat(Participant.name(7, 32, "h!1", "1.4", true)).isEqualTo("7-32-!h%211~1.4");
        connected("h-1", "1.4~rc+ä");
        assertThat(participant.builds()).containsExactly("1.4~rc+ä");
    }

    @Test
    void a_callback_travels_between_nodes_under_a_fixed_name() throws NotSerializableException {
        CallbackSerializer serializer = new CallbackSerializer();
        RunCallback sent = new RunCallback(Callback.newBuilder()
                .setSaga("s")
                .setBranch("b")
                .setAttempt(3)
                .setAnswerWithinMillis(1_000)
                .build());

        assertThat(serializer.identifier()).isEqualTo(812);
        assertThat(Serializers.manifestFor(serializer, sent)).isEqualTo("callback.v1");
        assertThat(serializer.fromBinary(serializer.toBinary(sent), "callback.v1"))
                .isEqualTo(sent);
    }
}
