package io.alphaomega.benchmark.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of one of our images, just those that docker/Dockerfile puts there, from the build of the checkout, and who its
 * user and the services of docker/compose.yaml are.
 */
final class Image implements AutoCloseable {
    private static final Path TARGET = Path.of(System.getProperty("alpha.target"));

    private final Path directory = ServerProcess.newDirectory("image").toAbsolutePath();
    private final Dockerfile file;

    /**
     * Lays it out.
     *
     * @param name of its stage, and of what docker/layout makes
     */
    Image(String name) throws IOException {
        file = Dockerfile.read(Compose.DOCKER.resolve("Dockerfile"), name);
        Command.of(Compose.DOCKER.resolve("layout"), directory.resolve("layout"), name)
                .environment("JAVA_HOME", System.getProperty("java.home"))
                .run(Path.of("").toAbsolutePath());
        for (Dockerfile.Instruction copy : file.all("COPY")) copy(copy.rest());
        nameUsersAndHosts();
    }

    private void nameUsersAndHosts() throws IOException {
        Path etc = Files.createDirectories(root().resolve("etc"));
        Files.writeString(etc.resolve("passwd"), "alpha:x:%s::/data:/usr/sbin/nologin\n".formatted(user()), UTF_8);
        Files.writeString(etc.resolve("nsswitch.conf"), "hosts: files\n", UTF_8);
        String names = String.join(" ", Compose.read().services().keySet());
        Files.writeString(etc.resolve("hosts"), "127.0.0.1 localhost %s\n".formatted(names), UTF_8);
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
        Path target = root().resolve(to.substring(1));
        Files.createDirectories(to.endsWith("/") ? target : target.resolveSibling(""));
        Command.of("cp", "-rp", source.endsWith("/") ? there + "/." : there, target)
                .run(directory);
    }

    private static Path made(Path cache) {
        if (Files.exists(cache)) return cache;
        throw new IllegalStateException("There is no %s: make it with scripts/aot.".formatted(cache));
    }

    Dockerfile file() {
        return file;
    }

    Path root() {
        return directory.resolve("root");
    }

    /** Numbers, as uid:gid. */
    String user() {
        return file.last("USER").rest();
    }

    String workingDirectory() {
        return file.all("WORKDIR").isEmpty() ? "/" : file.last("WORKDIR").rest();
    }

    /** What a container runs: that of the service, as far as it has its own; an entry point of its own drops the image's command. */
    List<String> command(Compose.Service service) {
        List<String> words = new ArrayList<>(service.list("entrypoint"));
        boolean own = !words.isEmpty();
        if (!own) words.addAll(file.last("ENTRYPOINT").words());
        if (!service.list("command").isEmpty()) words.addAll(service.list("command"));
        else if (!own && !file.all("CMD").isEmpty())
            words.addAll(file.last("CMD").words());
        return words;
    }

    @Override
    public void close() {
        ServerProcess.delete(directory);
    }
}
