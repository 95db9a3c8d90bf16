package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static io.alphaomega.server.stream.TestOmega.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.grpc.Status;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The conversation with omegas over a real stream, on one node. */
class StreamTest {
    private static final FaultyRepository STORE = new FaultyRepository();
    private static TestAlpha alpha;

    private final String saga = UUID.randomUUID().toString();
    private final String service = "hotel-" + saga;
    private final List<TestOmega> omegas = new ArrayList<>();

    @BeforeAll
    static void start() {
        alpha = new TestAlpha(STORE, TestNode.alone());
    }

    @AfterAll
    static void stop() {
        STORE.releaseAll();
        alpha.close();
    }

    @BeforeEach
    void heal() {
        STORE.down = false;
        STORE.onLoad = loaded -> loaded;
        STORE.releaseAll();
    }

    @AfterEach
    void disconnect() {
        omegas.forEach(TestOmega::close);
    }

    private TestOmega omega(String instance) {
        TestOmega omega = TestOmega.welcomed(alpha.server.port(), service, instance);
        omegas.add(omega);
        return omega;
    }

    private TestOmega stranger() {
        TestOmega omega = new TestOmega(alpha.server.port(), true);
        omegas.add(omega);
        return omega;
    }

    private static CallbackPolicy askedAgainAfter(Duration delay) {
        return CallbackPolicy.newBuilder()
                .setAttempts(10)
                .setWithinMillis(Duration.ofHours(24).toMillis())
                .setFirstDelayMillis(delay.toMillis())
                .setMaxDelayMillis(delay.toMillis())
                .setTimeoutMillis(Duration.ofSeconds(30).toMillis())
                .build();
    }

    private boolean hasEnded() {
        return STORE.journal(new SagaId(saga)).stream().anyMatch(SagaEvent.Ended.class::isInstance);
    }

    // ---- inputs and answers

    @Test
    void the_welcome_says_who_it_is_and_what_it_takes() {
        TestOmega omega = stranger();
        omega.hello(service, "h-1");

        Welcome welcome = omega.welcome();
        assertThat(welcome.getNode()).startsWith("127.0.0.1:");
        assertThat(welcome.getLimits().getUnansweredInputs()).isEqualTo(Conversation.WINDOW);
        assertThat(welcome.getLimits().getPayloadBytes()).isEqualTo(Limits.PAYLOAD_BYTES);
    }

    @Test
    void the_inputs_of_a_saga_are_answered_in_their_order() {
        TestOmega omega = omega("h-1");
        omega.send(
                begin(1, saga), beginBranch(2, saga, "b"), endBranch(3, saga, "b"), begin(4, saga), end(5, saga, true));

        List<Ack> acks = omega.acks(5);

        assertThat(acks).extracting(Ack::getCorrelation).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(acks.subList(0, 4)).allMatch(Ack::hasAccepted);
        assertThat(acks.get(4).hasCommitted()).isTrue();
    }

    @Test
    void an_answer_comes_only_after_the_append_has_returned() {
        TestOmega omega = omega("h-1");
        STORE.hold();
        int before = STORE.appends.size();
        omega.send(begin(1, saga));
        await().until(() -> STORE.appends.size() > before);
        assertThat(omega.acks).isEmpty();

        STORE.releaseAll();

        assertThat(omega.acks(1).getFirst().hasAccepted()).isTrue();
    }

    @Test
    void answers_that_are_ready_together_travel_together() {
        TestOmega omega = omega("h-1");
        STORE.hold();
        Input[] inputs = new Input[200];
        for (int i = 0; i < inputs.length; i++) inputs[i] = begin(i, saga + "-" + i);
        omega.send(inputs);
        // How many are in the batches that are held already is a matter of chance.
        await().until(() -> alpha.node.repository.queuedItems() > 0);

        STORE.releaseAll();

        List<Ack> acks = new ArrayList<>();
        int messages = 0;
        for (; acks.size() < inputs.length; messages++) {
            acks.addAll(TestOmega.next(omega.acks).getAcks().getAcksList());
        }
        assertThat(acks).allMatch(Ack::hasAccepted);
        assertThat(messages).isLessThan(inputs.length);
    }

    @Test
    void who_does_not_wait_for_the_decision_is_told_that_there_is_none_and_who_waits_gets_it() {
        TestOmega omega = omega("h-1");
        omega.send(begin(1, saga), beginBranch(2, saga, "b"));
        omega.acks(2);
        assertThat(omega.ask(end(3, saga, false)).hasPending()).isTrue();
        omega.send(end(4, saga, true));

        omega.send(endBranch(5, saga, "b"));

        assertThat(omega.acks(2))
                .satisfiesExactlyInAnyOrder(
                        ended -> assertThat(ended.getCorrelation()).isEqualTo(5),
                        decided -> assertThat(decided.hasCommitted()).isTrue());
    }

