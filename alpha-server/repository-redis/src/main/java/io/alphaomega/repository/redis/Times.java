package io.alphaomega.repository.redis;

import java.time.Instant;
import java.util.Optional;

/** How times are stored: seven bytes whose order is that of the times. */
final class Times {
    static final int BYTES = 7;

    /** Far more than any time there is; and a whole number that Lua knows exactly. */
    private static final long ZERO = 1L << 52;

    /** For a time that there is not: after every other. */
    private static final long NEVER = (1L << 56) - 1;

    private Times() {}

    static Bytes add(Bytes to, Instant time) {
        return add(to, time.toEpochMilli());
    }

    static Bytes add(Bytes to, long millis) {
        if (Math.abs(millis) >= ZERO) {
            throw new IllegalArgumentException(millis + " ms cannot be stored: no saga lives so long ago or so late");
        }
        return write(to, millis + ZERO);
    }

    static Bytes add(Bytes to, Optional<Instant> time) {
        return time.isPresent() ? add(to, time.get()) : write(to, NEVER);
    }

    /** For one that is before every other. */
    static Bytes addBeforeAll(Bytes to) {
        return write(to, 0);
    }

    private static Bytes write(Bytes to, long value) {
        return to.one((int) (value >>> 48)).two((int) (value >>> 32)).four((int) value);
    }

    static long millis(byte[] from, int at) {
        return read(from, at) - ZERO;
    }

    static Optional<Instant> time(byte[] from, int at) {
        return read(from, at) == NEVER ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis(from, at)));
    }

    private static long read(byte[] from, int at) {
        long value = 0;
        for (int i = at; i < at + BYTES; i++) value = value << 8 | (from[i] & 0xFF);
        return value;
    }
}
