package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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

    /** The directory of {@code initdb} and {@code postgres}: Debian does not put them on the path. */
    public static Path postgreSqlPrograms() {
        return newest(Path.of("/usr/lib/postgresql"))
                .map(version -> version.resolve("bin"))
                .or(() -> find("initdb").map(Installed::directoryOf))
                .orElseThrow(() -> missing("PostgreSQL", "the Debian package postgresql"));
    }

    /**
     * The real MySQL, with the libraries and the loader of the system it was built for; further arguments are those of
     * {@code mysqld}.
     */
    public static Command mySqlServer() {
        Path system = unpacked("mysql", "MySQL");
        Path libraries = system.resolve("usr/lib/x86_64-linux-gnu");
        return Command.of(
                system.resolve("usr/lib64/ld-linux-x86-64.so.2"),
                "--library-path",
                libraries,
                system.resolve("usr/sbin/mysqld"),
                "--no-defaults",
                "--basedir=" + system.resolve("usr"),
                "--secure-file-priv=NULL",
                "--mysqlx=OFF");
    }

    /** The home of that version, as unpacked: its files are read, not written. */
    public static Path elasticsearch(String version) {
        return unpacked("elasticsearch-" + version, "Elasticsearch " + version);
    }

    /** The home of that version, as unpacked: its files are read, not written. */
    public static Path openSearch(String version) {
        return unpacked("opensearch-" + version, "OpenSearch " + version);
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

    private static Optional<Path> newest(Path versions) {
        if (!Files.isDirectory(versions)) return Optional.empty();
        try (Stream<Path> all = Files.list(versions)) {
            return all.filter(each -> Files.isExecutable(each.resolve("bin/initdb")))
                    .max(Comparator.comparingInt(
                            each -> Integer.parseInt(each.getFileName().toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code scripts/lib/servers.sh} writes the file {@code complete} last. */
    private static Path unpacked(String directory, String what) {
        Path place = checkout().resolve(".servers").resolve(directory);
        if (Files.exists(place.resolve("complete"))) return place;
        throw new IllegalStateException(
                "%s is not in %s: run scripts/test once, which puts it there, then this test again."
                        .formatted(what, place));
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
