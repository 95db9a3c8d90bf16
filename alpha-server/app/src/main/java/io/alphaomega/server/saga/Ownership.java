package io.alphaomega.server.saga;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node sees of others that take themselves for the owners of its sagas. After the cluster has changed that may
 * be so for a moment. Without a change nobody else should: then there is another alpha on the same store that does not
 * belong to this cluster. The store refuses every second decision, so no saga is harmed; but callbacks may find nobody,
 * and each of both undoes the other's work in memory. Safe for use by many threads.
 */
public final class Ownership {
    /** A node that was lost notices it within half a minute, and has appends under way until then. */
    static final Duration SETTLED_AFTER = Duration.ofSeconds(60);

    /** So many sagas that somebody else has gone on with are no accident. */
    private static final int FORESTALLED_MIN = 3;

    /** What was seen in this time counts together, and is warned of once. */
    private static final Duration WINDOW = Duration.ofMinutes(1);

    /** A suspicion that nothing confirms any more ends. */
    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

    private final Clock clock;
    private final Duration settledAfter;
    private Instant changedAt = Instant.EPOCH;
    private Instant windowAt = Instant.EPOCH;
    private Instant suspectedAt = Instant.EPOCH;
    private int forestalled;
    private long losses;
    private long departures;

    Ownership(Clock clock, MeterRegistry registry, Duration settledAfter) {
        this.clock = clock;
        this.settledAfter = settledAfter;
        Gauge.builder("alpha.cluster.rivals", this, ownership -> ownership.hasRivals() ? 1 : 0)
                .description("1 if an alpha that is no member of this cluster works on the same store")
                .register(registry);
        Gauge.builder("alpha.cluster.lost.nodes", this, Ownership::losses)
                .description("Nodes that this one has seen die, or be cut off, since it started")
                .register(registry);
    }

    /** A node has come. */
    public synchronized void changed() {
        changedAt = clock.instant();
    }

    /** A node is gone. */
    public synchronized void departed() {
        departures++;
        changed();
    }

    /** A node is gone without having handed over its sagas. */
    public synchronized void lost() {
        losses++;
        departed();
    }

    /** How many nodes are gone. */
    public synchronized long departures() {
        return departures;
    }

    private synchronized long losses() {
        return losses;
    }

    /** Somebody else has appended to a saga that this node owned. */
    synchronized void forestalled() {
        Instant now = clock.instant();
        if (now.isBefore(changedAt.plus(settledAfter))) return;
        if (now.isAfter(windowAt.plus(WINDOW))) {
            windowAt = now;
            forestalled = 0;
        }
        forestalled++;
        if (forestalled < FORESTALLED_MIN) return;
        suspectedAt = now;
        if (forestalled == FORESTALLED_MIN) {
            LOG.warn(
                    "ANOTHER ALPHA THAT IS NOT IN THIS CLUSTER WORKS ON THE SAME STORE: {} times within {} s another process"
                            + " had appended to a saga of this node, although no node has come or gone. No saga is decided"
                            + " twice, because the store refuses that, but sagas get slow and callbacks may find no service."
                            + " Stop one of the two, or give all nodes the same alpha.cluster.seed-nodes.",
                    forestalled,
                    WINDOW.toSeconds());
        }
    }

    /** Whether somebody outside the cluster works on the same store. */
    public synchronized boolean hasRivals() {
        return clock.instant().isBefore(suspectedAt.plus(REMEMBERED));
    }
}
