package io.alphaomega.repository.redis;

import java.time.Duration;
import java.util.List;

/** What somebody has asked of the repository and waits for, connecting included. */
record Operation(Servers servers, long deadline) {
    /** A caller of alpha waits no longer than 10 s for an answer. */
    private static final Duration WITHIN = Duration.ofSeconds(8);

    static Operation on(Servers servers) {
        return new Operation(servers, System.nanoTime() + WITHIN.toNanos());
    }

    /** The next step of something that has as much time as it needs, as long as each step is done in time. */
    Operation next() {
        return on(servers);
    }

    /** Not more than {@code most}. */
    long nanosLeft(Duration most) {
        return Math.max(0, Math.min(most.toNanos(), deadline - System.nanoTime()));
    }

    String name() {
        return servers.name();
    }

    boolean isCluster() {
        return servers.isCluster(this);
    }

    Server of(Bucket bucket) {
        return servers.of(bucket, this);
    }

    List<Server> primaries() {
        return servers.primaries(this);
    }

    void forgetRoutes() {
        servers.forgetRoutes();
    }
}
