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
    private final int cluster = ServerProcess.freePort();
    private final Command command;
    private final ServerProcess process;

    Node(Path checkout, List<String> arguments) {
        command = Command.of(
                        checkout.resolve("scripts/alpha"),
                        "--server.port=" + http,
                        "--alpha.grpc.port=" + grpc,
                        "--alpha.cluster.port=" + cluster)
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

    String address() {
        return "127.0.0.1:" + grpc;
    }

    String http() {
        return "127.0.0.1:" + http;
    }

    /** Where other nodes find it. */
    String clusterAddress() {
        return "127.0.0.1:" + cluster;
    }

    /** The command that starts it, for a shell. */
    String command() {
        return String.join(" ", command.words());
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
