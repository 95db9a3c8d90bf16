package io.alphaomega.server.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.InvalidProtocolBufferException;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Rejected;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.RandomValues;
import io.alphaomega.server.wire.v1.Remoting;
import org.junit.jupiter.api.Test;

class NodeMessagesTest {
    private static final int ROUNDS = 300;

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
