package io.alphaomega.server.node;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The nodes that should be in the cluster and are not: seed nodes, whatever became of them, and others that were lost rather
 * than left. Safe for many threads.
 */
public final class MissingNodes {
    /** A node that is no seed node and does not come back for so long was not lost, but given up. */
    static final Duration LOST_TOLD_FOR = Duration.ofDays(1);

    private final List<String> seeds;
    private final boolean isReplaced;
    private final Clock clock;

    /** By host:port. */
    private final Map<String, Instant> missing = new HashMap<>();

    /**
     * @param seeds as host:port
     * @param isReplaced whether a node that is lost is replaced by one with another address, as where nodes are discovered
     */
    MissingNodes(List<String> seeds, boolean isReplaced, Clock clock) {
        this.seeds = List.copyOf(seeds);
        this.isReplaced = isReplaced;
        this.clock = clock;
    }

    /** Begins to follow the cluster, before it hears of any member. */
    synchronized void open() {
        for (String seed : seeds) missing.putIfAbsent(seed, clock.instant());
    }

    /** The node is a member. */
    synchronized void up(String node) {
        if (missing.remove(node) != null || !isReplaced) return;
        missing.entrySet().stream()
                .min(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .ifPresent(lost -> missing.remove(lost.getKey()));
    }

    /** The others have taken the node for dead. */
    synchronized void lost(String node) {
        missing.putIfAbsent(node, clock.instant());
    }

    /** The node has left in order. */
    synchronized void left(String node) {
        if (seeds.contains(node)) lost(node);
    }

    /** Since when each is missing, by host:port. */
    public synchronized Map<String, Instant> all() {
        Instant forgotten = clock.instant().minus(LOST_TOLD_FOR);
        Iterator<Map.Entry<String, Instant>> each = missing.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, Instant> lost = each.next();
            if (!seeds.contains(lost.getKey()) && lost.getValue().isBefore(forgotten)) each.remove();
        }
        return new TreeMap<>(missing);
    }
}
