package io.alphaomega.saga;

import java.util.Arrays;

/** Bytes that alpha stores and returns but never looks into, such as a branch's arguments. Not to be modified. */
@SuppressWarnings(
        "ArrayRecordComponent") // equals, hashCode and toString are by content; copying would cost every input a copy.
public record Payload(byte[] bytes) {
    public static final Payload EMPTY = new Payload(new byte[0]);

    public int size() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The size only: payloads may hold secrets and never reach a log. */
    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