    @Test
    void a_correlation_that_comes_again_while_the_first_is_unanswered_gets_two_answers() {
        TestOmega omega = omega("h-1");
        omega.send(begin(9, saga), begin(9, saga));

        assertThat(omega.acks(2)).extracting(Ack::getCorrelation).containsExactly(9L, 9L);
    }

    @Test
    void while_the_store_is_down_the_answer_is_when_to_come_back() {
        TestOmega omega = omega("h-1");
        STORE.down = true;

        Ack unavailable = omega.ask(begin(1, saga));
        assertThat(unavailable.hasUnavailable()).isTrue();
        assertThat(unavailable.getUnavailable().getRetryAfterMillis()).isPositive();

        STORE.down = false;
        await().until(() -> omega.ask(begin(2, saga)).hasAccepted());
    }

    @Test
    void an_input_for_a_saga_that_cannot_be_read_is_rejected_as_that() {
        TestOmega omega = omega("h-1");
        StoredEvent newer = StoredEvent.of("saga.teleported.v9", new byte[] {1});
        STORE.onLoad = loaded -> new Loaded(List.of(newer), loaded.version());

        Ack rejected = omega.ask(beginBranch(1, saga, "b"));

        assertThat(rejected.getRejected().getReason()).isEqualTo("JOURNAL_UNREADABLE");
        assertThat(rejected.getRejected().getText()).contains(saga);
    }

    // ---- what is not well-formed

