package io.alphaomega.repository.jdbc;

import java.security.SecureRandom;
import java.util.HexFormat;

/** What makes a version unlike any other of the same length: chance. */
final class Tokens {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Tokens() {}

    static String next() {
        return HexFormat.of().toHexDigits(nextNumber());
    }

    static long nextNumber() {
        return RANDOM.nextLong();
    }
}
