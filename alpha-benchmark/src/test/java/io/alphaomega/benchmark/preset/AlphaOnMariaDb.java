package io.alphaomega.benchmark.preset;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A MariaDB, and an alpha that keeps its sagas in it, each a process. */
final class AlphaOnMariaDb implements AutoCloseable {
    private static final int OK = 200;

    private final MariaDbServer database = MariaDbServer.start();
    private final int grpc = ServerProcess.freePort();
    private final int http = ServerProcess.freePort();
    private final ServerProcess alpha;

    AlphaOnMariaDb() {
        Command command = AlphaCommand.built()
                .with(
                        "--server.port=" + http,
                        "--alpha.grpc.port=" + grpc,
                        "--alpha.cluster.port=" + ServerProcess.freePort(),
                        "--alpha.repository.type=mysql",
                        "--alpha.repository.jdbc.url=" + database.url(),
                        "--alpha.repository.jdbc.username=" + DatabaseServer.USER,
                        "--alpha.repository.jdbc.password=" + DatabaseServer.PASSWORD);
        alpha = new ServerProcess(ServerProcess.newDirectory("alpha"), command, () -> isReady(http)).start();
    }

    private static boolean isReady(int http) throws Exception {
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

    DatabaseServer database() {
        return database;
    }

    @Override
    public void close() {
        alpha.close();
        database.close();
    }
}
