package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.alphaomega.repository.servers.Certificate;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.saga.TestNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two alphas that know nothing but where Kubernetes is. The test is Kubernetes, as far as they see it: the files of a
 * service account, and the list of pods of its API, over TLS.
 */
class KubernetesDiscoveryTest {
    private static final List<String> PODS = List.of("127.0.0.2", "127.0.0.3");
    private static final String TOKEN = "token-of-the-service-account";

    @TempDir
    private Path directory;

    private final RedisServer redis = RedisServer.start();
    private final int discoveryPort = TestNode.freePort();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("NullAway.Init") // Before each.
    private HttpsServer api;

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        Certificate certificate = Certificate.of(directory, "ca");
        api = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        api.setHttpsConfigurator(new HttpsConfigurator(certificate.keys()));
        api.createContext("/", this::answer);
        api.start();
        Files.writeString(directory.resolve("token"), TOKEN);
        Files.writeString(directory.resolve("namespace"), "shop");
    }

    @AfterEach
    void stop() {
        api.stop(0);
        redis.close();
    }

    @Test
    void pods_of_one_label_become_one_cluster() {
        try (AlphaProcess one = pod(PODS.getFirst());
                AlphaProcess two = pod(PODS.getLast())) {
            one.awaitReady();
            two.awaitReady();
            await().untilAsserted(() ->
                    assertThat(one.get("/api/v1/nodes").body()).contains(PODS).containsPattern("\"UP\".*\"UP\""));
            assertThat(asked)
                    .allMatch(
                            "Bearer %s /api/v1/namespaces/shop/pods?labelSelector=app=coordinator".formatted(TOKEN)
                                    ::equals);
        }
    }

    private AlphaProcess pod(String address) {
        String account = List.of("api-ca-path=ca.crt", "api-token-path=token", "pod-namespace-path=namespace").stream()
                .map(file -> file.split("=", 2))
                .map(file -> "-Dakka.discovery.kubernetes-api.%s=%s".formatted(file[0], directory.resolve(file[1])))
                .collect(Collectors.joining(" "));
        return AlphaProcess.start(
                directory,
                Map.of(
                        "KUBERNETES_SERVICE_HOST",
                        "127.0.0.1",
                        "KUBERNETES_SERVICE_PORT",
                        Integer.toString(api.getAddress().getPort()),
                        "JAVA_TOOL_OPTIONS",
                        account),
                "--alpha.repository.type=redis",
                "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis.port(),
                "--alpha.cluster.host=" + address,
                "--alpha.cluster.discovery.method=kubernetes-api",
                "--alpha.cluster.discovery.service=coordinator",
                "--alpha.cluster.discovery.port=" + discoveryPort);
    }

    private void answer(HttpExchange exchange) throws IOException {
        URI uri = exchange.getRequestURI();
        asked.add(exchange.getRequestHeaders().getFirst("Authorization") + " " + uri.getPath() + "?" + uri.getQuery());
        byte[] pods = PODS.stream()
                .map("""
                        {"metadata": {"name": "alpha"},
                         "spec": {"containers": [{"name": "alpha", "ports": [{"name": "grpc", "containerPort": 8080}]}]},
                         "status": {"podIP": "%s", "phase": "Running"}}
                        """::formatted)
                .collect(Collectors.joining(",", "{\"items\": [", "]}"))
                .getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, pods.length);
            exchange.getResponseBody().write(pods);
        }
    }
}
