package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The alerts in docker/prometheus, as they are written, and the same in a hurry. */
public final class AlertRules {
    static final Path FILE =
            Path.of("../../docker/prometheus/alpha.rules.yml").toAbsolutePath().normalize();

    /** The shortest window, of a minute, is five scrapes of a second then: enough for a rate. */
    private static final int HASTE = 12;

    private static final int SECOND = 1_000;
    private static final int MINUTE = 60 * SECOND;

    private static final Pattern NAME = Pattern.compile("(?m)^ +- alert: (\\w+)$");

    /** For how long something must be so, and the window of a rate or an increase; no threshold is like these. */
    private static final Pattern DURATION = Pattern.compile("(?m)(^ +for: |\\[)(\\d+)([sm])(?=]|$)");

    private AlertRules() {}

    static String text() {
        try {
            return Files.readString(FILE, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<String> names() {
        return NAME.matcher(text())
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    /**
     * The same expressions and thresholds, but what must be so for a minute must be so for five seconds, and what happened
     * in the last minute must have happened in the last five seconds. A rate stays a rate per second.
     */
    static String inHaste() {
        return DURATION.matcher(text()).replaceAll(AlertRules::shorter);
    }

    private static String shorter(MatchResult found) {
        int millis = Integer.parseInt(found.group(2)) * (found.group(3).equals("m") ? MINUTE : SECOND);
        return Matcher.quoteReplacement("%s%dms".formatted(found.group(1), millis / HASTE));
    }
}
