package io.alphaomega.benchmark.preset;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/** Makes names for sagas as omega does: UUIDs of version 7 (RFC 9562), so that stores append them. */
final class NewSagaIds {
    private final Clock clock = Clock.systemUTC();
    private final SecureRandom random = new SecureRandom();

    String next() {
        long time = clock.millis() << 16;
        long version = 0x7000L | (random.nextLong() & 0x0FFFL);
        long variant = 0x8000_0000_0000_0000L | (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL);
        return new UUID(time | version, variant).toString();
    }
}
