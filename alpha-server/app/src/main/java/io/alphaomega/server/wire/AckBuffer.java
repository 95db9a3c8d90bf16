package io.alphaomega.server.wire;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Acks;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.saga.Reply;
import io.alphaomega.wire.WireAnswers;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Answers that wait to be written to one omega, already in the form they have on the wire: a {@link FromAlpha} with
 * {@link Acks}. Nearly all of them are a number and one of three words, so they are written as those few bytes instead
 * of as messages first. For one thread.
 */
public final class AckBuffer {
    private static final int VARINT = 0;
    private static final int BYTES = 2;

    private static final int ACKS = FromAlpha.ACKS_FIELD_NUMBER << 3 | BYTES;
    private static final int ACK = Acks.ACKS_FIELD_NUMBER << 3 | BYTES;
    private static final int CORRELATION = Ack.CORRELATION_FIELD_NUMBER << 3 | VARINT;

    /** The tag of the acks and their length, which is known only at the end. */
    private static final int HEADER_BYTES = 1 + 5;

    /** A tag, a length of one byte, a tag, a number, and a tag with nothing in it. */
    private static final int WORD_BYTES = 1 + 1 + 1 + 10 + 2;

    /** What 10,000 idle streams may hold on to each. */
    private static final int IDLE_BYTES = 256;

    /** What a busy stream holds on to: a full window of ordinary answers is less. */
    private static final int BUSY_BYTES = 16 * 1024;

    private byte[] bytes = new byte[IDLE_BYTES];
    private int end = HEADER_BYTES;
    private int count;

    public int count() {
        return count;
    }

    /** How many bytes wait. */
    public int bytes() {
        return end - HEADER_BYTES;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public void add(long correlation, Reply reply) {
        switch (reply) {
            case Reply.Accepted() -> word(correlation, Ack.ACCEPTED_FIELD_NUMBER);
            case Reply.Committed() -> word(correlation, Ack.COMMITTED_FIELD_NUMBER);
            case Reply.Pending() -> word(correlation, Ack.PENDING_FIELD_NUMBER);
            case Reply.Aborted aborted -> add(WireAnswers.toAck(correlation, aborted));
            case Reply.NotNow later -> add(WireAnswers.toAck(correlation, later));
            case Reply.Rejected rejected -> add(WireAnswers.toAck(correlation, rejected));
        }
    }

    public void add(Ack ack) {
        byte[] encoded = ack.toByteArray();
        room(1 + 5 + encoded.length);
        bytes[end++] = (byte) ACK;
        end = varint(end, encoded.length);
        System.arraycopy(encoded, 0, bytes, end, encoded.length);
        end += encoded.length;
        count++;
    }

    private void word(long correlation, int outcome) {
        room(WORD_BYTES);
        bytes[end] = (byte) ACK;
        int start = end + 2;
        bytes[start] = (byte) CORRELATION;
        int at = varint(start + 1, correlation);
        bytes[at++] = (byte) (outcome << 3 | BYTES);
        bytes[at++] = 0;
        bytes[end + 1] = (byte) (at - start);
        end = at;
        count++;
    }

    private int varint(int at, long value) {
        long rest = value;
        int next = at;
        while ((rest & ~0x7FL) != 0) {
            bytes[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[next++] = (byte) rest;
        return next;
    }

    private void room(int more) {
        if (end + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + more));
    }

    /** Everything that waits, as one message, to be read before more is added. */
    public Message take() {
        int length = end - HEADER_BYTES;
        int start = HEADER_BYTES - varintBytes(length) - 1;
        bytes[start] = (byte) ACKS;
        varint(start + 1, length);
        Message message = new Message(bytes, start, end);
        if (bytes.length > BUSY_BYTES) bytes = new byte[IDLE_BYTES];
        end = HEADER_BYTES;
        count = 0;
        return message;
    }

    private static int varintBytes(int value) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
    }

    /** A {@link FromAlpha} in bytes, as gRPC wants it: of known length, and writing itself into gRPC's own buffer. */
    public static final class Message extends InputStream implements Drainable, KnownLength {
        private final byte[] bytes;
        private final int end;
        private int next;

        private Message(byte[] bytes, int start, int end) {
            this.bytes = bytes;
            this.next = start;
            this.end = end;
        }

        @Override
        public int drainTo(OutputStream target) throws IOException {
            int length = end - next;
            target.write(bytes, next, length);
            next = end;
            return length;
        }

        @Override
        public int available() {
            return end - next;
        }

        @Override
        public int read() {
            return next == end ? -1 : bytes[next++] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) return 0;
            if (next == end) return -1;
            int count = Math.min(length, end - next);
            System.arraycopy(bytes, next, target, offset, count);
            next += count;
            return count;
        }
    }
}
