package io.alphaomega.server.node;

import io.alphaomega.server.saga.SagaSharding;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the shards of the sagas have homes, for the start. In a new cluster none has: the coordinator finds them one by
 * one, each through round trips between nodes, and whoever begins a saga meanwhile waits for that.
 *
 * <p>It says so once. A shard that loses its home later finds another, and no node would do more good by not serving.
 */
public final class ShardHomes {
    /** Longer than it takes a coordinator to move, or the oldest node to end without one. */
    static final Duration WITHIN = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(ShardHomes.class);

    private final CountDownLatch settled = new CountDownLatch(1);
    private volatile int missing = SagaSharding.SHARDS;

    /** This node's at the last count, and those that it has given away since somebody last looked after them. */
    private Set<String> own = Set.of();

    private final Set<String> given = new HashSet<>();

    /** Whether all had one when this node started, or as good as. */
    public boolean isSettled() {
        return settled.getCount() == 0;
    }

    /** How many have none that this node knows of. */
    public int missing() {
        return missing;
    }

    void missing(int count) {
        missing = count;
        if (count == 0) settled.countDown();
    }

    /** Waits until they have, but not for ever: where they find none a node that says when to come again is better than none. */
    void await(Duration within) throws InterruptedException {
        if (settled.await(within.toMillis(), TimeUnit.MILLISECONDS)) return;
        LOG.warn(
                "{} of {} shards have no home after {} s. This node reports ready anyway, and answers requests for those shards"
                        + " with \"not now\".",
                missing,
                SagaSharding.SHARDS,
                within.toSeconds());
        settled.countDown();
    }

    /** Hears which shards this node has. */
    synchronized void counted(Set<String> now) {
        own.stream().filter(shard -> !now.contains(shard)).forEach(given::add);
        own = now;
    }

    /** How many this node has, as of a second ago. */
    public synchronized int count() {
        return own.size();
    }

    /** Those that this node has given away since it was last asked. */
    synchronized Set<String> given() {
        Set<String> all = Set.copyOf(given);
        given.clear();
        return all;
    }
}
