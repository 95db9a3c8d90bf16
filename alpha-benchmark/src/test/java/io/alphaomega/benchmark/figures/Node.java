package io.alphaomega.benchmark.figures;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/** An alpha as {@code scripts/alpha} starts it, on ports that were free. */
final class Node implements AutoCloseable {
    private static final int OK = 200;

    private final int grpc = ServerProcess.freePort();
    private final int http = ServerProcess.freePort();
    private final ServerProcess process;

    Node(Path checkout, List<String> arguments) {
        Command command = Command.of(
                        checkout.resolve("scripts/alpha"),
                        "--server.port=" + http,
                        "--alpha.grpc.port=" + grpc,
                        "--alpha.cluster.port=" + ServerProcess.freePort())
                .with(arguments.toArray());
        process = new ServerProcess(ServerProcess.newDirectory("alpha"), command, this::isReady).start();
    }

    private boolean isReady() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + http + "/actuator/health/readiness");
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == OK;
        }
    }

    /** The options with which the benchmark finds it. */
    List<String> options() {
        return List.of("--address", "127.0.0.1:" + grpc, "--http", "127.0.0.1:" + http);
    }

    void kill() {
        process.kill();
    }

    void startAgain() {
        process.start();
    }

    @Override
    public void close() {
        process.close();
    }
}
