package io.alphaomega.omega.spring;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;

/** Makes names for sagas: UUIDs of version 7 (RFC 9562), which begin with the time, so that stores append them. */
final class SagaIds {
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    SagaIds(Clock clock) {
        this.clock = clock;
    }

    String next() {
        long time = clock.millis() << 16;
        long version = 0x7000L | (random.nextLong() & 0x0FFFL);
        long variant = 0x8000_0000_0000_0000L | (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL);
        return new UUID(time | version, variant).toString();
    }
}
