package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.server.http.WrittenSaga;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus that watches a real alpha: its alerts, and what the dashboards in docker/grafana ask it. */
class WatchedByPrometheusTest {
    private static final Pattern RUNBOOK = Pattern.compile("/docs/operating#([a-z_-]+)");

    @TempDir
    private static Path directory;

    private static AlphaProcess alpha;
    private static Prometheus prometheus;

    @BeforeAll
    static void start() throws IOException {
        try (SagaRepository store = JdbcSagaRepository.embedded(directory.resolve("data"))) {
            new WrittenSaga(store, "trip", Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS)).suspended("");
        }
        alpha = AlphaProcess.start(directory).awaitReady();
        prometheus = new Prometheus(directory, alpha.httpAddress());
    }

    @AfterAll
    static void stop() {
        if (prometheus != null) prometheus.close();
        if (alpha != null) alpha.close();
    }

    @Test
    void an_alert_that_fires_leads_to_the_sagas_and_to_what_to_do() throws Exception {
        List<Map<String, String>> fired =
                await().until(() -> prometheus.firing("AlphaSagasSuspended"), alerts -> !alerts.isEmpty());

        assertThat(fired).singleElement().satisfies(annotations -> {
            assertThat(annotations.get("summary")).isEqualTo("1 sagas wait for a person, because of hotel");
            assertThat(alpha.get(path(annotations.getOrDefault("console", ""))).body())
                    .contains("href=\"/sagas/trip\"");
            assertThat(alpha.get(path(annotations.getOrDefault("runbook_url", "")))
                            .statusCode())
                    .isEqualTo(200);
        });
        String runbook = alpha.get("/docs/operating").body();
        for (String anchor : RUNBOOK.matcher(Files.readString(AlertsTest.RULES, UTF_8))
                .results()
                .map(link -> link.group(1))
                .toList()) {
            assertThat(runbook).contains("id=\"" + anchor + "\"");
        }
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

    private static String path(String url) {
        String address = "http://" + alpha.httpAddress();
        assertThat(url).startsWith(address);
        return url.substring(address.length()).split("#", 2)[0];
    }
}
