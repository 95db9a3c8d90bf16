package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static io.alphaomega.server.stream.TestOmega.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.Limits;
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
import org.junit.jupiter.api.Test;

/** The conversation with omegas over a real stream. */
class StreamTest extends OnOneNode {
    private TestOmega stranger() {
        return closedLater(new TestOmega(alpha.server.port(), true));
    }

    // ---- inputs and answers

    @Test
    void the_welcome_says_who_it_is_and_what_it_takes() {
        TestOmega omega = stranger();
        omega.hello(service, "h-1");

        Welcome welcome = omega.welcome();
        assertThat(welcome.getNode()).startsWith("127.0.0.1:");
        assertThat(welcome.getLimits().getUnansweredInputs()).isEqualTo(Admission.WINDOW);
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
        store.hold();
        int before = store.appends.size();
        omega.send(begin(1, saga));
        await().until(() -> store.appends.size() > before);
        assertThat(omega.acks).isEmpty();

        store.releaseAll();

        assertThat(omega.acks(1).getFirst().hasAccepted()).isTrue();
    }

    @Test
    void answers_that_are_ready_together_travel_together() {
        TestOmega omega = omega("h-1");
        store.hold();
        Input[] inputs = new Input[200];
        for (int i = 0; i < inputs.length; i++) inputs[i] = begin(i, saga + "-" + i);
        omega.send(inputs);
        // How many are in the batches that are held already is a matter of chance.
        await().until(() -> alpha.node.repository.queuedItems() > 0);

        store.releaseAll();

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
        store.down = true;

        Ack unavailable = omega.ask(begin(1, saga));
        assertThat(unavailable.hasUnavailable()).isTrue();
        assertThat(unavailable.getUnavailable().getRetryAfterMillis()).isPositive();

        store.down = false;
        await().until(() -> omega.ask(begin(2, saga)).hasAccepted());
    }

    @Test
    void an_input_for_a_saga_that_cannot_be_read_is_rejected_as_that() {
        TestOmega omega = omega("h-1");
        StoredEvent newer = StoredEvent.of("saga.teleported.v9", new byte[] {1});
        store.onLoad = loaded -> new Loaded(List.of(newer), loaded.version());

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
        Input[] inputs = new Input[Admission.WINDOW + 1];
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
        TestOmega deaf = closedLater(new TestOmega(alpha.server.port(), false));
        deaf.hello(service, "h-1");
        AtomicInteger sent = new AtomicInteger();
        await().during(Duration.ofMillis(500)).until(() -> {
            boolean full = !deaf.out.isReady();
            while (deaf.out.isReady()) {
                // A saga of its own each: one alone would let no more than 256 wait.
                String another = UUID.randomUUID().toString();
                Input[] batch = new Input[100];
                for (int i = 0; i < batch.length; i++) batch[i] = begin(sent.incrementAndGet(), another);
                deaf.send(batch);
            }
            return full;
        });
        assertThat(deaf.acks).isEmpty();

        deaf.out.request(Integer.MAX_VALUE);

        assertThat(deaf.acks(sent.get())).hasSize(sent.get()).allMatch(Ack::hasAccepted);
    }

    @Test
    void who_closes_its_half_gets_its_answers_and_a_clean_end() {
        TestOmega omega = omega("h-1");
        store.hold();
        int before = store.appends.size();
        omega.send(begin(1, saga));
        await().until(() -> store.appends.size() > before);
        omega.out.onCompleted();
        store.releaseAll();

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
        try (TestAlpha lax = new TestAlpha(store, TestNode.alone(), false)) {
            TestOmega omega = closedLater(TestOmega.welcomed(lax.server.port(), service, "h-1"));
            omega.send(begin(1, saga), beginBranch(2, saga, "b"), end(3, saga, true), begin(4, saga));
            omega.acks(3); // The last comes after the third has begun to wait.
            assertThat(conversations()).isPositive();

            omega.vanish();

            await().until(() -> conversations() == 0);
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
