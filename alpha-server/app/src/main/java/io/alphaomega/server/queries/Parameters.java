package io.alphaomega.server.queries;

import io.alphaomega.saga.Outcome;
import io.alphaomega.server.problem.Problems;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.MultiValueMap;

/** How the values of parameters and fields are written. What is written otherwise is refused. */
public final class Parameters {
    /** Nothing is that old, and a time so long ago can still be written in every store. */
    public static final Duration DURATION_MAX = Duration.ofDays(36_500);

    /** What every store can write. */
    private static final Instant EARLIEST = Instant.parse("1000-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-01-01T00:00:00Z");

    /** With a unit: a number alone would be taken for milliseconds. */
    private static final Pattern DURATION = Pattern.compile("\\d+(ns|us|ms|s|m|h|d)|[pP].*");

    private Parameters() {}

    static void requireKnown(MultiValueMap<String, String> parameters, List<String> names) {
        for (String name : parameters.keySet()) {
            if (!names.contains(name)) {
                String others = String.join(", ", names.subList(0, names.size() - 1));
                throw Problems.badParameter(name, "one of %s and %s".formatted(others, names.getLast()), name);
            }
        }
    }

    static Optional<Instant> instant(MultiValueMap<String, String> parameters, String name) {
        Optional<String> value = text(parameters, name);
        try {
            Optional<Instant> instant = value.map(Instant::parse);
            if (instant.map(at -> !at.isBefore(EARLIEST) && at.isBefore(LATEST)).orElse(true)) return instant;
        } catch (DateTimeException e) {
            // Refused below, like one out of range.
        }
        throw Problems.badParameter(name, "an instant such as 2026-11-20T09:30:00Z", value.orElse(""));
    }

    static Optional<Duration> duration(MultiValueMap<String, String> parameters, String name) {
        Optional<String> value = text(parameters, name);
        if (value.isEmpty()) return Optional.empty();
        try {
            Duration duration = duration(value.get());
            if (!duration.isNegative() && duration.compareTo(DURATION_MAX) <= 0) return Optional.of(duration);
        } catch (IllegalArgumentException | ArithmeticException e) {
            // Refused below, like one out of range.
        }
        throw Problems.badParameter(
                name, "a duration such as 15m or PT15M, up to %dd".formatted(DURATION_MAX.toDays()), value.get());
    }

    /** Whether it is written like one, with a unit. */
    static boolean isDuration(String text) {
        return DURATION.matcher(text).matches();
    }

    /** Throws {@link IllegalArgumentException} or {@link ArithmeticException} for what is none. */
    public static Duration duration(String text) {
        if (!isDuration(text)) throw new IllegalArgumentException(text);
        return DurationStyle.detectAndParse(text);
    }

    public static int limit(MultiValueMap<String, String> parameters, int otherwise, int most) {
        String value = text(parameters, "limit").orElse(Integer.toString(otherwise));
        try {
            int limit = Integer.parseInt(value);
            if (limit >= 1 && limit <= most) return limit;
        } catch (NumberFormatException e) {
            // Refused below, like a number out of range.
        }
        throw Problems.badParameter("limit", "1 to " + most, value);
    }

    static Optional<String> text(MultiValueMap<String, String> parameters, String name) {
        return Optional.ofNullable(parameters.getFirst(name)).filter(value -> !value.isEmpty());
    }

    public static Outcome outcome(@Nullable String name) {
        return Arrays.stream(Outcome.values())
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Problems.badField(
                        "outcome",
                        Arrays.stream(Outcome.values()).map(Outcome::name).collect(Collectors.joining(" or "))));
    }
}
