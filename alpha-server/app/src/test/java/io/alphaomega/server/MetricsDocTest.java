package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/metrics.md has every metric of a running alpha, as it says itself. {@code -Drewrite} makes it anew. */
class MetricsDocTest {
    private static final Path DOC = Path.of("../../docs/metrics.md");

    private static final String HEAD = """
            # Metrics of alpha

            Made from a running alpha by `MetricsDocTest`; run it with `-Drewrite` after a change.

            Under `/actuator/prometheus`, of this node and since its start. Those of the JVM, of HTTP and of the system are
            beside them. Histograms and summaries end in `_bucket`, `_sum`, `_count` and `_max`. Those of search are there
            with a search index only. [Alerts](operating/monitoring.md#alerts) says which are worth one.

            | metric | kind | labels | what it is |
            | --- | --- | --- | --- |
            """;

    private static final Pattern HELP = Pattern.compile("(?m)^# HELP (alpha_\\S+) (.*)$");
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (alpha_\\S+) (\\S+)$");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(alpha_[a-z_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    @TempDir
    private Path directory;

    @Test
    void the_page_has_every_metric_of_a_running_alpha() throws IOException {
        String said;
        try (AlphaProcess alpha = AlphaProcess.start(
                        directory,
                        "--alpha.search.type=elasticsearch",
                        "--alpha.search.elasticsearch.uris=http://127.0.0.1:1")
                .awaitReady()) {
            // Those of stuck sagas are there once somebody has looked.
            said = await().until(
                            () -> alpha.get("/actuator/prometheus").body(), all -> all.contains("alpha_sagas_stuck{"));
        }
        String page = HEAD + rows(said);
        if (System.getProperty("rewrite") != null) Files.writeString(DOC, page, UTF_8);

        assertThat(DOC)
                .as("docs/metrics.md is stale: run this test with -Drewrite")
                .content(UTF_8)
                .isEqualTo(page);
    }

    private static String rows(String said) {
        Map<String, String> help = HELP.matcher(said)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2), (one, two) -> one));
        Map<String, String> kinds = TYPE.matcher(said)
                .results()
                .collect(Collectors.toMap(
                        found -> found.group(1), found -> found.group(2), (one, two) -> one, TreeMap::new));
        return kinds.entrySet().stream()
                .filter(each -> !each.getKey().endsWith("_max")) // Part of the summary of that name.
                .map(each -> "| `%s` | %s | %s | %s |%n"
                        .formatted(
                                each.getKey(), each.getValue(), labels(each.getKey(), said), help.get(each.getKey())))
                .collect(Collectors.joining());
    }

    private static String labels(String metric, String said) {
        Map<String, Set<String>> labels = new TreeMap<>();
        SAMPLE.matcher(said)
                .results()
                .filter(sample -> sample.group(1).matches(Pattern.quote(metric) + "(_bucket|_sum|_count|_max)?"))
                .flatMap(sample -> LABEL.matcher(sample.group(2)).results())
                .filter(label -> !label.group(1).equals("le"))
                .forEach((MatchResult label) -> labels.computeIfAbsent(label.group(1), name -> new TreeSet<>())
                        .add("`" + label.group(2) + "`"));
        return labels.entrySet().stream()
                .map(label -> "`%s`: %s".formatted(label.getKey(), String.join(", ", label.getValue())))
                .collect(Collectors.joining("; "));
    }
}
