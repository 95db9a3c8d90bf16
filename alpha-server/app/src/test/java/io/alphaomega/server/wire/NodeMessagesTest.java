package io.alphaomega.server.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.InvalidProtocolBufferException;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.Rejected;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.RandomValues;
import io.alphaomega.server.wire.v1.Remoting;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NodeMessagesTest {
    private static final int ROUNDS = 300;
    private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");

    @Test
    void every_input_arrives_as_it_was_sent() throws InvalidProtocolBufferException {
        RandomValues random = new RandomValues(1);
        for (Class<?> type : RandomValues.cases(SagaInput.class)) {
            for (int i = 0; i < ROUNDS; i++) {
                SagaInput input = (SagaInput) random.next(type);
                byte[] bytes = NodeMessages.toNode(input).toByteArray();
                assertThat(NodeMessages.fromNode(Remoting.Input.parseFrom(bytes)))
                        .isEqualTo(input);
            }
        }
    }

    @Test
    void every_reply_arrives_as_it_was_sent() throws InvalidProtocolBufferException {
        RandomValues random = new RandomValues(2);
        for (Class<?> type : RandomValues.cases(Reply.class)) {
            for (int i = 0; i < ROUNDS; i++) {
                Reply reply = (Reply) random.next(type);
                byte[] bytes = NodeMessages.toNode(reply).toByteArray();
                assertThat(NodeMessages.fromNode(Remoting.Reply.parseFrom(bytes)))
                        .isEqualTo(reply);
            }
        }
    }

    @Test
    void every_callback_arrives_as_it_was_sent() throws InvalidProtocolBufferException {
        RandomValues random = new RandomValues(3);
        for (int i = 0; i < ROUNDS; i++) {
            SagaEffect.Call call = random.next(SagaEffect.Call.class);
            Instant now = call.answerBy().minusMillis(1 + i);
            byte[] bytes = NodeMessages.toNode(new SagaId("s1"), call, now).toByteArray();
            assertThat(NodeMessages.fromNode(Remoting.Call.parseFrom(bytes), now))
                    .isEqualTo(call);
        }
    }

    @Test
    void a_callback_has_as_much_time_on_a_node_whose_clock_is_wrong() {
        SagaEffect.Call call = new RandomValues(4).next(SagaEffect.Call.class);
        Remoting.Call sent =
                NodeMessages.toNode(new SagaId("s1"), call, call.answerBy().minusSeconds(30));

        Instant wrong = NOW.plus(Duration.ofDays(1));
        assertThat(NodeMessages.fromNode(sent, wrong).answerBy()).isEqualTo(wrong.plusSeconds(30));
    }

    @Test
    void an_overdue_callback_is_still_asked_with_the_least_time_there_is() {
        SagaEffect.Call call = new RandomValues(5).next(SagaEffect.Call.class);
        Callback callback =
                WireAnswers.toCallback(new SagaId("s1"), call, call.answerBy().plusSeconds(5));
        assertThat(callback.getAnswerWithinMillis()).isEqualTo(1);
    }

    @Test
    void an_ack_says_in_words_of_the_protocol_what_the_reply_says() {
        RandomValues random = new RandomValues(6);
        Reply.Rejected rejected = random.next(Reply.Rejected.class);
        assertThat(WireAnswers.toAck(7, rejected))
                .isEqualTo(Ack.newBuilder()
                        .setCorrelation(7)
                        .setRejected(Rejected.newBuilder()
                                .setReason(rejected.reason().name())
                                .setText(rejected.text()))
                        .build());
        assertThat(WireAnswers.toUnavailable(8, Duration.ofNanos(5), "later")
                        .getUnavailable()
                        .getRetryAfterMillis())
                .isEqualTo(1);
        assertThat(WireAnswers.toInvalid(9, "nonsense").getRejected().getReason())
                .isEqualTo("INVALID");
    }

    @Test
    void what_only_a_newer_node_knows_is_refused_and_never_guessed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeMessages.fromNode(Remoting.Input.getDefaultInstance()))
                .withMessageContaining("upgrade this alpha");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeMessages.fromNode(Remoting.Reply.newBuilder()
                        .setAck(Ack.newBuilder()
                                .setRejected(Rejected.newBuilder().setReason("TOO_BLUE")))
                        .build()))
                .withMessageContaining("TOO_BLUE");
    }
}
