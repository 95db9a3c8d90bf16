package io.alphaomega.benchmark.agent;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Clock;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A generator that waits to be told what load to make, one at a time. It does what it is told to whomever it is told:
 * so it listens on the loopback interface only, unless there is a token.
 */
final class Agent implements AutoCloseable {
    /** A coordinator has one connection; whoever comes beside it is told so. */
    private static final int CONNECTIONS_MAX = 32;

    /** What an agent is and has. */
    record Settings(String version, AgentToken token, AgentWork work, Clock clock, PrintStream log) {}

    private final ServerSocket listening;
    private final Settings settings;
    private final Semaphore connections = new Semaphore(CONNECTIONS_MAX);
    private final Semaphore load = new Semaphore(1);
    private volatile @Nullable String coordinator;

    private Agent(ServerSocket listening, Settings settings) {
        this.listening = listening;
        this.settings = settings;
    }

    /** Listens from now on; an {@link IllegalArgumentException} says why it may not, an {@link IOException} why it cannot. */
    static Agent listening(AgentAddress at, Settings settings) throws IOException {
        InetSocketAddress address = at.resolved();
        if (settings.token().isNone() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "--listen %s can be reached from other machines, and an agent does what it is told: give it a --token-file, and the coordinator the same."
                            .formatted(at));
        }
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(address);
            return new Agent(socket, settings);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    AgentAddress endpoint() {
        return new AgentAddress(listening.getInetAddress().getHostAddress(), listening.getLocalPort());
    }

    /** Serves coordinators until this is closed. */
    void serve() throws IOException {
        while (!listening.isClosed()) {
            Socket socket;
            try {
                socket = listening.accept();
            } catch (IOException e) {
                if (listening.isClosed()) return;
                throw e;
            }
            if (!connections.tryAcquire()) {
                socket.close();
                continue;
            }
            Thread.ofVirtual().name("coordinator").start(() -> {
                try {
                    serve(socket);
                } finally {
                    connections.release();
                }
            });
        }
    }

    private void serve(Socket socket) {
        try (socket;
                AgentConnection wire = new AgentConnection(socket)) {
            String refused = prepare(wire);
            if (refused != null) {
                settings.log().printf("refused %s: %s%n", wire.peer(), refused);
                wire.write(new FromAgent.Failed(refused));
            }
            wire.finish();
        } catch (IOException e) {
            settings.log().printf("lost a connection: %s%n", e.getMessage());
        }
    }

    /** Returns once the load was made; or why it is not. */
    private @Nullable String prepare(AgentConnection wire) throws IOException {
        String nonce = AgentToken.nonce();
        wire.write(
                new FromAgent.Hello(settings.version(), nonce, !settings.token().isNone()));
        ToAgent first = wire.read(ToAgent.class, AgentConnection.SMALL);
        if (!(first instanceof ToAgent.Prepare prepare)) return "it wants a plan first";
        if (!settings.token().isProved(nonce, prepare.proof())) {
            return "the token is another one than the coordinator's: give both the same --token-file";
        }
        if (!load.tryAcquire()) return "it is busy with the run of " + coordinator;
        try {
            coordinator = wire.peer();
            settings.log().printf("run of %s begins%n", wire.peer());
            String outcome = new AgentRun(wire, settings).make(prepare.plan());
            settings.log().printf("run of %s %s%n", wire.peer(), outcome);
            return null;
        } finally {
            load.release();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
