package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.http.Events;
import io.alphaomega.server.process.Stop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Alpha as a process: how it starts, refuses to start, and stops. */
class AlphaServerTest {
    private static final Duration REFUSED_WITHIN = AlphaProcess.READY_WITHIN;

    @TempDir
    Path directory;

    @Test
    void it_says_when_it_serves_and_ends_with_0_on_SIGTERM() {
        long started = System.nanoTime();
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            System.out.printf("alpha was ready after %d ms%n", (System.nanoTime() - started) / 1_000_000);
            assertThat(alpha.out().lines().filter(line -> line.startsWith("alpha ready: ")))
                    .singleElement()
                    .asString()
                    .endsWith("repository embedded in " + directory.resolve("data"));
            assertThat(alpha.out()).contains("durability  POWER_LOSS");
            assertThat(alpha.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
            for (String group : List.of("readiness", "balancer")) {
                assertThat(alpha.get("/actuator/health/" + group).body()).contains("\"shards\":{\"status\":\"UP\"}");
            }
            await().untilAsserted(() -> assertThat(
                            alpha.get("/actuator/prometheus").body().lines())
                    .as("no saga was there")
                    .contains("alpha_shards 100.0"));
            assertThat(alpha.get("/actuator/health/liveness").body())
                    .contains("\"status\":\"UP\"")
                    .doesNotContain("repository");
            assertThat(alpha.get("/actuator/info").body())
                    .contains("POWER_LOSS", "payloadBytes", "\"jvmOptions\":[\"-X", "residentBytes");
            assertThat(alpha.get("/actuator/prometheus").body()).contains("alpha_");
            await().untilAsserted(() -> assertThat(alpha.get("/api/v1/nodes").body())
                    .contains("\"status\":\"UP\",\"roles\":[],\"reachable\":true,\"self\":true,\"oldest\":true,")
                    .contains("\"report\":{\"version\":", "\"sagas\":0", "\"streams\":0"));
            assertThat(alpha.get("/actuator/env").statusCode()).isEqualTo(404);
            assertThat(alpha.err()).isEmpty();

            try (Events watched = new Events(alpha.open("/api/v1/changes"))) {
                assertThat(watched.next().orElseThrow().name()).isEqualTo("overview");
                alpha.terminate();
                Events.Event last = Stream.generate(watched::next)
                        .takeWhile(Optional::isPresent)
                        .flatMap(Optional::stream)
                        .reduce((before, next) -> next)
                        .orElseThrow();
                assertThat(last.data())
                        .as("a stop ends streams before it waits for requests")
                        .contains("NODE_STOPS");
            }
            assertThat(alpha.exitCode(Stop.WITHIN)).isZero();
            assertThat(alpha.out())
                    .as("other nodes leave the cluster, not those that stay when this one leaves")
                    .doesNotContain("has left the cluster");
        }
    }

    @Test
    @Tag("long")
    void it_ends_with_0_on_SIGTERM_while_it_waits_for_a_cluster_that_is_not_there() throws IOException {
        int port = ServerProcess.freePort();
        try (RedisServer redis = RedisServer.start();
                AlphaProcess alpha = AlphaProcess.start(
                        directory,
                        "--alpha.repository.type=redis",
                        "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis.port(),
                        "--alpha.cluster.port=" + port,
                        "--alpha.cluster.seed-nodes=127.0.0.1:" + ServerProcess.freePort())) {
            await().atMost(REFUSED_WITHIN).until(() -> isOpen(port));

            assertThat(alpha.terminate().exitCode(Stop.WITHIN)).isZero();
            assertThat(alpha.err()).isEmpty();
        }
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void a_port_in_use_is_named_and_the_start_refused() throws IOException {
        refusesPortInUse("alpha.grpc.port");
    }

    @ParameterizedTest
    @ValueSource(strings = {"server.port", "alpha.cluster.port"})
    @Tag("long")
    void each_other_port_in_use_is_named_too(String property) throws IOException {
        refusesPortInUse(property);
    }

    private void refusesPortInUse(String property) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                AlphaProcess alpha = AlphaProcess.start(directory, "--" + property + "=" + taken.getLocalPort())) {
            assertThat(alpha.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(onlyLine(alpha.err()))
                    .startsWith("alpha cannot start: ")
                    .contains(Integer.toString(taken.getLocalPort()), property);
        }
    }

