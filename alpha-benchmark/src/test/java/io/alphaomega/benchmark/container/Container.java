package io.alphaomega.benchmark.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An image, run as an engine would: its files are read-only but for /data and /tmp; it has its own network, or that of
 * another container, its user and no capabilities. Java and the system's programs are this machine's. Takes root.
 */
final class Container implements AutoCloseable {
    /** Arguments: the root, /data, the JDK, the options of /tmp. Then what to run in it. */
    private static final String ENTER = """
        set -e
        root="$1" data="$2" java="$3" tmp="$4"
        shift 4
        ip link set lo up
        mount --make-rprivate /
        mount --bind "$root" "$root"
        cd "$root"
        mkdir -p data dev opt/java/openjdk proc tmp usr/bin usr/lib usr/lib64
        ln -sfn usr/bin bin; ln -sfn usr/lib lib; ln -sfn usr/lib64 lib64
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
    private final Path data = directory.resolve("data");
    private final Image image;
    private final Process process;

    /** Starts it in a network of its own. */
    Container(Image image, Compose.Service service) throws IOException {
        this(image, service, null);
    }

    /**
     * Starts it.
     *
     * @param beside whose network it shares, if anybody's; there each service has its name, as in one of compose.yaml
     */
    Container(Image image, Compose.Service service, @Nullable Container beside) throws IOException {
        this.image = image;
        Files.createDirectories(data);
        Command.of("chown", image.user(), data).run(directory);
        List<Object> words = new ArrayList<>();
        if (beside == null) words.addAll(List.of("unshare", "--net", "--"));
        else words.addAll(List.of("nsenter", "--net=/proc/%d/ns/net".formatted(beside.process.pid()), "--"));
        words.addAll(List.of(
                "unshare",
                "--mount",
                "--",
                "bash",
                "-c",
                ENTER,
                "container",
                image.root(),
                data,
                System.getProperty("java.home"),
                temporary(service)));
        Map<String, String> environment = new TreeMap<>(image.file().environment());
        environment.putAll(service.map("environment"));
        words.addAll(asItsUser(environment));
        words.addAll(image.command(service));
        process = Command.of(words.toArray())
                .start(directory, new ProcessBuilder().redirectErrorStream(true).redirectOutput(log().toFile()));
    }

    private static String temporary(Compose.Service service) {
        return service.list("tmpfs").stream()
                .filter(each -> each.startsWith("/tmp:"))
                .map(each -> each.substring("/tmp:".length()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The service has no tmpfs /tmp."));
    }

    private List<String> asItsUser(Map<String, String> environment) {
        String[] ids = image.user().split(":", -1);
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
                image.workingDirectory(),
                "PATH=/opt/java/openjdk/bin:/usr/local/bin:/usr/bin"));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        return words;
    }

    /** Whether a command that is run inside, as an engine runs its health check, ends with 0. */
    boolean succeeds(List<String> command) throws IOException {
        return inside(command)
                        .start(
                                directory,
                                new ProcessBuilder().redirectErrorStream(true).redirectOutput(Redirect.DISCARD))
                        .onExit()
                        .join()
                        .exitValue()
                == 0;
    }

    /** What a command that is run inside says. */
    String run(String... command) throws IOException {
        return inside(List.of(command)).run(directory);
    }

    private Command inside(List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                "nsenter", "--target", Long.toString(process.pid()), "--mount", "--net", "--root", "--wd=/", "--"));
        words.addAll(asItsUser(image.file().environment()));
        words.addAll(command);
        return Command.of(words.toArray());
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
