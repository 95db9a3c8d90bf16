package io.alphaomega.benchmark.report;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a figure of a run must be: {@code throughput>=7500}, {@code sagaMillis.p99<15}.
 *
 * @param figure by its name; of a run with a JSON report its place in there
 */
public record Threshold(String figure, Comparison comparison, double bound) {
    private static final Pattern FORM = Pattern.compile("\\s*([\\w.]+)\\s*(<=|>=|<|>)\\s*([0-9.eE+-]+)\\s*");

    /** Of the JSON report. */
    private static final List<String> FIGURES = Stream.of(
                    Stream.of("seconds", "throughput", "errors"),
                    in("sagas", "started", "committed", "compensated", "suspended", "unknown", "failed"),
                    in("ackMillis", "mean", "p50", "p90", "p99", "p999", "max"),
                    in("sagaMillis", "mean", "p50", "p90", "p99", "p999", "max"),
                    in("sagaUncorrectedMillis", "mean", "p50", "p90", "p99", "p999", "max"),
                    in(
                            "cpu",
                            "alphaMillisPerSaga",
                            "storeMillisPerSaga",
                            "coordinatorMillisPerSaga",
                            "generatorMillisPerSaga"))
            .flatMap(each -> each)
            .toList();

    /** How a figure and its bound are compared. */
    public enum Comparison {
        BELOW("<"),
        AT_MOST("<="),
        ABOVE(">"),
        AT_LEAST(">=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        private boolean holds(double found, double bound) {
            return switch (this) {
                case BELOW -> found < bound;
                case AT_MOST -> found <= bound;
                case ABOVE -> found > bound;
                case AT_LEAST -> found >= bound;
            };
        }
    }

    /**
     * What became of a threshold.
     *
     * @param found null where the run does not know the figure; then the threshold is missed
     */
    public record Outcome(String expression, @Nullable Double found, boolean met) {
        public String text() {
            return "Threshold %s: %s: found %s."
                    .formatted(
                            met ? "met" : "MISSED", expression, found == null ? "nothing" : FigureText.digits(found));
        }
    }

    /** @throws IllegalArgumentException with a sentence */
    static Threshold parse(String text) {
        return parse(text, FIGURES);
    }

    /**
     * One of these figures.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public static Threshold parse(String text, List<String> figures) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "--threshold must be a figure, <, <=, > or >=, and a number, such as '%s<15', but is '%s'."
                            .formatted(figures.getLast(), text));
        }
        String figure = matcher.group(1);
        if (!figures.contains(figure)) {
            throw new IllegalArgumentException(
                    "--threshold knows no figure '" + figure + "'; it knows " + String.join(", ", figures) + ".");
        }
        Comparison comparison = Stream.of(Comparison.values())
                .filter(each -> each.sign.equals(matcher.group(2)))
                .findFirst()
                .orElseThrow();
        try {
            return new Threshold(figure, comparison, Double.parseDouble(matcher.group(3)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--threshold must end with a number, but is '" + text + "'.", e);
        }
    }

    Outcome judge(JsonNode report) {
        JsonNode found = report.at("/" + figure.replace('.', '/'));
        boolean empty =
                report.at("/" + figure.replaceFirst("\\..*", "") + "/count").asInt(1) == 0;
        return judge(empty || !found.isNumber() ? null : found.asDouble());
    }

    /**
     * Holds a figure against the bound.
     *
     * @param found null where the run does not know it
     */
    public Outcome judge(@Nullable Double found) {
        return new Outcome(expression(), found, found != null && comparison.holds(found, bound));
    }

    private String expression() {
        String number = bound == Math.rint(bound) && Math.abs(bound) < 1e15
                ? String.format(Locale.ROOT, "%d", (long) bound)
                : Double.toString(bound);
        return figure + " " + comparison.sign + " " + number;
    }

    private static Stream<String> in(String group, String... figures) {
        return Stream.of(figures).map(figure -> group + "." + figure);
    }
}
