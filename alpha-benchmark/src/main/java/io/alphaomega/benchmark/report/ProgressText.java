package io.alphaomega.benchmark.report;

import io.alphaomega.benchmark.measure.Progress.Phase;
import io.alphaomega.benchmark.measure.Progress.Snapshot;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A snapshot in words. */
final class ProgressText {
    /** Before that the rate says little. */
    private static final double SHARE_TO_FORETELL = 0.02;

    private ProgressText() {}

    static String phase(Phase phase) {
        return switch (phase) {
            case CONNECTING -> "connecting";
            case OPENING -> "opening sagas";
            case WARMING_UP -> "warming up";
            case MEASURING -> "measuring";
            case SETTLING -> "settling";
        };
    }

    static String rate(Snapshot now) {
        return FigureText.whole(now.rate()) + " sagas/s";
    }

    /** Empty where nothing ended. */
    static String latency(Snapshot now) {
        if (now.p99Millis() == 0) return "";
        return "p50 " + FigureText.millis(now.p50Millis()) + ", p99 " + FigureText.millis(now.p99Millis());
    }

    /** Until the end of the phase; null where nobody can say. */
    static @Nullable Duration remaining(Snapshot now) {
        if (now.share() < SHARE_TO_FORETELL) return null;
        double total = now.elapsed().toNanos() / now.share();
        return Duration.ofNanos(Math.max(0, Math.round(total - now.elapsed().toNanos())));
    }
}
