package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import java.util.List;
import java.util.Map;

/** A real Prometheus that scrapes one alpha each second, by the real rules; alerts need not last. */
final class Prometheus implements AutoCloseable {
    private final int port = ServerProcess.freePort();
    private final ServerProcess process;

    Prometheus(Path directory, String alpha) throws IOException {
        Path home = Files.createDirectories(directory.resolve("prometheus"));
        Files.writeString(
                home.resolve("rules.yml"),
                Files.readString(AlertsTest.RULES, UTF_8).replaceAll("(?m)^ +for: .*\n", ""),
                UTF_8);
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
        return asked(ready).getResponseCode() == 200;
    }

    /** One that stands still is asked again by whoever waits. */
    private static HttpURLConnection asked(URI address) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout(10_000);
        connection.setReadTimeout(10_000);
        return connection;
    }

    /** The annotations of the alerts of that name that fire. */
    List<Map<String, String>> firing(String name) throws IOException {
        try (InputStream in = asked(URI.create("http://127.0.0.1:%d/api/v1/alerts".formatted(port)))
                .getInputStream()) {
            return JsonPath.read(
                    in,
                    "$.data.alerts[?(@.state == 'firing' && @.labels.alertname == '%s')].annotations".formatted(name));
        }
    }

    /** How many series a query comes to now. One that Prometheus does not take is an exception with its sentence. */
    int series(String query) throws IOException {
        HttpURLConnection asked = asked(URI.create(
                "http://127.0.0.1:%d/api/v1/query?query=%s".formatted(port, URLEncoder.encode(query, UTF_8))));
        if (asked.getResponseCode() != 200) {
            throw new IllegalArgumentException(
                    query + ": " + new String(asked.getErrorStream().readAllBytes(), UTF_8));
        }
        try (InputStream in = asked.getInputStream()) {
            return JsonPath.<List<?>>read(in, "$.data.result").size();
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
