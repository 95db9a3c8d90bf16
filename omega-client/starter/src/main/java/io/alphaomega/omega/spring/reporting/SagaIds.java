package io.alphaomega.omega.spring.reporting;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/**
 * Makes names for sagas: UUIDs of version 7 (RFC 9562), which begin with the time, so that stores append them; for those that
 * are known by a unique business key, or are nested in another, of version 8, a hash of that.
 */
public final class SagaIds {
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    public SagaIds(Clock clock) {
        this.clock = clock;
    }

    /** The id of the only saga of that key. */
    static String of(String service, String operation, String businessKey) {
        byte[] text = String.join("\0", service, operation, businessKey).getBytes(StandardCharsets.UTF_8);
        ByteBuffer hash = ByteBuffer.wrap(sha256().digest(text));
        return uuid((hash.getLong() & ~0xF000L) | 0x8000L, hash.getLong());
    }

    /** The id of the saga that is a branch of another. */
    static String nested(String outer, String branch) {
        return of("nested", outer, branch);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256.", e);
        }
    }

    String next() {
        long time = clock.millis() << 16;
        long version = 0x7000L | (random.nextLong() & 0x0FFFL);
        return uuid(time | version, random.nextLong());
    }

    private static String uuid(long first, long rest) {
        return new UUID(first, 0x8000_0000_0000_0000L | (rest & 0x3FFF_FFFF_FFFF_FFFFL)).toString();
    }
}
