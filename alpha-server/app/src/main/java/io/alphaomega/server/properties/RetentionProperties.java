package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.refused;
import static io.alphaomega.server.properties.Refusals.requirePositive;
import static io.alphaomega.server.properties.Refusals.text;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long alpha remembers sagas that have ended. Suspended ones have not.
 *
 * @param ended how long after its end a saga's history is kept; 0 for ever
 * @param tombstones how long after its end a saga's outcome is kept, so that what comes late is answered and does not
 *     begin the saga anew; at least alpha.retention.ended; 0 for ever
 * @param interval how often what is too old is looked for, by one node
 * @param batch how many sagas are deleted at a time, 1 to 10000
 */
public record RetentionProperties(
        @DefaultValue("7d") Duration ended,
        @DefaultValue("30d") Duration tombstones,
        @DefaultValue("10m") Duration interval,
        @DefaultValue("500") int batch) {
    /** Ten years and more are for ever. */
    private static final Duration KEPT_MAX = Duration.ofDays(3_650);

    /** A batch is one transaction in some stores, and one request in others. */
    private static final int BATCH_MAX = 10_000;

    public RetentionProperties {
        requireKept("alpha.retention.ended", ended);
        requireKept("alpha.retention.tombstones", tombstones);
        if (!tombstones.isZero() && tombstones.compareTo(ended) < 0) {
            throw refused(
                    "alpha.retention.tombstones", "at least alpha.retention.ended, " + text(ended), text(tombstones));
        }
        requirePositive("alpha.retention.interval", interval);
        if (batch < 1 || batch > BATCH_MAX) throw refused("alpha.retention.batch", "1 to " + BATCH_MAX, batch);
    }

    private static void requireKept(String property, Duration value) {
        if (value.isNegative() || value.compareTo(KEPT_MAX) > 0) {
            throw refused(property, "0, for ever, or at most " + text(KEPT_MAX), text(value));
        }
    }

    /** Whether histories are ever deleted. */
    public boolean purges() {
        return !ended.isZero();
    }

    /** Whether outcomes are ever deleted; as long as there is a history, there is an outcome. */
    public boolean forgets() {
        return purges() && !tombstones.isZero();
    }
}
