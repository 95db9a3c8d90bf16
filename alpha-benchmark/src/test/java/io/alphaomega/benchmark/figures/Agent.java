package io.alphaomega.benchmark.figures;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;

/** A generator that waits to be told what to do: {@code scripts/alpha-benchmark agent}, on a port that was free. */
final class Agent implements AutoCloseable {
    private final int port = ServerProcess.freePort();
    private final ServerProcess process;

    Agent(Path checkout) {
        Command command = Command.of(checkout.resolve("scripts/alpha-benchmark"), "agent", "--listen", address());
        process = new ServerProcess(ServerProcess.newDirectory("agent"), command, this::listens).start();
    }

    private boolean listens() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.close();
    }
}
