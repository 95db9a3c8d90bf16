package io.alphaomega.server.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.Rejected;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.RandomValues;
import io.alphaomega.wire.WireAnswers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WireAnswersTest {
    private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");

    @Test
    void an_ack_says_in_words_of_the_protocol_what_the_reply_says() {
        assertThat(WireAnswers.toAck(1, new Reply.Accepted()).hasAccepted()).isTrue();
        assertThat(WireAnswers.toAck(1, new Reply.Committed()).hasCommitted()).isTrue();
        assertThat(WireAnswers.toAck(1, new Reply.Pending()).hasPending()).isTrue();
        assertThat(WireAnswers.toAck(
                        7,
                        new Reply.Aborted(new Abort(
                                Abort.Cause.BRANCH_FAILED, Optional.of(new BranchId("car")), "no car left", NOW))))
                .isEqualTo(Ack.newBuilder()
                        .setCorrelation(7)
                        .setAborted(Aborted.newBuilder()
                                .setCause(Aborted.Cause.BRANCH_FAILED)
                                .setBranch("car")
                                .setText("no car left"))
                        .build());
        assertThat(WireAnswers.toAck(8, new Reply.Rejected(Refusal.UNKNOWN_SAGA, "nobody began it")))
                .isEqualTo(Ack.newBuilder()
                        .setCorrelation(8)
                        .setRejected(
                                Rejected.newBuilder().setReason("UNKNOWN_SAGA").setText("nobody began it"))
                        .build());
    }

    @Test
    void what_is_no_input_at_all_is_rejected_as_invalid() {
        Rejected rejected = WireAnswers.toInvalid(9, "nonsense").getRejected();
        assertThat(rejected.getReason()).isEqualTo("INVALID");
        assertThat(rejected.getText()).isEqualTo("nonsense");
    }

    @Test
    void who_is_to_come_again_is_never_told_to_come_at_once() {
        assertThat(WireAnswers.toUnavailable(8, Duration.ofNanos(5), "later")
                        .getUnavailable()
                        .getRetryAfterMillis())
                .isEqualTo(1);
    }

    @Test
    void a_callback_carries_all_that_the_participant_needs_and_a_duration_instead_of_a_time() {
        SagaEffect.Call call = new SagaEffect.Call(
                new BranchId("hotel"),
                "hotels",
                "hotels-1",
                io.alphaomega.saga.CallbackKind.CONFIRMATION,
                "confirm",
                3,
                new Payload(new byte[] {1}),
                new Payload(new byte[] {2, 3}),
                true,
                true,
                "f-1",
                "00-trace",
                NOW.minusSeconds(7),
                NOW.plusSeconds(30),
                NOW.plusSeconds(60),
                "1.4",
                Set.of("1.5"),
                "order 17",
                true);
        assertThat(WireAnswers.toCallback(new SagaId("s1"), call, NOW))
                .isEqualTo(Callback.newBuilder()
                        .setSaga("s1")
                        .setBranch("hotel")
                        .setKind(CallbackKind.CONFIRMATION)
                        .setAttempt(3)
                        .setName("confirm")
                        .setArguments(ByteString.copyFrom(new byte[] {1}))
                        .setResult(ByteString.copyFrom(new byte[] {2, 3}))
                        .setForwardEnded(true)
                        .setFenced(true)
                        .setFence("f-1")
                        .setBegunMillisAgo(7_000)
                        .setTraceparent("00-trace")
                        .setAnswerWithinMillis(30_000)
                        .setBusinessKey("order 17")
                        .setRetried(true)
                        .build());
    }

    @Test
    void an_overdue_callback_is_still_asked_with_the_least_time_there_is() {
        SagaEffect.Call call = new RandomValues(5).next(SagaEffect.Call.class);
        Callback callback =
                WireAnswers.toCallback(new SagaId("s1"), call, call.answerBy().plusSeconds(5));
        assertThat(callback.getAnswerWithinMillis()).isEqualTo(1);
    }
}
