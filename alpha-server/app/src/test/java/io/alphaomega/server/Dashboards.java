package io.alphaomega.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboards in docker/grafana, and what they ask Prometheus. */
public final class Dashboards {
    private static final Path DIRECTORY =
            Path.of("../../docker/grafana/dashboards").toAbsolutePath().normalize();
    private static final JsonMapper JSON = new JsonMapper();

    /** Strings, labels of series, time ranges and groupings: what is left are functions and metrics. */
    private static final Pattern BESIDE_METRICS =
            Pattern.compile("\"[^\"]*\"|\\{[^}]*}|\\[[^]]*]|\\bby \\([^)]*\\)|[0-9.]+");

    private static final Pattern METRIC = Pattern.compile("\\b[a-zA-Z_:]\\w*\\b(?!\\s*\\()");
    private static final Pattern SUFFIX = Pattern.compile("_(bucket|sum|count|max)$");

    private Dashboards() {}

    /** One query of a panel, as it is written. */
    public record Query(String where, String expression) {
        /** Those of HAProxy, of a search index, and of a collector that need not have run have nothing to tell here. */
        private static final Pattern NOT_OF_EVERY_ALPHA = Pattern.compile("haproxy_.*|alpha_search_.*|jvm_gc_pause_.*");

        /** As Grafana would send it. */
        public String toAsk() {
            return expression.replace("$__rate_interval", "1m").replaceAll("\\$(instance|service)", ".*");
        }

        /** Without what a histogram or a summary adds to its name. */
        Set<String> metrics() {
            return METRIC.matcher(BESIDE_METRICS.matcher(expression).replaceAll(" "))
                    .results()
                    .map(found -> SUFFIX.matcher(found.group()).replaceFirst(""))
                    .collect(Collectors.toSet());
        }

        /** Has data where there is a search index. */
        public boolean isOfSearch() {
            return metrics().stream().anyMatch(metric -> metric.startsWith("alpha_search_"));
        }

        boolean mustHaveData() {
            return metrics().stream()
                    .noneMatch(metric -> NOT_OF_EVERY_ALPHA.matcher(metric).matches());
        }
    }

    static List<JsonNode> all() {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.sorted().map(file -> JSON.readTree(file.toFile())).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without the headings of rows. */
    static List<JsonNode> panels(JsonNode dashboard) {
        List<JsonNode> panels = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            if (!panel.path("type").asString().equals("row")) panels.add(panel);
        }
        return panels;
    }

    public static List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (JsonNode dashboard : all()) {
            for (JsonNode panel : panels(dashboard)) {
                String where = "%s, %s"
                        .formatted(
                                dashboard.path("title").asString(),
                                panel.path("title").asString());
                for (JsonNode target : panel.path("targets")) {
                    queries.add(new Query(where, target.path("expr").asString()));
                }
            }
        }
        return queries;
    }
}
