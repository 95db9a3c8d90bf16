package io.alphaomega.repository.servers;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A node of Elasticsearch or OpenSearch with a small heap, single and without security unless its settings say otherwise.
 * What is stored stays over {@link #kill()} and {@link #start()}.
 */
public final class ElasticsearchServer implements AutoCloseable {
    /** What {@code scripts/test} brings; the last two only with {@code --long}. */
    public static final String V8 = "8.19.21";

    public static final String V9 = "9.5.3";
    public static final String V7 = "7.17.29";
    public static final String OPENSEARCH = "3.6.0";

    /** The setting with which a node asks who somebody is. */
    public static final String SECURED = "xpack.security.enabled: true";

    /** The newest Java on which 7.17 runs well: it asks for the security manager, which is gone in 24. */
    private static final List<String> JAVA_OF_V7 = List.of("17", "21");

    private static final int STATUS_WITHIN_MILLIS = 2_000;

    private final ServerProcess process;
    private final int port;

    private ElasticsearchServer(ServerProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * A new node of Elasticsearch, running.
     *
     * @param settings as in {@code elasticsearch.yml}, such as {@code thread_pool.write.queue_size: 1}; one that begins
     *     with a hyphen is an option of its JVM
     */
    public static ElasticsearchServer start(String version, String... settings) {
        return start(ServerProcess.newDirectory("elasticsearch-" + version), version, settings);
    }

    /**
     * A node on a directory that may have the data of an earlier one, and further files in {@code config}: certificates,
     * users, roles.
     */
    public static ElasticsearchServer start(Path directory, String version, String... settings) {
        Path home = Installed.elasticsearch(version);
        Command command = Command.of(home.resolve("bin/elasticsearch"))
                .environment("ES_JAVA_HOME", (version.startsWith("7.") ? javaOfV7() : java()).toString());
        List<String> lines = new ArrayList<>(List.of(settings));
        if (!lines.contains(SECURED)) lines.add("xpack.security.enabled: false");
        return start(directory, home, "ES", command, lines);
    }

    /** A new node of OpenSearch, running. */
    public static ElasticsearchServer startOpenSearch(String version, String... settings) {
        Path home = Installed.openSearch(version);
        Command command =
                Command.of(home.resolve("bin/opensearch")).environment("OPENSEARCH_JAVA_HOME", java().toString());
        List<String> lines = new ArrayList<>(List.of(settings));
        lines.add("-javaagent:" + home.resolve("agent/opensearch-agent.jar"));
        return start(ServerProcess.newDirectory("opensearch-" + version), home, "OPENSEARCH", command, lines);
    }

    private static ElasticsearchServer start(
            Path directory, Path home, String variables, Command command, List<String> settings) {
        int port = ServerProcess.freePort();
        Path config = directory.resolve("config");
        try {
            Path tmp = Files.createDirectories(directory.resolve("tmp"));
            Files.createDirectories(config.resolve("jvm.options.d"));
            Files.copy(home.resolve("config/log4j2.properties"), config.resolve("log4j2.properties"), REPLACE_EXISTING);
            Files.write(config.resolve("jvm.options"), options(tmp, settings));
            Files.write(
                    config.resolve(variables.equals("ES") ? "elasticsearch.yml" : "opensearch.yml"),
                    configuration(directory, port, settings));
            Command configured = command.environment(variables + "_PATH_CONF", config.toString())
                    .environment(variables + "_TMPDIR", tmp.toString())
                    .asOrdinaryUser();
            // Whom it answers is another matter than whether it does.
            ServerProcess.Readiness readiness =
                    settings.contains(SECURED) ? ServerProcess.listening(port) : () -> isReady(port);
            ServerProcess process = new ServerProcess(directory, configured, readiness);
            process.start();
            return new ElasticsearchServer(process, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> options(Path tmp, List<String> settings) {
        List<String> options = new ArrayList<>(List.of(
                "-Xms512m",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                // It starts in half the time, and few tests last long enough to gain by more.
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + tmp));
        settings.stream().filter(setting -> setting.startsWith("-")).forEach(options::add);
        return options;
    }

    private static List<String> configuration(Path directory, int port, List<String> settings) {
        List<String> lines = new ArrayList<>(List.of(
                "http.port: " + port,
                "path.data: " + directory.resolve("data"),
                "path.logs: " + directory.resolve("logs"),
                // Whoever's disk it is: a test must not fail because it is nearly full.
                "cluster.routing.allocation.disk.watermark.low: 100mb",
                "cluster.routing.allocation.disk.watermark.high: 50mb",
                "cluster.routing.allocation.disk.watermark.flood_stage: 20mb"));
        settings.stream().filter(setting -> !setting.startsWith("-")).forEach(lines::add);
        // A node of a cluster says where it is for the others, or who they are.
        if (lines.stream().noneMatch(line -> line.startsWith("transport.port") || line.startsWith("discovery."))) {
            lines.addAll(List.of("discovery.type: single-node", "transport.port: " + ServerProcess.freePort()));
        }
        return lines;
    }

    private static Path java() {
        return Path.of(System.getProperty("java.home"));
    }

    /** Beside the one that runs this. */
    private static Path javaOfV7() {
        Path all = java().resolveSibling("").toAbsolutePath();
        for (String version : JAVA_OF_V7) {
            try (Stream<Path> homes = Files.list(all)) {
                List<Path> found = homes.filter(
                                home -> home.getFileName().toString().contains("-" + version + "-"))
                        .filter(home -> Files.isExecutable(home.resolve("bin/java")))
                        .toList();
                if (!found.isEmpty()) return found.getFirst();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException(
                "Elasticsearch 7.17 needs Java 17 or 21, and %s has none: install Debian's package openjdk-17-jdk-headless, then run this test again."
                        .formatted(all));
    }

    private static boolean isReady(int port) throws IOException {
        return status(port, "/_cluster/health?wait_for_status=yellow&timeout=1s") == HttpURLConnection.HTTP_OK;
    }

    private static int status(int port, String path) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
        connection.setConnectTimeout(STATUS_WITHIN_MILLIS);
        connection.setReadTimeout(STATUS_WITHIN_MILLIS);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    /** Where clients connect to. */
    public int port() {
        return port;
    }

    public ServerProcess process() {
        return process;
    }

    /** Starts a node again that was killed. Returns once every index has its primary shards. */
    public void start() {
        process.start();
    }

    /** {@code kill -9}. */
    public void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
