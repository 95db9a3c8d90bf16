package io.alphaomega.repository;

import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * An event as a plugin sees it: a type name for people and bytes it does not look into. A plugin returns the three
 * values as they were given, damaged or not; whoever decodes calls {@link #isIntact()}.
 *
 * @param crc32c of the bytes, so that damage is noticed
 */
@SuppressWarnings(
        "ArrayRecordComponent") // equals, hashCode and toString are by content; copying would cost every append a copy.
public record StoredEvent(String type, byte[] bytes, int crc32c) {

    public static StoredEvent of(String type, byte[] bytes) {
        return new StoredEvent(type, bytes, crc(bytes));
    }

    /** Whether the bytes are those that were stored. */
    public boolean isIntact() {
        return crc(bytes) == crc32c;
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredEvent that
                && type.equals(that.type)
                && crc32c == that.crc32c
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * type.hashCode() + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return type + "[" + bytes.length + " bytes]";
    }
}
