package io.alphaomega.server.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.alphaomega.repository.servers.Certificate;
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

/**
 * Kubernetes, as far as a pod that looks for others sees it: the files of its service account in the namespace
 * {@code shop}, and the list of pods of the API, over TLS, for whoever has the account's token.
 */
final class PodApi implements AutoCloseable {
    private static final String TOKEN = "token-of-the-service-account";

    private final HttpsServer server;
    private final Path account;
    private final List<String> pods;
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    private PodApi(HttpsServer server, Path account, List<String> pods) {
        this.server = server;
        this.account = account;
        this.pods = pods;
    }

    /**
     * Serves at once.
     *
     * @param account a directory for the files of the service account
     * @param pods the addresses of those that have any label
     */
    static PodApi start(Path account, List<String> pods) throws IOException, GeneralSecurityException {
        Certificate certificate = Certificate.of(account, "ca");
        Files.writeString(account.resolve("token"), TOKEN);
        Files.writeString(account.resolve("namespace"), "shop");
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.keys()));
        PodApi api = new PodApi(server, account, pods);
        server.createContext("/", api::answer);
        server.start();
        return api;
    }

    /** Of a pod, but for its files: nobody may write where they are in one. */
    Map<String, String> environment() {
        String files = Map.of("api-ca-path", "ca.crt", "api-token-path", "token", "pod-namespace-path", "namespace")
                .entrySet()
                .stream()
                .map(file -> "-Dakka.discovery.kubernetes-api.%s=%s"
                        .formatted(file.getKey(), account.resolve(file.getValue())))
                .collect(Collectors.joining(" "));
        return Map.of(
                "KUBERNETES_SERVICE_HOST",
                server.getAddress().getHostString(),
                "KUBERNETES_SERVICE_PORT",
                Integer.toString(server.getAddress().getPort()),
                "JAVA_TOOL_OPTIONS",
                files);
    }

    /** What the pods have asked for so far, as path and query. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            URI uri = exchange.getRequestURI();
            asked.add(uri.getPath() + "?" + uri.getQuery());
            byte[] list = pods.stream()
                    .map("""
                            {"metadata": {"name": "alpha"},
                             "spec": {"containers": [{"name": "alpha"}]},
                             "status": {"podIP": "%s", "phase": "Running"}}
                            """::formatted)
                    .collect(Collectors.joining(",", "{\"items\": [", "]}"))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, list.length);
            exchange.getResponseBody().write(list);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
