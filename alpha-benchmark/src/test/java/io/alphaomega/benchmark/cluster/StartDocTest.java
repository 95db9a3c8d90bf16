package io.alphaomega.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A stranger's first two services, word for word as docs/start.md has them, but for the ports: published, built and run from
 * an empty directory, with an empty local repository of Maven.
 */
@Tag("processes")
@Tag("long")
final class StartDocTest {
    private static final Pattern FILE = Pattern.compile("\\*\\*`([^`]+)`\\*\\*\n\n```\\w+\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CONSOLE = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);

    /** Of a service whose own BOM has others than Spring Boot's: the oldest protobuf that gRPC takes, and an older Netty. */
    private static final String PINNED = " -Dprotobuf-java.version=3.25.9 -Dnetty.version=4.2.9.Final";

    private final Path directory = ServerProcess.newDirectory("start");
    private final Path first = directory.resolve("first");
    private final Path root = ClusterScript.script("alpha").resolve("../..").normalize();

    /** What the page says are others', since these may be taken. */
    private final Map<String, Integer> ports = Map.of(
            "8071", ServerProcess.freePort(),
            "8081", ServerProcess.freePort(),
            "8082", ServerProcess.freePort());

    @AfterEach
    void delete() {
        ServerProcess.delete(directory);
    }

    @Test
    void the_page_says_all_that_a_stranger_needs() throws Exception {
        String page = page();
        Command.of("git", "clone", "-q", root, directory.resolve("alpha")).run(root);
        Files.createDirectories(first);
        List<String> commands = COMMANDS.matcher(page)
                .results()
                .flatMap(block -> block.group(1).lines())
                .toList();
        shell(commands.get(0)).run(first);
        assertPublished();
        for (MatchResult file : FILE.matcher(page).results().toList()) {
            Path path = first.resolve(file.group(1));
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.group(2));
        }
        shell(commands.get(1)).run(first);
        String console =
                CONSOLE.matcher(page).results().findFirst().orElseThrow().group(1);
        try (ServerProcess alpha = alpha(commands.get(2))) {
            assertThat(alpha.isRunning()).isTrue();
            book(commands.get(3), commands.get(4), console);
            requireClassPath(PINNED, "protobuf-java-3.25.9.jar", "netty-common-4.2.9.Final.jar");
            book(commands.get(3) + PINNED, commands.get(4) + PINNED, console);
        }
    }

    private void book(String carsLine, String tripsLine, String console) {
        try (ServerProcess cars = service(carsLine, "8082");
                ServerProcess trips = service(tripsLine, "8081")) {
            List<String> lines = console.lines().toList();
            for (int i = 0; i < lines.size(); i += 2) {
                Command asked = shell(lines.get(i).substring("$ ".length()));
                String answer = lines.get(i + 1);
                await().atMost(Patience.LIMIT)
                        .untilAsserted(() -> assertThat(asked.run(first)).isEqualTo(answer));
            }
            // Maven stops what it has started when it is stopped, not when it is killed.
            trips.stop();
            cars.stop();
        }
    }

    private void requireClassPath(String options, String... jars) throws IOException {
        Path classPath = first.resolve("classpath");
        shell("mvn -q dependency:build-classpath -Dmdep.outputFile=" + classPath + options)
                .run(first);
        assertThat(Files.readString(classPath)).contains(jars);
    }

    private String page() throws IOException {
        String whole = Files.readString(root.resolve("docs/start.md"));
        String page = whole.substring(whole.indexOf("## Your first two"), whole.indexOf("## Several alphas"));
        for (Map.Entry<String, Integer> port : ports.entrySet()) {
            page = page.replace(port.getKey(), port.getValue().toString());
        }
        return page;
    }

    private Command shell(String line) {
        return Command.of("bash", "-c", line)
                .environment("JAVA_HOME", System.getProperty("java.home"))
                .environment("MAVEN_OPTS", "-Dmaven.repo.local=" + directory.resolve("m2"));
    }

    /** Each with sources, Javadoc and a pom that needs no other, and nothing besides. */
    private void assertPublished() throws IOException {
        Path published = first.resolve("repository/io/alphaomega");
        try (Stream<Path> artifacts = Files.list(published)) {
            assertThat(artifacts.map(artifact -> artifact.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "alpha-protocol",
                            "alpha-saga",
                            "alpha-wire",
                            "omega-bom",
                            "omega-spring-boot-starter",
                            "omega-spring-boot-3-starter",
                            "omega-spring-boot-starter-test",
                            "omega-spring-boot-3-starter-test");
        }
        try (Stream<Path> all = Files.walk(published)) {
            List<Path> files = all.filter(Files::isRegularFile).toList();
            assertThat(files.stream().filter(file -> file.toString().endsWith(".pom")))
                    .hasSize(8)
                    .allSatisfy(pom -> assertThat(Files.readString(pom))
                            .contains(
                                    "<name>",
                                    "<description>",
                                    "<license>",
                                    "<url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>")
                            .doesNotContain("<parent>"));
            for (String kind : List.of("1.jar", "-sources.jar", "-javadoc.jar")) {
                assertThat(files.stream().filter(file -> file.toString().endsWith(kind)))
                        .as(kind)
                        .hasSize(7);
            }
        }
    }

    private ServerProcess alpha(String line) {
        int http = ServerProcess.freePort();
        String own = " --server.port=%d --alpha.grpc.port=%d --alpha.cluster.port=%d"
                .formatted(http, ports.get("8071"), ServerProcess.freePort());
        Command command = inFirst(line + own)
                .environment(
                        "ALPHA_JAR",
                        Path.of(System.getProperty("alpha.target"), "alpha-server.jar")
                                .toAbsolutePath()
                                .toString());
        return new ServerProcess(ServerProcess.newDirectory("alpha"), command, ServerProcess.listening(http)).start();
    }

    private ServerProcess service(String line, String port) {
        int listens = Objects.requireNonNull(ports.get(port));
        Path own = ServerProcess.newDirectory("service");
        return new ServerProcess(own, inFirst(line), ServerProcess.listening(listens)).start();
    }

    private Command inFirst(String line) {
        return shell("cd '" + first + "' && exec " + line);
    }
}
