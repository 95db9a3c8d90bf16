package io.alphaomega.repository.jdbc;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** What makes a version unlike any other of the same length: chance. */
public final class Tokens {
    /** Each thread's own, since a SecureRandom would have to read a file for each token. */
    private static final ThreadLocal<SplittableRandom> RANDOM =
            ThreadLocal.withInitial(() -> new SplittableRandom(new SecureRandom().nextLong()));

    private Tokens() {}

    public static String next() {
        return HexFormat.of().toHexDigits(nextNumber());
    }

    public static long nextNumber() {
        return RANDOM.get().nextLong();
    }
}