    @Test
    void a_property_that_makes_no_sense_is_named_and_the_start_refused() {
        refuses("--alpha.grpc.prot=1", "alpha.grpc.prot is not a property of alpha; did you mean alpha.grpc.port?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--alpha.repository.type=mongo|alpha.repository.type must be embedded or redis or",
                "--alpha.saga.timeout=soon|alpha.saga.timeout must be a duration such as 500ms, 30s, 5m or 24h but was"
                        + " 'soon'.",
                "--alpha.grpc.port=http|alpha.grpc.port must be a whole number but was 'http'.",
                "--alpha.grpc.ssl.bundle=omegas|alpha.grpc.ssl.bundle must be a bundle under spring.ssl.bundle, such"
                        + " as",
                "--alpha.rehearsal.share=0.5|alpha.rehearsal.share must be 0 unless a Spring profile is active",
                "--alpha.saga.timeout=0s|alpha.saga.timeout must be more than 0 and at most 30d but was '0s'.",
            })
    @Tag("long")
    void each_other_property_that_makes_no_sense_is_named_too(String argument, String sentence) {
        refuses(argument, sentence);
    }

    private void refuses(String argument, String sentence) {
        try (AlphaProcess alpha = AlphaProcess.start(directory, argument)) {
            assertThat(alpha.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(onlyLine(alpha.err())).startsWith("alpha cannot start: " + sentence);
            assertThat(alpha.out()).doesNotContain("Exception");
        }
    }

    @Test
    void an_environment_variable_that_makes_no_sense_is_named_and_the_start_refused() {
        try (AlphaProcess alpha = AlphaProcess.start(directory, Map.of("ALPHA_GRPC_HOTS", "::1"))) {
            assertThat(alpha.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(onlyLine(alpha.err())).contains("ALPHA_GRPC_HOTS", "did you mean ALPHA_GRPC_HOST?");
        }
    }

    /** Where no script sees to another locale. */
    @Test
    void what_an_ascii_locale_makes_of_a_directory_is_named_and_the_start_refused() {
        try (AlphaProcess alpha =
                AlphaProcess.start(directory, Map.of("LC_ALL", "C"), "--alpha.repository.embedded.directory=Säcke")) {
            assertThat(alpha.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(onlyLine(alpha.err()))
                    .startsWith("alpha cannot start: What alpha.repository.embedded.directory says is not ASCII")
                    .contains("start alpha with LC_ALL=C.UTF-8");
        }
    }

    @Test
    void a_file_that_an_ascii_locale_cannot_name_is_refused_wherever_it_is_said() throws IOException {
        String property = "alpha.repository.redis.ca-certificate";
        Path configuration = Files.writeString(directory.resolve("alpha.yml"), property + ": Säcke\n");
        try (AlphaProcess alpha =
                AlphaProcess.start(directory, Map.of("LC_ALL", "C"), "--spring.config.location=" + configuration)) {
            assertThat(alpha.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(onlyLine(alpha.err())).startsWith("alpha cannot start: " + property + " is 'S");
        }
    }

    @Test
    void what_kubernetes_says_of_a_service_is_no_port() {
        Map<String, String> links = Map.of(
                "ALPHA_CLUSTER_DISCOVERY_PORT", "tcp://10.96.0.7:8558",
                "ALPHA_CLUSTER_DISCOVERY_SERVICE_HOST", "10.96.0.7",
                "ALPHA_PORT_8071_TCP_PROTO", "tcp",
                "SERVER_PORT", "tcp://10.96.0.8:80");
        try (AlphaProcess alpha = AlphaProcess.start(directory, links).awaitReady()) {
            assertThat(alpha.out())
                    .contains("Ignoring ALPHA_CLUSTER_DISCOVERY_PORT=tcp://10.96.0.7:8558: Kubernetes says it of a"
                            + " service")
                    .contains("Ignoring SERVER_PORT=tcp://10.96.0.8:80");
        }
    }

    @Test
    void a_second_process_on_the_same_directory_is_refused_and_the_first_goes_on() {
        try (AlphaProcess first = AlphaProcess.start(directory).awaitReady();
                AlphaProcess second = AlphaProcess.start(directory)) {
            assertThat(second.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(onlyLine(second.err()))
                    .startsWith("alpha cannot start: ")
                    .contains(directory.resolve("data").toString());
            assertThat(first.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_damaged_store_is_named_and_the_start_refused() throws IOException {
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            alpha.terminate().exitCode(Stop.WITHIN);
        }
        try (var files = Files.list(directory.resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.writeString(file, "This was a store once. ".repeat(1_000), UTF_8);
            }
        }

        try (AlphaProcess alpha = AlphaProcess.start(directory)) {
            assertThat(alpha.exitCode(REFUSED_WITHIN)).isEqualTo(1);
            assertThat(onlyLine(alpha.err()))
                    .startsWith("alpha cannot start: ")
                    .contains(directory.resolve("data").toString());
        }
    }

    private static String onlyLine(String text) {
        assertThat(text.lines()).as(text).hasSize(1);
        return text.strip();
    }
}
