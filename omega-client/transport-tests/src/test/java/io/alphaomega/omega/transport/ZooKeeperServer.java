package io.alphaomega.omega.transport;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** ZooKeeper by its jar, in a process of its own on a free port of this machine. What it was told survives a restart. */
final class ZooKeeperServer implements AutoCloseable {
    private final ServerProcess process;
    private final int port;

    private ZooKeeperServer(ServerProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** A new server, running. */
    static ZooKeeperServer start() {
        Path directory = ServerProcess.newDirectory("zookeeper");
        int port = ServerProcess.freePort();
        Command server = Command.of(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.admin.enableServer=false",
                "-Dlogback.configurationFile=servers/logback.xml",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                QuorumPeerMain.class.getName(),
                configuration(directory, port));
        ZooKeeperServer started =
                new ZooKeeperServer(new ServerProcess(directory, server, ServerProcess.listening(port)), port);
        started.process.start();
        return started;
    }

    private static Path configuration(Path directory, int port) {
        try {
            return Files.writeString(directory.resolve("zoo.cfg"), """
                    dataDir=%s
                    clientPortAddress=127.0.0.1
                    clientPort=%d
                    """.formatted(directory.resolve("data"), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ServerProcess process() {
        return process;
    }

    /** As clients are told it. */
    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.close();
    }
}
