package io.alphaomega.benchmark.plan;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as they are written in alpha's own configuration: 500ms, 30s, 5m, 2h. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new TypeConversionException("must be a time such as 500ms, 30s, 5m or 2h, but is '" + text + "'.");
        }
        long amount = Long.parseLong(form.group(1));
        return switch (form.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
