package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The command {@code run} as a process, against an alpha with the embedded store: its files, output and exit codes. */
@Tag("processes")
class RunReportTest {
    private static final int GRPC = ServerProcess.freePort();
    private static final int HTTP = ServerProcess.freePort();

    @TempDir
    static Path store;

    @TempDir
    Path directory;

    private static ServerProcess alpha;

    private record Ended(int code, String out, String err) {}

    @BeforeAll
    static void start() {
        alpha = new ServerProcess(
                        ServerProcess.newDirectory("alpha"),
                        AlphaCommand.built()
                                .with(
                                        "--server.port=" + HTTP,
                                        "--alpha.grpc.port=" + GRPC,
                                        "--alpha.cluster.port=" + ServerProcess.freePort(),
                                        "--alpha.repository.embedded.directory=" + store),
                        RunReportTest::isReady)
                .start();
    }

    @AfterAll
    static void stop() {
        alpha.close();
    }

    @Test
    void a_run_writes_what_it_is_asked_for_and_reads_what_alpha_used() throws Exception {
        Ended ended = run(
                "-n",
                "400",
                "-c",
                "20",
                "--abort-ratio",
                "0.25",
                "--label",
                "a run",
                "--threshold",
                "sagas.failed<=0",
                "--json",
                "r.json",
                "--html",
                "r.html",
                "--csv",
                "r.csv",
                "--hdr",
                "r.hlog");
        assertThat(ended.code()).as(ended.toString()).isZero();
        assertThat(ended.out()).startsWith("a run\n").contains("400 started", "Verified", "Written: ");
        assertThat(Stream.of("r.json", "r.html", "r.csv", "r.hlog").map(directory::resolve))
                .allMatch(Files::isRegularFile);

        JsonNode report = Report.JSON.readTree(directory.resolve("r.json"));
        assertThat(report.at("/sagas/committed").asInt()
                        + report.at("/sagas/compensated").asInt())
                .isEqualTo(400);
        assertThat(report.at("/sagas/compensated").asInt()).isPositive();
        assertThat(report.at("/ackMillis/p50").asDouble())
                .isPositive()
                .isLessThan(report.at("/sagaMillis/p50").asDouble());
        assertThat(report.at("/cpu/alphaMillisPerSaga").asDouble()).isPositive();
        assertThat(report.at("/cpu/storeMillisPerSaga").asDouble(-1)).isZero();
        assertThat(report.at("/cpu/generatorMillisPerSaga").asDouble()).isPositive();
        assertThat(report.at("/verified").asBoolean()).isTrue();
        assertThat(report.at("/setup/alphas/0/settings").asString()).contains("synchronous=FULL");
        assertThat(report.at("/setup/alphas/0/jvmOptions").toString()).contains("-Xmx256m");
        assertThat(report.at("/setup/command").asString()).startsWith("alpha-benchmark run --address 127.0.0.1:");
    }

    @Test
    void a_missed_threshold_is_2_and_what_cannot_be_written_or_is_no_threshold_is_1_before_anything_is_run()
            throws Exception {
        Ended missed = run("-n", "20", "-c", "5", "--threshold", "throughput>1e9");
        assertThat(missed.code()).as(missed.toString()).isEqualTo(2);
        assertThat(missed.out()).contains("Threshold MISSED: throughput > 1000000000: found ");

        Ended unwritable = run("-n", "20", "--json", "missing/r.json");
        assertThat(unwritable.code()).isEqualTo(1);
        assertThat(unwritable.out()).isEmpty();
        assertThat(unwritable.err().lines())
                .singleElement()
                .asString()
                .startsWith("--json must be a file that can be written, but is missing/r.json: there is no directory")
                .endsWith("Nothing was run.");

        Ended unknown = run("-n", "20", "--threshold", "speed>1");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).startsWith("--threshold knows no figure 'speed'; it knows seconds, throughput,");
    }

    private Ended run(String... options) throws IOException, InterruptedException {
        List<Object> arguments = new ArrayList<>(List.of(
                "-jar",
                Path.of(System.getProperty("benchmark.target"), "alpha-benchmark.jar")
                        .toAbsolutePath(),
                "run",
                "--address",
                "127.0.0.1:" + GRPC,
                "--http",
                "127.0.0.1:" + HTTP));
        arguments.addAll(List.of(options));
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(java(arguments.toArray()).words())
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("ended in time")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    }

    private static boolean isReady() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + HTTP + "/actuator/health/readiness");
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        }
    }

    private static Command java(Object... arguments) {
        return Command.of(
                        Path.of(System.getProperty("java.home"), "bin", "java"),
                        "--sun-misc-unsafe-memory-access=allow",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-Dstdout.encoding=UTF-8")
                .with(arguments);
    }
}
