package io.alphaomega.benchmark.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One of our images, run as an engine would: in a root of its own with just the files that docker/Dockerfile puts there, all of
 * it read-only but for /data and /tmp, in its own network, as its user, without capabilities. The files come from the
 * build of the checkout, and Java and the system's programs are this machine's. Takes root.
 */
final class Container implements AutoCloseable {
    private static final Path TARGET = Path.of(System.getProperty("alpha.target"));

    /** Arguments: the root, /data, the JDK, the options of /tmp. Then what to run in it. */
    private static final String ENTER = """
        set -e
        root="$1" data="$2" java="$3" tmp="$4"
        shift 4
        ip link set lo up
        mount --make-rprivate /
        mount --bind "$root" "$root"
        cd "$root"
        mkdir -p data dev etc opt/java/openjdk proc tmp usr/bin usr/lib usr/lib64
        ln -sfn usr/bin bin; ln -sfn usr/lib lib; ln -sfn usr/lib64 lib64
        echo "alpha:x:${IDS}::/data:/usr/sbin/nologin" > etc/passwd
        for each in bin lib lib64; do [ ! -d "/usr/$each" ] || mount -o bind,ro "/usr/$each" "usr/$each"; done
        mount -o bind,ro "$java" opt/java/openjdk
        mount --rbind /dev dev
        mount --rbind /proc proc
        mount --bind "$data" data
        mount -t tmpfs -o "nosuid,nodev,noexec,$tmp" tmpfs tmp
        mount -o remount,bind,ro "$root" .
        exec chroot . "$@"
        """;

    private final Path directory = ServerProcess.newDirectory("container").toAbsolutePath();
    private final Path root = directory.resolve("root");
    private final Path data = directory.resolve("data");
    private final Dockerfile image;
    private final Process process;

    /**
     * Starts it.
     *
     * @param name of what docker/layout makes
     */
    Container(String name, Dockerfile image, Compose.Service service) throws IOException {
        this.image = image;
        Command.of(Compose.DOCKER.resolve("layout"), directory.resolve("layout"), name)
                .environment("JAVA_HOME", System.getProperty("java.home"))
                .run(Path.of("").toAbsolutePath());
        for (Dockerfile.Instruction copy : image.all("COPY")) copy(copy.rest());
        Files.createDirectories(data);
        Command.of("chown", user(), data).run(directory);
        Map<String, String> environment = new TreeMap<>(image.environment());
        environment.putAll(service.map("environment"));
        List<Object> words = new ArrayList<>(List.of(
                "unshare",
                "--mount",
                "--net",
                "--",
                "bash",
                "-c",
                ENTER,
                "container",
                root,
                data,
                System.getProperty("java.home"),
                temporary(service)));
        words.addAll(asItsUser(environment));
        words.addAll(image.last("ENTRYPOINT").words());
        words.addAll(image.all("CMD").isEmpty() ? List.of() : image.last("CMD").words());
        process = Command.of(words.toArray())
                .environment("IDS", user())
                .start(directory, new ProcessBuilder().redirectErrorStream(true).redirectOutput(log().toFile()));
    }

    /** The stages that are thrown away stand for what the build has made here. */
    private void copy(String rest) throws IOException {
        String[] words = rest.split("\\s+", -1);
        String from = words.length == 3 ? words[0] : "";
        String source = words[words.length - 2];
        Path there =
                switch (from) {
                    case "--from=build" -> directory.resolve(source.substring(1));
                    case "--from=trained" -> made(TARGET.resolve(Path.of(source).getFileName()));
                    case "" -> Compose.DOCKER.resolveSibling(source);
                    default -> throw new IllegalStateException("This test does not know what is in COPY " + rest + ".");
                };
        String to = words[words.length - 1];
        Path target = root.resolve(to.substring(1));
        Files.createDirectories(to.endsWith("/") ? target : target.resolveSibling(""));
        Command.of("cp", "-rp", source.endsWith("/") ? there + "/." : there, target)
                .run(directory);
    }

    private static Path made(Path cache) {
        if (Files.exists(cache)) return cache;
        throw new IllegalStateException("There is no %s: make it with scripts/aot.".formatted(cache));
    }

    /** Numbers, as uid:gid. */
    String user() {
        return image.last("USER").rest();
    }

    private static String temporary(Compose.Service service) {
        return service.list("tmpfs").stream()
                .filter(each -> each.startsWith("/tmp:"))
                .map(each -> each.substring("/tmp:".length()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The service has no tmpfs /tmp."));
    }

    private List<String> asItsUser(Map<String, String> environment) {
        String[] ids = user().split(":", -1);
        List<String> words = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + ids[0],
                "--regid=" + ids[1],
                "--clear-groups",
                "--bounding-set=-all",
                "--inh-caps=-all",
                "--no-new-privs",
                "--pdeathsig",
                "KILL",
                "--",
                "env",
                "-i",
                "-C",
                image.last("WORKDIR").rest(),
                "PATH=/opt/java/openjdk/bin:/usr/local/bin:/usr/bin"));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        return words;
    }

    /** Whether a command that is run inside, as an engine runs its health check, ends with 0. */
    boolean succeeds(List<String> command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                "nsenter", "--target", Long.toString(process.pid()), "--mount", "--net", "--root", "--wd=/", "--"));
        words.addAll(asItsUser(image.environment()));
        words.addAll(command);
        return Command.of(words.toArray())
                        .start(
                                directory,
                                new ProcessBuilder()
                                        .redirectErrorStream(true)
                                        .redirectOutput(ProcessBuilder.Redirect.DISCARD))
                        .onExit()
                        .join()
                        .exitValue()
                == 0;
    }

    Process process() {
        return process;
    }

    String said() throws IOException {
        return Files.readString(log(), UTF_8);
    }

    /** The files that it has mapped into its memory. */
    Stream<String> mapped() throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "maps"), UTF_8)
                .lines()
                .map(line -> line.replaceFirst("^[^/]*", ""));
    }

    String status() throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "status"), UTF_8);
    }

    Path data() {
        return data;
    }

    private Path log() {
        return directory.resolve("log");
    }

    /** What was mounted went with the process. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
        ServerProcess.delete(directory);
    }
}
