package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the servers are that tests start: Debian's packages, and what {@code scripts/test} has put into {@code .servers}
 * of the checkout. One that is missing is an {@link IllegalStateException} whose sentence says how to get it.
 */
public final class Installed {
    private static final List<Path> BESIDE_THE_PATH =
            List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"), Path.of("/sbin"));

    private Installed() {}

    public static Path redisServer() {
        return program("redis-server", "redis-server");
    }

    public static Path mariaDbServer() {
        return program("mariadbd", "mariadb-server");
    }

    /** What makes a data directory for {@link #mariaDbServer()}. */
    public static Path mariaDbInstaller() {
        return program("mariadb-install-db", "mariadb-server");
    }

    /** RabbitMQ itself: the program of that name on the path changes its user first, and then its directories. */
    public static Path rabbitMqServer() {
        Path program = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
        if (Files.isExecutable(program)) return program;
        throw missing("RabbitMQ", "the Debian package rabbitmq-server");
    }

    /** What {@link #rabbitMqServer()} finds its own name with. */
    public static Path epmd() {
        return program("epmd", "erlang-base");
    }

    /** Which scrapes metrics and raises alerts. */
    public static Path prometheus() {
        return program("prometheus", "prometheus");
    }

    /** Which tests the rules of {@link #prometheus()}. */
    public static Path promtool() {
        return program("promtool", "prometheus");
    }

    /** Which leads streams and requests to alphas. */
    public static Path haproxy() {
        return program("haproxy", "haproxy");
    }

    /** Which reads docker/compose.yaml as its users' one does. */
    public static Path dockerCompose() {
        return program("docker-compose", "docker-compose");
    }

    /** Chromium, or a browser that takes the same arguments. */
    public static Path browser() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> find(name).stream())
                .findFirst()
                .orElseThrow(() -> missing("Chromium", "the Debian package chromium"));
    }

    /** Which drives {@link #browser()} by the W3C's protocol. */
    public static Path browserDriver() {
        return program("chromedriver", "chromium-driver");
    }

    /** A server of DNS. */
    public static Path dnsmasq() {
        return program("dnsmasq", "dnsmasq-base");
    }

    /** The directory of {@code initdb} and {@code postgres}: Debian does not put them on the path. */
    public static Path postgreSqlPrograms() {
        return matching(Path.of("/usr/lib/postgresql"), "*")
                .filter(version -> Files.isExecutable(version.resolve("bin/initdb")))
                .max(Comparator.comparingInt(
                        version -> Integer.parseInt(version.getFileName().toString())))
                .map(version -> version.resolve("bin"))
                .or(() -> find("initdb").map(Installed::directoryOf))
                .orElseThrow(() -> missing("PostgreSQL", "the Debian package postgresql"));
    }

    /**
     * The real MySQL, with the libraries and the loader of the system it was built for; further arguments are those of
     * {@code mysqld}.
     */
    public static Command mySqlServer() {
        Path system = newestUnpacked("mysql", "MySQL");
        // Named by the processor: usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2.
        Path libraries = only(system.resolve("usr/lib"), "*-linux-gnu");
        return Command.of(
                only(libraries, "ld-linux-*.so.*"),
                "--library-path",
                libraries,
                system.resolve("usr/sbin/mysqld"),
                "--no-defaults",
                "--basedir=" + system.resolve("usr"),
                "--secure-file-priv=NULL",
                "--mysqlx=OFF");
    }

    /**
     * The home of Elasticsearch, as unpacked: its files are read, not written.
     *
     * @param version the whole of it or its beginning: {@code 8}
     */
    public static Path elasticsearch(String version) {
        return newestUnpacked("elasticsearch-" + version, "Elasticsearch " + version);
    }

    /** The home of OpenSearch, as {@link #elasticsearch(String)}. */
    public static Path openSearch(String version) {
        return newestUnpacked("opensearch-" + version, "OpenSearch " + version);
    }

    private static Path program(String name, String debianPackage) {
        return find(name).orElseThrow(() -> missing(name, "the Debian package " + debianPackage));
    }

    private static Optional<Path> find(String program) {
        return Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                                .filter(directory -> !directory.isEmpty())
                                .map(Path::of),
                        BESIDE_THE_PATH.stream())
                .map(directory -> directory.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Path directoryOf(Path program) {
        try {
            Path real = program.toRealPath();
            return Optional.ofNullable(real.getParent()).orElse(real);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code scripts/lib/servers.sh} writes the file {@code complete} last. */
    private static Path newestUnpacked(String name, String what) {
        Path servers = checkout().resolve(".servers");
        return matching(servers, name + "*")
                .filter(each -> Files.exists(each.resolve("complete")))
                .filter(each -> each.getFileName().toString().matches(Pattern.quote(name) + "(\\..*)?"))
                .max(Comparator.naturalOrder())
                .orElseThrow(() -> new IllegalStateException(
                        "%s is not in %s: run scripts/test once, or scripts/test --long for the versions that only the long campaigns use; it puts it there. Then run this test again."
                                .formatted(what, servers)));
    }

    private static Path only(Path directory, String glob) {
        return matching(directory, glob)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "There is no %s in %s: delete .servers of the checkout, and scripts/test unpacks it again."
                                .formatted(glob, directory)));
    }

    private static Stream<Path> matching(Path directory, String glob) {
        if (!Files.isDirectory(directory)) return Stream.of();
        List<Path> matching = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, glob)) {
            all.forEach(matching::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return matching.stream();
    }

    private static IllegalStateException missing(String what, String source) {
        return new IllegalStateException(
                "%s is not installed: run scripts/test as root once, or install %s, then this test again."
                        .formatted(what, source));
    }

    /** Upwards from where the test runs. */
    private static Path checkout() {
        Path start = Path.of("").toAbsolutePath();
        for (Path at = start; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("scripts/test"))) return at;
        }
        throw new IllegalStateException(
                "%s is not in a checkout: no directory above it has scripts/test.".formatted(start));
    }
}
