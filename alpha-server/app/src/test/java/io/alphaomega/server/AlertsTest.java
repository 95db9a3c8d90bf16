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

/** The alerts in docker/prometheus, by Prometheus's own tool. {@link WatchedByPrometheusTest} has one that fires. */
class AlertsTest {
    private static final Path DIRECTORY =
            Path.of("../../docker/prometheus").toAbsolutePath().normalize();
    static final Path RULES = DIRECTORY.resolve("alpha.rules.yml");
    private static final Pattern METRIC = Pattern.compile("alpha_[a-z_]+");

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
        Process promtool =
                tool.directory(DIRECTORY.toFile()).redirectErrorStream(true).start();
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
        assertThat(promtool.waitFor()).as(said).isZero();
    }

    @Test
    void every_metric_in_them_is_one_that_alpha_has() throws IOException {
        String documented = Files.readString(Path.of("../../docs/metrics.md"), UTF_8);
        for (String metric : METRIC.matcher(Files.readString(RULES, UTF_8))
                .results()
                .map(MatchResult::group)
                .toList()) {
            assertThat(documented).contains("`" + metric.replaceFirst("_max$", "") + "`");
        }
    }
}
