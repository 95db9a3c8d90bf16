package io.alphaomega.repository.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that are being written: numbers big-endian, texts in UTF-8 after a length of two bytes. */
final class Bytes {
    /** Of a length in two bytes. */
    private static final int TEXT_MAX = 0xFFFF;

    private byte[] bytes;
    private int size;

    Bytes(int capacity) {
        bytes = new byte[capacity];
    }

    Bytes one(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    Bytes two(int value) {
        return one(value >>> 8).one(value);
    }

    Bytes four(int value) {
        return two(value >>> 16).two(value);
    }

    Bytes eight(long value) {
        return four((int) (value >>> 32)).four((int) value);
    }

    Bytes raw(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    Bytes text(String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        if (encoded.length > TEXT_MAX) {
            throw new IllegalArgumentException(
                    "a text of %d bytes cannot be stored: %d at most".formatted(encoded.length, TEXT_MAX));
        }
        return two(encoded.length).raw(encoded);
    }

    int size() {
        return size;
    }

    /** Writes over two bytes that are there already. */
    void twoAt(int position, int value) {
        bytes[position] = (byte) (value >>> 8);
        bytes[position + 1] = (byte) value;
    }

    byte[] done() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (size + more > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }

    /** What {@link #text} wrote. */
    static String text(ByteBuffer from) {
        byte[] encoded = new byte[Short.toUnsignedInt(from.getShort())];
        from.get(encoded);
        return new String(encoded, StandardCharsets.UTF_8);
    }
}
