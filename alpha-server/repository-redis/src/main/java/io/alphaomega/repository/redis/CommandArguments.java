package io.alphaomega.repository.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;

/**
 * Some of the arguments of a command, as they are on the wire: each as it is added, so that a batch of hundreds is a copy
 * of bytes, and not of objects, when it is sent.
 */
final class CommandArguments {
    private static final byte[] LINE_END = {'\r', '\n'};

    private final Bytes encoded;
    private int count;

    /** @param capacity how many bytes they will take, about */
    CommandArguments(int capacity) {
        encoded = new Bytes(capacity);
    }

    static CommandArguments of(byte[]... values) {
        CommandArguments arguments = new CommandArguments(64 * (1 + values.length));
        for (byte[] value : values) arguments.add(value);
        return arguments;
    }

    CommandArguments add(byte[] value) {
        begin(value.length).raw(value).raw(LINE_END);
        return this;
    }

    CommandArguments add(Bytes value) {
        begin(value.size()).raw(value).raw(LINE_END);
        return this;
    }

    CommandArguments add(String text) {
        return add(new Bytes(text.length()).utf8(text));
    }

    CommandArguments addAll(CommandArguments others) {
        encoded.raw(others.encoded);
        count += others.count;
        return this;
    }

    CommandArguments add(long number) {
        Bytes digits = new Bytes(20);
        decimal(digits, number);
        return add(digits);
    }

    private Bytes begin(int length) {
        count++;
        encoded.one('$');
        decimal(encoded, length);
        return encoded.raw(LINE_END);
    }

    /** Not negative. */
    private static void decimal(Bytes to, long number) {
        long unit = 1;
        while (number / unit >= 10) unit *= 10;
        for (; unit > 0; unit /= 10) to.one((int) ('0' + number / unit % 10));
    }

    int count() {
        return count;
    }

    int bytes() {
        return encoded.size();
    }

    /** As Lettuce wants them. */
    CommandArgs<byte[], byte[]> all() {
        return new CommandArgs<>(ByteArrayCodec.INSTANCE) {
            @Override
            public int count() {
                return count;
            }

            @Override
            public void encode(ByteBuf to) {
                to.writeBytes(encoded.view());
            }

            @Override
            public String toString() {
                return count + " arguments";
            }

            // Lettuce's words for a log: the arguments are nobody's business.
            @Override
            public String toCommandString() {
                return toString();
            }
        };
    }
}
