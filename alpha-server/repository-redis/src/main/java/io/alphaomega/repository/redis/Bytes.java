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
        room(4);
        for (int shift = 24; shift >= 0; shift -= 8) bytes[size++] = (byte) (value >>> shift);
        return this;
    }

    Bytes eight(long value) {
        return four((int) (value >>> 32)).four((int) value);
    }

    Bytes raw(byte[] value) {
        return raw(value, value.length);
    }

    Bytes raw(Bytes value) {
        return raw(value.bytes, value.size);
    }

    private Bytes raw(byte[] value, int length) {
        room(length);
        System.arraycopy(value, 0, bytes, size, length);
        size += length;
        return this;
    }

    Bytes text(String value) {
        int at = size;
        two(0).utf8(value);
        int length = size - at - 2;
        if (length > TEXT_MAX) {
            throw new IllegalArgumentException(
                    "a text of %d bytes cannot be stored: %d at most".formatted(length, TEXT_MAX));
        }
        twoAt(at, length);
        return this;
    }

    /** Almost every text there is, is ASCII: its bytes are its characters. */
    Bytes utf8(String value) {
        int length = value.length();
        room(length);
        for (int i = 0; i < length; i++) {
            char each = value.charAt(i);
            if (each >= 0x80) return raw(value.getBytes(StandardCharsets.UTF_8));
            bytes[size + i] = (byte) each;
        }
        size += length;
        return this;
    }

    int size() {
        return size;
    }

    /** Writes over two bytes that are there already. */
    void twoAt(int position, int value) {
        bytes[position] = (byte) (value >>> 8);
        bytes[position + 1] = (byte) value;
    }

    /** Begins anew. */
    Bytes clear() {
        size = 0;
        return this;
    }

    byte[] done() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    /** What is written now, as it is until something else is. */
    ByteBuffer view() {
        return ByteBuffer.wrap(bytes, 0, size);
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
