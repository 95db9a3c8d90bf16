package io.alphaomega.server.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Acks;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.wire.WireAnswers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AckBufferTest {
    private static final List<Reply> REPLIES = List.of(
            new Reply.Accepted(),
            new Reply.Committed(),
            new Reply.Pending(),
            new Reply.Aborted(new Abort(Abort.Cause.INITIATOR, Optional.empty(), "changed my mind", Instant.EPOCH)),
            new Reply.Rejected(Refusal.UNKNOWN_SAGA, "Größer als erwartet."));

    private static final List<Long> CORRELATIONS = List.of(0L, 1L, 127L, 128L, 16_384L, 1L << 35, Long.MAX_VALUE, -1L);

    private final AckBuffer buffer = new AckBuffer();

    private FromAlpha taken() throws IOException {
        return FromAlpha.parseFrom(buffer.take());
    }

    @Test
    void every_answer_reads_as_the_message_that_it_stands_for() throws IOException {
        Acks.Builder expected = Acks.newBuilder();
        for (long correlation : CORRELATIONS) {
            for (Reply reply : REPLIES) {
                buffer.add(correlation, reply);
                expected.addAcks(WireAnswers.toAck(correlation, reply));
            }
            Ack unavailable = WireAnswers.toUnavailable(correlation, Duration.ofSeconds(1), "Later.");
            buffer.add(unavailable);
            expected.addAcks(unavailable);
        }

        assertThat(buffer.count()).isEqualTo(expected.getAcksCount());
        assertThat(taken()).isEqualTo(FromAlpha.newBuilder().setAcks(expected).build());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100, 1_024, 6_000})
    void what_is_taken_is_gone_however_much_it_was(int count) throws IOException {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < count; i++) buffer.add(i, new Reply.Accepted());

            List<Ack> acks = new ArrayList<>(taken().getAcks().getAcksList());

            assertThat(acks).hasSize(count).allMatch(Ack::hasAccepted);
            assertThat(acks.getLast().getCorrelation()).isEqualTo(count - 1);
            assertThat(buffer.isEmpty()).isTrue();
        }
    }

    @Test
    void grpc_may_read_it_either_way() throws IOException {
        buffer.add(42, new Reply.Committed());
        byte[] read = buffer.take().readAllBytes();
        buffer.add(42, new Reply.Committed());
        AckBuffer.Message message = buffer.take();
        ByteArrayOutputStream drained = new ByteArrayOutputStream();

        assertThat(message.available()).isEqualTo(read.length);
        assertThat(message.drainTo(drained)).isEqualTo(read.length);

        assertThat(drained.toByteArray()).isEqualTo(read);
        assertThat(message.available()).isZero();
        assertThat(message.read()).isEqualTo(-1);
    }
}
