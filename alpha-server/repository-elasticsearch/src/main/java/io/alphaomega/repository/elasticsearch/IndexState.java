package io.alphaomega.repository.elasticsearch;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The settings of an index that alpha relies on, as they were when it looked.
 *
 * @param durability when the log of writes is synced: {@code request} is before each answer
 * @param refreshInterval after how long a write is found by searches
 * @param activeShards how many copies must be there before a write is tried; not how many have it when it is answered
 */
record IndexState(String alias, String durability, String refreshInterval, int replicas, String activeShards) {
    /** A refresh takes time itself. */
    private static final Duration OF_A_REFRESH = Duration.ofSeconds(1);

    private static final Pattern TIME = Pattern.compile("([0-9]+)(nanos|micros|ms|s|m|h|d)");

    static IndexState of(String alias, JsonNode settings) {
        return new IndexState(
                alias,
                settings.path("translog").path("durability").asString("request"),
                settings.path("refresh_interval").asString("1s"),
                settings.path("number_of_replicas").asInt(1),
                settings.path("write").path("wait_for_active_shards").asString("1"));
    }

    IndexState requireUsable() {
        if (!durability.equalsIgnoreCase("request")) {
            throw new IllegalStateException(
                    "Index %s has index.translog.durability=%s: a killed node would lose what was acknowledged in its last seconds. Set it to request; then alpha starts, or goes on."
                            .formatted(alias, durability));
        }
        if (!TIME.matcher(refreshInterval).matches()) {
            throw new IllegalStateException(
                    "Index %s has index.refresh_interval=%s: sagas that are due would never be found. Set it to 1s; then alpha starts, or goes on."
                            .formatted(alias, refreshInterval));
        }
        return this;
    }

    /** How long a write may not be found. */
    Duration lag() {
        Matcher time = TIME.matcher(refreshInterval);
        if (!time.matches()) return Duration.ofDays(1);
        long number = Long.parseLong(time.group(1));
        return OF_A_REFRESH.plus(
                switch (time.group(2)) {
                    case "nanos" -> Duration.ofNanos(number);
                    case "micros" -> Duration.ofNanos(1_000 * number);
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                });
    }
}
