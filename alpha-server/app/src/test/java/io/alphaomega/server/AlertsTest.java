package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Installed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alerts in docker/prometheus, by Prometheus's own tool. Real faults fire them in {@link io.alphaomega.server.stream}. */
class AlertsTest {
    private static final Path DOCS = Path.of("../../docs");
    private static final Pattern METRIC = Pattern.compile("alpha_[a-z_]+");

    /** The first cell of a row. */
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(Alpha\\w+)` \\|");

    @Test
    void each_alert_fires_when_it_should_and_not_when_all_is_well() throws Exception {
        promtool("test", "rules", "alpha.rules.test.yml");
    }

    @Test
    void the_configuration_that_comes_with_them_is_one() throws Exception {
        promtool("check", "config", "prometheus.yml");
    }

    private static void promtool(String... arguments) throws Exception {
        ProcessBuilder tool = new ProcessBuilder(Installed.promtool().toString());
        tool.command().addAll(List.of(arguments));
        Process promtool = tool.directory(AlertRules.FILE.resolveSibling(".").toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
        assertThat(promtool.waitFor()).as(said).isZero();
    }

    @Test
    void every_metric_in_them_is_one_that_alpha_has() throws IOException {
        String documented = Files.readString(DOCS.resolve("metrics.md"), UTF_8);
        for (String metric : METRIC.matcher(AlertRules.text())
                .results()
                .map(MatchResult::group)
                .toList()) {
            assertThat(documented).contains("`" + metric.replaceFirst("_max$", "") + "`");
        }
    }

    @Test
    void what_the_documentation_calls_worth_an_alert_is_one_and_the_other_way_round() throws IOException {
        assertThat(DOCUMENTED
                        .matcher(Files.readString(DOCS.resolve("operating/monitoring.md"), UTF_8))
                        .results())
                .extracting(row -> row.group(1))
                .containsExactlyElementsOf(AlertRules.names());
    }

    @Test
    void in_haste_each_duration_is_shorter_and_nothing_else_is_changed() {
        String quick = AlertRules.inHaste();
        assertThat(quick)
                .contains(
                        "for: 5000ms",
                        "for: 10000ms",
                        "[50000ms]",
                        "[10000ms]",
                        "[5000ms]",
                        "alpha_saga_due_lag_seconds > 30")
                .doesNotContainPattern("for: \\d+m$|\\[\\d+m]");
        assertThat(quick.replaceAll("\\d+ms", "")).isEqualTo(AlertRules.text().replaceAll("(for: |\\[)\\d+m\\b", "$1"));
    }
}
