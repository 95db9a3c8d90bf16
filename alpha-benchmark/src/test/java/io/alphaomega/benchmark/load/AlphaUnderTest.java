package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/** An alpha on the embedded store, as a process that can be killed and started again on the same ports and data. */
final class AlphaUnderTest implements AutoCloseable {
    private static final int OK = 200;

    private final int grpc = ServerProcess.freePort();
    private final int http = ServerProcess.freePort();
    private final Path directory = ServerProcess.newDirectory("alpha");
    private final Command command = AlphaCommand.built()
            .with(
                    "--server.port=" + http,
                    "--alpha.grpc.port=" + grpc,
                    "--alpha.cluster.port=" + ServerProcess.freePort(),
                    "--alpha.saga.start-grace=1s",
                    "--alpha.saga.callback-first-delay=100ms",
                    "--alpha.repository.embedded.directory=" + directory.resolve("data"));
    private ServerProcess process = new ServerProcess(directory, command, this::isReady).start();

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

    /** A plan against it. */
    LoadPlan plan(LoadPlan.Amount amount, LoadPlan.Pace pace, LoadPlan.Shape shape) {
        return new LoadPlan(
                List.of(address()), List.of("127.0.0.1:" + http), amount, pace, shape, new LoadPlan.Wiring(3, 2), 42);
    }

    void kill() {
        process.kill();
    }

    void startAgain() {
        process = new ServerProcess(directory, command, this::isReady).start();
    }

    @Override
    public void close() {
        process.close();
    }
}
