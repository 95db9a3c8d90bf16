package io.alphaomega.benchmark;

import io.alphaomega.benchmark.measure.Outage;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** What services noticed of one disturbance after the other, in words and in figures. */
final class DisturbanceReport {
    private static final String BEGINLESS = "beginlessMillis.max";
    private static final String STILL_P50 = "standstillMillis.p50";
    private static final String STILL_P95 = "standstillMillis.p95";
    private static final String STILL_MAX = "standstillMillis.max";
    private static final String STREAMS_BACK = "streamsBackMillis.max";
    private static final String SETTLED = "settledSeconds.max";

    /** What a threshold can be of. */
    static final List<String> FIGURES = List.of(BEGINLESS, STILL_P50, STILL_P95, STILL_MAX, STREAMS_BACK, SETTLED);

    /** A shard that answers nothing for longer although it is asked stands still. */
    static final Duration STILL = Duration.ofSeconds(1);

    /**
     * One disturbance.
     *
     * @param from the second of the measurement in which it began
     * @param to the first that was not watched any more
     */
    record Seen(Outage outage, int from, int to) {}

    private final List<Seen> all;
    private final List<Duration> still;
    private final LatencyRecovery settling;
    private final int calm;

    /** @param calm the seconds before each disturbance, to compare with */
    DisturbanceReport(List<Seen> all, LatencyRecovery settling, int calm) {
        this.all = List.copyOf(all);
        this.still = all.stream()
                .flatMap(each -> each.outage().still(STILL).stream())
                .sorted()
                .toList();
        this.settling = settling;
        this.calm = calm;
    }

    /** By {@link #FIGURES}; without what was not over when the watching was. */
    Map<String, Double> figures() {
        Map<String, Double> figures = new HashMap<>();
        figures.put(BEGINLESS, (double) withoutBegin().toMillis());
        figures.put(STILL_P50, (double) percentile(still, 50).toMillis());
        figures.put(STILL_P95, (double) percentile(still, 95).toMillis());
        figures.put(STILL_MAX, (double) percentile(still, 100).toMillis());
        if (all.stream().allMatch(each -> each.outage().missing() == 0)) {
            figures.put(STREAMS_BACK, (double) missingFor().toMillis());
        }
        List<OptionalInt> settled = all.stream().map(this::settled).toList();
        if (settled.stream().allMatch(OptionalInt::isPresent)) {
            figures.put(SETTLED, (double)
                    settled.stream().mapToInt(OptionalInt::getAsInt).max().orElse(0));
        }
        return figures;
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("%d times: no saga was begun for at most %s.".formatted(all.size(), seconds(withoutBegin())));
        lines.add(
                still.isEmpty()
                        ? "No shard stood still."
                        : "%d times a shard stood still: p50 %s, p95 %s, max %s."
                                .formatted(
                                        still.size(),
                                        seconds(percentile(still, 50)),
                                        seconds(percentile(still, 95)),
                                        seconds(percentile(still, 100))));
        lines.add("All streams were back after at most %s.".formatted(seconds(missingFor())));
        for (Seen each : all) {
            OptionalInt settled = settled(each);
            int watched = each.to() - each.from();
            double last = settling.p99(each.to() - LatencyRecovery.SECONDS, LatencyRecovery.SECONDS);
            lines.add(
                    settled.isEmpty()
                            ? String.format(
                                    Locale.ROOT,
                                    "The p99 of a saga was %.1f ms before, and had not settled after %d s: then it was %.1f ms.",
                                    before(each),
                                    watched,
                                    last)
                            : String.format(
                                    Locale.ROOT,
                                    "The p99 of a saga was %.1f ms before, and settled %d s after; %d s after it was %.1f ms.",
                                    before(each),
                                    settled.getAsInt(),
                                    watched,
                                    last));
        }
        return lines;
    }

    private Duration withoutBegin() {
        return longest(all.stream().map(each -> each.outage().withoutBegin()));
    }

    private Duration missingFor() {
        return longest(all.stream().map(each -> each.outage().missingFor()));
    }

    private double before(Seen each) {
        return settling.p99(each.from() - calm, calm);
    }

    private OptionalInt settled(Seen each) {
        return settling.settledAfter(each.from(), each.to(), before(each));
    }

    /** One of them. */
    static String text(Outage outage, LoadPlan.Wiring wiring) {
        List<Duration> still = outage.still(STILL);
        String shards = still.isEmpty()
                ? "no shard stood still for longer than " + STILL.toSeconds() + " s"
                : "%d of %d shards stood still for longer than %d s, at most for %s"
                        .formatted(still.size(), outage.shards().size(), STILL.toSeconds(), seconds(still.getLast()));
        String streams = outage.lost() == 0
                ? "no stream was lost"
                : "%d streams were lost of %d, and %s"
                        .formatted(
                                outage.lost(),
                                wiring.services() * wiring.connections(),
                                outage.missing() > 0
                                        ? outage.missing() + " are not back"
                                        : "all were back after %s, %s after the first of them"
                                                .formatted(seconds(outage.missingFor()), seconds(outage.comingBack())));
        return "no saga was begun for at most %s; %s; %s.".formatted(seconds(outage.withoutBegin()), shards, streams);
    }

    private static Duration longest(Stream<Duration> all) {
        return all.max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** Of sorted ones. */
    static Duration percentile(List<Duration> sorted, int percent) {
        if (sorted.isEmpty()) return Duration.ZERO;
        return sorted.get(Math.max(0, (int) Math.ceil(percent / 100.0 * sorted.size()) - 1));
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
}
