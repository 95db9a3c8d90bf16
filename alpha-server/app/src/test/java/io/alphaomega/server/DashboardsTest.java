package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The dashboards in docker/grafana, as far as they can be checked without Grafana. {@link WatchedByPrometheusTest} asks their queries. */
class DashboardsTest {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z]\\w*)}?");

    /** What the JVM, Spring, HAProxy and Prometheus itself say. */
    private static final Pattern OF_OTHERS =
            Pattern.compile("up|(jvm|process|system|logback|http_server_requests|haproxy)_.*");

    @Test
    void each_has_a_uid_of_its_own_and_a_title() {
        List<JsonNode> all = Dashboards.all();
        assertThat(all).hasSize(4);
        assertThat(all)
                .extracting(each -> each.path("uid").asString())
                .doesNotHaveDuplicates()
                .doesNotContain("");
        assertThat(all)
                .extracting(each -> each.path("title").asString())
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    @Test
    void each_panel_says_what_it_is_in_which_unit_and_from_where() {
        for (JsonNode dashboard : Dashboards.all()) {
            List<JsonNode> panels = Dashboards.panels(dashboard);
            assertThat(panels).hasSizeGreaterThan(10);
            assertThat(panels).extracting(each -> each.path("id").asInt()).doesNotHaveDuplicates();
            assertThat(panels).allSatisfy(panel -> {
                assertThat(panel.path("title").asString()).isNotBlank();
                assertThat(panel.path("description").asString()).endsWith(".");
                assertThat(panel.at("/fieldConfig/defaults/unit").asString()).isNotBlank();
                assertThat(panel.at("/datasource/type").asString()).isEqualTo("prometheus");
                assertThat(panel.at("/datasource/uid").asString()).isEqualTo("${datasource}");
                assertThat(panel.path("targets")).isNotEmpty();
            });
        }
    }

    @Test
    void no_panel_covers_another() {
        for (JsonNode dashboard : Dashboards.all()) {
            List<String> taken = new ArrayList<>();
            for (JsonNode panel : dashboard.path("panels")) {
                JsonNode at = panel.path("gridPos");
                int right = at.path("x").asInt() + at.path("w").asInt();
                int bottom = at.path("y").asInt() + at.path("h").asInt();
                assertThat(right).isLessThanOrEqualTo(24);
                for (int x = at.path("x").asInt(); x < right; x++) {
                    for (int y = at.path("y").asInt(); y < bottom; y++) taken.add(x + "," + y);
                }
            }
            assertThat(taken).doesNotHaveDuplicates();
        }
    }

    @Test
    void every_variable_in_them_is_declared() {
        for (JsonNode dashboard : Dashboards.all()) {
            List<String> declared = StreamSupport.stream(
                            dashboard.at("/templating/list").spliterator(), false)
                    .map(variable -> variable.path("name").asString())
                    .toList();
            assertThat(VARIABLE.matcher(dashboard.path("panels").toString())
                            .results()
                            .map((MatchResult used) -> used.group(1)))
                    .as(dashboard.path("title").asString())
                    .allMatch(declared::contains);
        }
    }

    @Test
    void every_metric_in_them_is_one_that_alpha_has() throws IOException {
        String documented = Files.readString(Path.of("../../docs/metrics.md"), UTF_8);
        for (Dashboards.Query query : Dashboards.queries()) {
            Set<String> metrics = query.metrics();
            assertThat(metrics).as(query.where()).isNotEmpty();
            assertThat(metrics)
                    .as(query.where())
                    .allMatch(metric -> OF_OTHERS.matcher(metric).matches() || documented.contains("`" + metric + "`"));
        }
    }
}