    @Test
    void a_stream_that_does_not_begin_with_hello_is_closed_with_a_sentence() {
        TestOmega omega = stranger();
        omega.send(begin(1, saga));

        Status status = omega.status();
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).contains("must be Hello").contains("BATCH");
    }

    @Test
    void a_hello_without_a_name_is_refused() {
        TestOmega omega = stranger();
        omega.hello("  ", "h-1");

        Status status = omega.status();
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).contains("service");
    }

    @Test
    void a_second_hello_is_refused() {
        TestOmega omega = omega("h-1");
        omega.hello(service, "h-2");

        Status status = omega.status();
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).contains("one Hello");
    }

    @Test
    void an_input_that_is_none_is_rejected_with_a_sentence_and_the_stream_goes_on() {
        TestOmega omega = omega("h-1");
        omega.send(
                input(1, saga).build(),
                begin(2, "no id/"),
                input(3, saga).setBeginBranch(BeginBranch.getDefaultInstance()).build(),
                begin(4, saga));

        List<Ack> acks = omega.acks(4);

        for (Ack ack : acks) {
            if (ack.getCorrelation() == 4) {
                assertThat(ack.hasAccepted()).isTrue();
            } else {
                assertThat(ack.getRejected().getReason()).isEqualTo("INVALID");
                assertThat(ack.getRejected().getText()).isNotBlank();
            }
        }
    }

    @Test
    void a_message_of_no_known_kind_is_skipped() {
        TestOmega omega = omega("h-1");
        omega.out.onNext(FromOmega.getDefaultInstance());

        assertThat(omega.ask(begin(1, saga)).hasAccepted()).isTrue();
    }

    @Test
    void a_result_that_is_none_is_skipped() {
        TestOmega omega = omega("h-1");
        omega.succeed(Callback.newBuilder().setSaga("no id/").build());
        omega.succeed(Callback.newBuilder()
                .setSaga(saga)
                .setBranch("b")
                .setKind(CallbackKind.COMPENSATION)
                .setAttempt(1)
                .build());

        assertThat(omega.ask(begin(1, saga)).hasAccepted()).isTrue();
    }

    @Test
    void a_batch_larger_than_the_window_is_refused() {
        TestOmega omega = omega("h-1");
        Input[] inputs = new Input[Conversation.WINDOW + 1];
        for (int i = 0; i < inputs.length; i++) inputs[i] = begin(i, saga);
        omega.send(inputs);

        Status status = omega.status();
        assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.getDescription()).contains("at most 1024 inputs");
    }

    @Test
    void a_message_that_is_too_large_is_refused_with_its_size() {
        TestOmega omega = omega("h-1");
        omega.send(begin(1, "x".repeat(GrpcServer.MESSAGE_BYTES)));

        Status status = omega.status();
        assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(status.getDescription()).contains(Integer.toString(GrpcServer.MESSAGE_BYTES));
    }

    // ---- back-pressure

    @Test
    void who_does_not_read_its_answers_is_not_read_from_until_it_does() {
        TestOmega deaf = new TestOmega(alpha.server.port(), false);
        omegas.add(deaf);
        deaf.hello(service, "h-1");
        AtomicInteger sent = new AtomicInteger();
        await().during(Duration.ofMillis(500)).atMost(Duration.ofMinutes(1)).until(() -> {
            boolean full = !deaf.out.isReady();
            while (deaf.out.isReady()) {
                Input[] batch = new Input[100];
                for (int i = 0; i < batch.length; i++) batch[i] = begin(sent.incrementAndGet(), saga);
                deaf.send(batch);
            }
            return full;
        });
        assertThat(deaf.acks).isEmpty();

        deaf.out.request(Integer.MAX_VALUE);

        assertThat(deaf.acks(sent.get())).hasSize(sent.get()).allMatch(Ack::hasAccepted);
    }

    // ---- callbacks

    @Test
    void a_finished_branch_of_an_aborted_saga_is_compensated_by_the_instance_that_ran_it() {
        TestOmega other = omega("h-0");
        TestOmega omega = omega("h-1");
        omega.ask(begin(1, saga));
        omega.run(saga, "b");

        Ack aborted = omega.ask(abort(3, saga));
        assertThat(aborted.getAborted().getCause()).isEqualTo(Aborted.Cause.INITIATOR);
        Callback callback = omega.callback();
        assertThat(callback.getName()).isEqualTo("cancel");
        assertThat(callback.getBranch()).isEqualTo("b");
        assertThat(callback.getForwardEnded()).isTrue();
        assertThat(callback.getAnswerWithinMillis()).isPositive();
        assertThat(hasEnded()).isFalse();
        omega.succeed(callback);

        await().until(this::hasEnded);
        assertThat(other.callbacks).isEmpty();
    }

    @Test
    void a_result_that_cannot_be_stored_now_is_stored_when_the_store_is_back() {
        TestOmega omega = omega("h-1");
        omega.ask(begin(1, saga));
        omega.run(saga, "b");
        omega.ask(abort(3, saga));
        Callback callback = omega.callback();
        STORE.down = true;
        double before = alpha.node.count("alpha.saga.unavailable");
        omega.succeed(callback);
        await().until(() -> alpha.node.count("alpha.saga.unavailable") > before);
        STORE.down = false;

        await().until(this::hasEnded);
    }

    @Test
    void when_a_stream_is_lost_its_callbacks_go_to_another_instance() {
        TestOmega ran = omega("h-1");
        TestOmega other = omega("h-2");
        ran.ask(begin(1, saga));
        ran.run(saga, "b");
        ran.ask(abort(3, saga));
        assertThat(ran.callback().getAttempt()).isEqualTo(1);

        ran.vanish();

        Callback again = other.callback();
        assertThat(again.getAttempt()).isEqualTo(2);
        other.succeed(again);
        await().until(this::hasEnded);
    }

    @Test
    void when_a_stream_is_lost_while_the_store_is_away_its_callbacks_go_to_another_instance_when_it_is_back() {
        TestOmega ran = omega("h-1");
        TestOmega other = omega("h-2");
        ran.ask(begin(1, saga));
        ran.run(saga, "b");
        ran.ask(abort(3, saga));
        assertThat(ran.callback().getAttempt()).isEqualTo(1);
        STORE.down = true;
        double before = alpha.node.count("alpha.saga.unavailable");
        ran.vanish();
        await().until(() -> alpha.node.count("alpha.saga.unavailable") > before);

        STORE.down = false;

        await().until(() -> {
            // It may come twice: asked for by the saga, which was loaded again, and because it was lost.
            FromAlpha next = other.callbacks.poll();
            if (next != null) other.succeed(next.getCallback());
            return hasEnded();
        });
    }

    @Test
    void a_saga_that_waits_goes_on_although_the_store_does_not_say_at_first_who_waits() {
        TestOmega ran = omega("h-1");
        ran.ask(begin(1, saga));
        ran.ask(input(2, saga)
                .setBeginBranch(BeginBranch.newBuilder()
                        .setBranch("b")
                        .setOperation("Hotels.reserve")
                        .setCompensation(CallbackOffer.newBuilder()
                                .setName("cancel")
                                .setPolicy(askedAgainAfter(Duration.ofHours(1))))
                        .setFenced(true))
                .build());
        ran.ask(endBranch(3, saga, "b"));
        ran.vanish();
        TestOmega initiator = TestOmega.welcomed(alpha.server.port(), "booking-" + saga, "i-1");
        omegas.add(initiator);
        initiator.ask(abort(1, saga));
        await().until(() ->
                STORE.journal(new SagaId(saga)).stream().anyMatch(SagaEvent.ParticipantMissed.class::isInstance));
        STORE.failingFinds.set(1);

        TestOmega successor = omega("h-2");

        successor.succeed(successor.callback());
        await().until(this::hasEnded);
        assertThat(STORE.failingFinds).hasValue(0);
    }

    @Test
    void a_saga_that_waits_for_a_service_goes_on_as_soon_as_an_instance_connects() {
        TestOmega ran = omega("h-1");
        ran.ask(begin(1, saga));
        ran.run(saga, "b");
        ran.vanish();
        TestOmega initiator = TestOmega.welcomed(alpha.server.port(), "booking-" + saga, "i-1");
        omegas.add(initiator);
        initiator.ask(abort(1, saga));
        await().until(() ->
                STORE.journal(new SagaId(saga)).stream().anyMatch(SagaEvent.ParticipantMissed.class::isInstance));

        TestOmega successor = omega("h-2");

        successor.succeed(successor.callback());
        await().until(this::hasEnded);
    }

    @Test
    void a_saga_that_waits_goes_on_as_soon_as_an_instance_connects_though_one_that_drains_is_still_there() {
        TestOmega leaving = omega("h-1");
        leaving.ask(begin(1, saga));
        leaving.run(saga, "b");
        leaving.drain();
        TestOmega initiator = TestOmega.welcomed(alpha.server.port(), "booking-" + saga, "i-1");
        omegas.add(initiator);
        initiator.ask(abort(1, saga));
        await().until(() ->
                STORE.journal(new SagaId(saga)).stream().anyMatch(SagaEvent.ParticipantMissed.class::isInstance));

        TestOmega successor = omega("h-2");

        successor.succeed(successor.callback());
        await().until(this::hasEnded);
    }

    @Test
    void an_instance_that_drains_finishes_what_it_has_and_gets_nothing_new() {
        TestOmega leaving = omega("h-1");
        TestOmega staying = omega("h-2");
        leaving.ask(begin(1, saga));
        leaving.run(saga, "first");
        leaving.run(saga, "second");
        leaving.ask(abort(3, saga));
        Callback last = leaving.callback(); // The one that finished last comes first.
        leaving.drain();
        leaving.succeed(last);

        Callback next = staying.callback();
        assertThat(next.getBranch()).isEqualTo("first");
        staying.succeed(next);
        await().until(this::hasEnded);
        assertThat(leaving.callbacks).isEmpty();
    }

    @Test
    void only_so_many_callbacks_are_under_way_over_one_stream_and_the_rest_waits_its_turn() {
        TestOmega omega = omega("h-1");
        int sagas = Participant.WINDOW + 10;
        for (int i = 0; i < sagas; i++) {
            String one = saga + "-" + i;
            omega.send(begin(1, one), beginBranch(2, one, "b"), endBranch(3, one, "b"), abort(4, one));
        }
        omega.acks(4 * sagas);
        await().until(() ->
                alpha.node.meters.get("alpha.callbacks.queued").gauge().value() == 10);
        assertThat(omega.callbacks).hasSize(Participant.WINDOW);

        omega.succeed(omega.callback());

        await().until(() -> omega.callbacks.size() == Participant.WINDOW);
        for (int i = 1; i < sagas; i++) omega.succeed(omega.callback());
        await().untilAsserted(() -> assertThat(STORE.journal(new SagaId(saga + "-" + (sagas - 1))))
                .last()
                .isInstanceOf(SagaEvent.Ended.class));
    }

    @Test
    void who_closes_its_half_gets_its_answers_and_a_clean_end() {
        TestOmega omega = omega("h-1");
        STORE.hold();
        int before = STORE.appends.size();
        omega.send(begin(1, saga));
        await().until(() -> STORE.appends.size() > before);
        omega.out.onCompleted();
        STORE.releaseAll();

        assertThat(omega.acks(1).getFirst().hasAccepted()).isTrue();
        assertThat(omega.status().isOk()).isTrue();
    }

    @Test
    void who_closes_its_half_right_after_its_hello_gets_a_clean_end() {
        TestOmega omega = stranger();
        omega.hello(service, "h-1");
        omega.out.onCompleted();

        assertThat(omega.welcome().getNode()).isNotEmpty();
        assertThat(omega.status().isOk()).isTrue();
    }

    @Test
    void a_stream_that_is_over_is_forgotten_although_somebody_waits_for_a_decision() {
        try (TestAlpha lax = new TestAlpha(STORE, TestNode.alone(), false)) {
            TestOmega omega = TestOmega.welcomed(lax.server.port(), service, "h-1");
            omegas.add(omega);
            omega.send(begin(1, saga), beginBranch(2, saga, "b"), end(3, saga, true), begin(4, saga));
            omega.acks(3); // The last comes after the third has begun to wait.
            assertThat(conversations()).isPositive();

            omega.vanish();

            await().atMost(Duration.ofSeconds(30)).until(() -> conversations() == 0);
            assertThat(lax.node.sagasInMemory()).isEqualTo(1);
        }
    }

    /** In memory after a garbage collection. */
    private static long conversations() {
        String histogram;
        try {
            histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new AssertionError(e);
        }
        return histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length > 3 && columns[3].equals(Conversation.class.getName()))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .sum();
    }
}
