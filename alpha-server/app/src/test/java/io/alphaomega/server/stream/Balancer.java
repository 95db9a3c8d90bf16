package io.alphaomega.server.stream;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Installed;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** HAProxy with the configuration in docker, in front of some alphas. */
final class Balancer implements AutoCloseable {
    private static final Path CONFIGURATION =
            Path.of("../../docker/haproxy.cfg").toAbsolutePath().normalize();

    private final int grpc = ServerProcess.freePort();
    private final int page = ServerProcess.freePort();
    private final ServerProcess process;

    Balancer(Path directory, AlphaProcess... alphas) throws IOException {
        Command haproxy = Command.of(Installed.haproxy(), "-db", "-f", CONFIGURATION)
                .environment("BALANCER_ADDRESS", "127.0.0.1")
                .environment("BALANCER_GRPC_PORT", Integer.toString(grpc))
                .environment("BALANCER_HTTP_PORT", Integer.toString(ServerProcess.freePort()))
                .environment("BALANCER_STATUS", pageAddress());
        for (int i = 0; i < alphas.length; i++) {
            haproxy = haproxy.environment("ALPHA_%d_GRPC".formatted(i + 1), alphas[i].grpcAddress())
                    .environment("ALPHA_%d_HTTP".formatted(i + 1), alphas[i].httpAddress());
        }
        process = new ServerProcess(
                Files.createDirectories(directory.resolve("haproxy")), haproxy, ServerProcess.listening(grpc));
        process.start();
    }

    int grpcPort() {
        return grpc;
    }

    /** Where its own page is. */
    String pageAddress() {
        return "127.0.0.1:" + page;
    }

    @Override
    public void close() {
        process.close();
    }
}
