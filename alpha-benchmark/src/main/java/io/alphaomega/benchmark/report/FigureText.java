package io.alphaomega.benchmark.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How figures are written for people: three digits that matter, thousands apart, the same in every language and character
 * set.
 */
final class FigureText {
    private static final String UNKNOWN = "-";
    private static final double MEBIBYTE = 1024 * 1024;

    private FigureText() {}

    /** 0.042, 4.21, 42.1, 4,213. */
    static String digits(@Nullable Double value) {
        if (value == null || !Double.isFinite(value)) return UNKNOWN;
        double size = Math.abs(value);
        int places = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + places + "f", value);
    }

    static String whole(double value) {
        return whole(Math.round(value));
    }

    static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String millis(double value) {
        return digits(value) + " ms";
    }

    static String mebibytes(@Nullable Long bytes) {
        return bytes == null ? UNKNOWN : whole(bytes / MEBIBYTE) + " MiB";
    }

    static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    /** 12 s, 3:05 min, 2:03:05 h. */
    static String time(Duration time) {
        long seconds = time.toSeconds();
        if (seconds < 120) return seconds + " s";
        if (seconds < 3600) return String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60);
        return String.format(Locale.ROOT, "%d:%02d:%02d h", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    /** A duration that somebody has chosen: 500 ms, 10 s, 5 min. */
    static String chosen(Duration time) {
        if (time.toMillisPart() != 0) return time.toMillis() + " ms";
        return time.toSecondsPart() != 0 || time.isZero() ? time.toSeconds() + " s" : time.toMinutes() + " min";
    }

    static double rounded(double value, int places) {
        if (!Double.isFinite(value)) return 0;
        return BigDecimal.valueOf(value).setScale(places, RoundingMode.HALF_UP).doubleValue();
    }
}
