package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Installed;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.http.WrittenSaga;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts in docker/prometheus, by Prometheus's own tool and by a real Prometheus that watches a real alpha. */
class AlertsTest {
    private static final Path RULES =
            Path.of("../../docker/prometheus").toAbsolutePath().normalize();
    private static final Pattern METRIC = Pattern.compile("alpha_[a-z_]+");
    private static final Pattern RUNBOOK = Pattern.compile("/docs/operating#([a-z_-]+)");

    @TempDir
    private Path directory;

    private static String rules() throws IOException {
        return Files.readString(RULES.resolve("alpha.rules.yml"), UTF_8);
    }

    @Test
    void each_alert_fires_when_it_should_and_not_when_all_is_well() throws Exception {
        Process promtool = new ProcessBuilder(Installed.promtool().toString(), "test", "rules", "alpha.rules.test.yml")
                .directory(RULES.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(promtool.getInputStream().readAllBytes(), UTF_8);
        assertThat(promtool.waitFor()).as(said).isZero();
    }

    @Test
    void every_metric_in_them_is_one_that_alpha_has() throws IOException {
        String documented = Files.readString(Path.of("../../docs/metrics.md"), UTF_8);
        for (String metric :
                METRIC.matcher(rules()).results().map(MatchResult::group).toList()) {
            assertThat(documented).contains("`" + metric.replaceFirst("_max$", "") + "`");
        }
    }

    @Test
    void one_that_fires_leads_to_the_sagas_and_to_what_to_do() throws Exception {
        try (SagaRepository store = JdbcSagaRepository.embedded(directory.resolve("data"))) {
            new WrittenSaga(store, "trip", Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS)).suspended("");
        }
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady();
                Prometheus prometheus = new Prometheus(directory, alpha.httpAddress())) {
            List<Map<String, String>> fired =
                    await().until(() -> prometheus.firing("AlphaSagasSuspended"), alerts -> !alerts.isEmpty());

            assertThat(fired).singleElement().satisfies(annotations -> {
                assertThat(annotations.get("summary")).isEqualTo("1 sagas wait for a person, because of hotel");
                assertThat(alpha.get(path(alpha, annotations.getOrDefault("console", "")))
                                .body())
                        .contains("href=\"/sagas/trip\"");
                assertThat(alpha.get(path(alpha, annotations.getOrDefault("runbook_url", "")))
                                .statusCode())
                        .isEqualTo(200);
            });
            String runbook = alpha.get("/docs/operating").body();
            for (String anchor : RUNBOOK.matcher(rules())
                    .results()
                    .map(link -> link.group(1))
                    .toList()) {
                assertThat(runbook).contains("id=\"" + anchor + "\"");
            }
        }
    }

    private static String path(AlphaProcess alpha, String url) {
        String address = "http://" + alpha.httpAddress();
        assertThat(url).startsWith(address);
        return url.substring(address.length()).split("#", 2)[0];
    }

    /** Scrapes one alpha each second, by the real rules; alerts need not last. */
    private static final class Prometheus implements AutoCloseable {
        private final int port = ServerProcess.freePort();
        private final ServerProcess process;

        Prometheus(Path directory, String alpha) throws IOException {
            Path home = Files.createDirectories(directory.resolve("prometheus"));
            Files.writeString(home.resolve("rules.yml"), rules().replaceAll("(?m)^ +for: .*\n", ""), UTF_8);
            Path config = Files.writeString(home.resolve("prometheus.yml"), """
                    global: {scrape_interval: 1s, evaluation_interval: 1s}
                    rule_files: [rules.yml]
                    scrape_configs:
                      - job_name: alpha
                        metrics_path: /actuator/prometheus
                        static_configs: [{targets: ['%s']}]
                    """.formatted(alpha), UTF_8);
            process = new ServerProcess(
                    home,
                    Command.of(
                            Installed.prometheus(),
                            "--config.file=" + config,
                            "--storage.tsdb.path=" + home.resolve("tsdb"),
                            "--web.listen-address=127.0.0.1:" + port),
                    this::isReady);
            process.start();
        }

        private boolean isReady() throws IOException {
            URI ready = URI.create("http://127.0.0.1:%d/-/ready".formatted(port));
            return ((HttpURLConnection) ready.toURL().openConnection()).getResponseCode() == 200;
        }

        /** The annotations of the alerts of that name that fire. */
        List<Map<String, String>> firing(String name) throws IOException {
            try (InputStream in = URI.create("http://127.0.0.1:%d/api/v1/alerts".formatted(port))
                    .toURL()
                    .openStream()) {
                return JsonPath.read(
                        in,
                        "$.data.alerts[?(@.state == 'firing' && @.labels.alertname == '%s')].annotations"
                                .formatted(name));
            }
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
