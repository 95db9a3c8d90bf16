package io.alphaomega.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code scripts/alpha}, {@code scripts/alphactl} and {@code scripts/alpha-benchmark} as cron and containers call them: by a
 * link, in an environment that has little and whose locale has ASCII only, from a directory that is not ASCII. What they need
 * was built with alpha: a Maven that fails is first on the path.
 */
@Tag("processes")
final class ScriptsTest {
    private final Path root = ServerProcess.newDirectory("scripts");
    private final Path work = root.resolve("Wörter und mehr");
    private final int http = ServerProcess.freePort();
    private final int grpc = ServerProcess.freePort();

    @BeforeEach
    void link() throws IOException {
        Files.createDirectories(work);
        for (String script : List.of("alpha", "alphactl", "alpha-benchmark")) {
            Files.createSymbolicLink(work.resolve(script), ClusterScript.script(script));
        }
        Path maven = Files.createDirectories(root.resolve("path")).resolve("mvn");
        Files.writeString(maven, "#!/bin/sh\necho 'Maven was called.' >&2\nexit 1\n");
        Files.writeString(root.resolve("hosts"), "127.0.0.1 stack_alpha localhost\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
    }

    @AfterEach
    void delete() {
        ServerProcess.delete(root);
    }

    @Test
    void a_directory_and_names_beyond_ascii_are_what_was_said() throws IOException {
        try (ServerProcess alpha = alpha().start()) {
            assertThat(work.resolve("Säcke")).isDirectory();
            assertThat(alpha.log()).content().doesNotContain("Exception");
            String server = "http://127.0.0.1:" + http;

            call(
                    "alphactl",
                    "bulk",
                    "retry",
                    "--for",
                    "SUSPENDED",
                    "--operator",
                    "Jürgen",
                    "--reason",
                    "Müller 17",
                    "-s",
                    server);

            assertThat(call("alphactl", "bulk", "list", "-o", "jsonl", "-s", server))
                    .contains("\"operator\":\"Jürgen\"", "\"reason\":\"Müller 17\"");
            call(
                    "alpha-benchmark",
                    "run",
                    "--address",
                    "127.0.0.1:" + grpc,
                    "--http",
                    "127.0.0.1:" + http,
                    "-n",
                    "20",
                    "--json",
                    "Bericht für Jürgen");
            assertThat(work.resolve("Bericht für Jürgen")).isNotEmptyFile();
        }
    }

    @Test
    void a_host_whose_name_fits_into_no_uri_is_reached() throws IOException {
        try (ServerProcess alpha = alpha().start()) {
            String server = "stack_alpha:" + http;

            assertThat(call("alphactl", "check", "-s", server)).contains("PASS");
            assertThat(call("alpha-benchmark", "run", "--address", "stack_alpha:" + grpc, "--http", server, "-n", "20"))
                    .contains("20 sagas");
            assertThat(alpha.isRunning()).isTrue();
        }
    }

    private ServerProcess alpha() {
        List<Object> words = new ArrayList<>(List.of(
                "--alpha.repository.embedded.directory=Säcke",
                "--server.port=" + http,
                "--alpha.grpc.port=" + grpc,
                "--alpha.cluster.port=" + ServerProcess.freePort()));
        return new ServerProcess(work, script("alpha", words.toArray()), ServerProcess.listening(http));
    }

    private String call(String script, Object... words) throws IOException {
        return script(script, words).run(work);
    }

    private Command script(String name, Object... words) {
        return Command.of(
                        "env",
                        "-i",
                        "PATH=" + root.resolve("path") + ":" + System.getenv("PATH"),
                        "JAVA_HOME=" + System.getProperty("java.home"),
                        "LC_ALL=C",
                        "CDPATH=/:" + root,
                        "JDK_JAVA_OPTIONS=-Djdk.net.hosts.file=" + root.resolve("hosts"),
                        "./" + name)
                .with(words);
    }
}
