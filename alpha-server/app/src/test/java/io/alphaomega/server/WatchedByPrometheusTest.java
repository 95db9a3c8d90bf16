package io.alphaomega.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.server.http.WrittenSaga;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus that watches a real alpha: what the dashboards in docker/grafana ask it, and where alerts lead to. */
class WatchedByPrometheusTest {
    private static final Pattern RUNBOOK =
            Pattern.compile("(?m)^ +runbook_url: .*(/docs/operating/[a-z]+)(?:\\{.*)?#([a-z_-]+)'$");

    @TempDir
    private static Path directory;

    private static AlphaProcess alpha;
    private static Prometheus prometheus;

    @BeforeAll
    static void start() throws IOException {
        try (SagaRepository store = EmbeddedRepository.in(directory.resolve("data"))) {
            new WrittenSaga(store, "trip", Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS)).suspended("");
        }
        alpha = AlphaProcess.start(directory).awaitReady();
        prometheus = new Prometheus(directory, List.of(alpha.httpAddress()));
    }

    @AfterAll
    static void stop() {
        if (prometheus != null) prometheus.close();
        if (alpha != null) alpha.close();
    }

    @Test
    void each_alert_leads_to_a_paragraph_of_the_runbook() {
        List<MatchResult> links = RUNBOOK.matcher(AlertRules.text()).results().toList();
        assertThat(links)
                .hasSameSizeAs(AlertRules.names())
                .allSatisfy(
                        link -> assertThat(alpha.get(link.group(1)).body()).contains("id=\"" + link.group(2) + "\""));
    }

    @Test
    void whatever_a_dashboard_asks_is_answered_and_with_data_where_one_alpha_has_them() {
        List<Dashboards.Query> unanswered = new ArrayList<>(Dashboards.queries());
        assertThat(unanswered).hasSizeGreaterThan(100);
        await().untilAsserted(() -> {
            for (Dashboards.Query query : List.copyOf(unanswered)) {
                if (prometheus.series(query.toAsk()) > 0 || !query.mustHaveData()) unanswered.remove(query);
            }
            assertThat(unanswered).isEmpty();
        });
    }
}
