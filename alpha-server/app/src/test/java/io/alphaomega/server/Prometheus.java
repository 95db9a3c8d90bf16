package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Installed;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A real Prometheus that scrapes alphas each second, by the real rules {@linkplain AlertRules#inHaste() in haste}. */
public final class Prometheus implements AutoCloseable {
    private final int port = ServerProcess.freePort();
    private final ServerProcess process;

    /** An alert that waits for its time, or fires. */
    public record Alert(String state, Map<String, String> labels, Map<String, String> annotations) {
        public String name() {
            return labels.getOrDefault("alertname", "");
        }

        public boolean fires() {
            return state.equals("firing");
        }
    }

    /** @param alphas their HTTP addresses */
    public Prometheus(Path directory, List<String> alphas) throws IOException {
        this(directory, alphas, List.of());
    }

    /** @param balancers the addresses of HAProxy's own pages */
    public Prometheus(Path directory, List<String> alphas, List<String> balancers) throws IOException {
        Path home = Files.createDirectories(directory.resolve("prometheus"));
        Files.writeString(home.resolve("rules.yml"), AlertRules.inHaste(), UTF_8);
        Path config = Files.writeString(
                home.resolve("prometheus.yml"), """
            global: {scrape_interval: 1s, evaluation_interval: 1s}
            rule_files: [rules.yml]
            scrape_configs:
              - job_name: alpha
                metrics_path: /actuator/prometheus
                static_configs: [{targets: [%s]}]
              - job_name: haproxy
                static_configs: [{targets: [%s]}]
            """.formatted(quoted(alphas), quoted(balancers)), UTF_8);
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

    private static String quoted(List<String> addresses) {
        return addresses.stream().map("'%s'"::formatted).collect(Collectors.joining(", "));
    }

    private boolean isReady() throws IOException {
        URI ready = URI.create("http://127.0.0.1:%d/-/ready".formatted(port));
        return asked(ready).getResponseCode() == 200;
    }

    /** One that stands still is asked again by whoever waits. */
    private static HttpURLConnection asked(URI address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout(10_000);
        connection.setReadTimeout(10_000);
        return connection;
    }

    /** Those that are not resolved. */
    public List<Alert> alerts() throws IOException {
        try (InputStream in = asked(URI.create("http://127.0.0.1:%d/api/v1/alerts".formatted(port)))
                .getInputStream()) {
            return JsonPath.<List<Map<String, Object>>>read(in, "$.data.alerts").stream()
                    .map(alert -> new Alert(
                            String.valueOf(alert.get("state")),
                            texts(alert.get("labels")),
                            texts(alert.get("annotations"))))
                    .toList();
        }
    }

    private static Map<String, String> texts(@Nullable Object object) {
        if (!(object instanceof Map<?, ?> map)) throw new IllegalArgumentException("an alert without: " + object);
        return map.entrySet().stream()
                .collect(Collectors.toMap(
                        each -> String.valueOf(each.getKey()), each -> String.valueOf(each.getValue())));
    }

    /** The names of the alerts that have fired within that time. */
    public Set<String> fired(Duration within) throws IOException {
        String query = "count by (alertname) (count_over_time(ALERTS{alertstate=\"firing\"}[%ds]))"
                .formatted(within.toSeconds());
        List<String> names = ask(query).read("$.data.result[*].metric.alertname");
        return new TreeSet<>(names);
    }

    /** How many series a query comes to now. One that Prometheus does not take is an exception with its sentence. */
    public int series(String query) throws IOException {
        return ask(query).<List<?>>read("$.data.result").size();
    }

    private DocumentContext ask(String query) throws IOException {
        HttpURLConnection asked = asked(URI.create(
                "http://127.0.0.1:%d/api/v1/query?query=%s".formatted(port, URLEncoder.encode(query, UTF_8))));
        if (asked.getResponseCode() != 200) {
            throw new IllegalArgumentException(
                    query + ": " + new String(asked.getErrorStream().readAllBytes(), UTF_8));
        }
        try (InputStream in = asked.getInputStream()) {
            return JsonPath.parse(in);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
