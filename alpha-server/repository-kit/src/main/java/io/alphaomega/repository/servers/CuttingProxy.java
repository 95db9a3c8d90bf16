package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A network between a client and a server on this machine, for TCP: it passes, is slow, loses answers, is away. What is
 * changed holds for the connections there are and for those to come.
 */
public final class CuttingProxy implements AutoCloseable {
    private static final int BACKLOG = 128;
    private final int serverPort;
    private final int port;
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final LongAdder opened = new LongAdder();
    private final LongAdder requestBytes = new LongAdder();
    private final LongAdder answerBytes = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();

    private @Nullable ServerSocket listener;
    private Thread acceptor = Thread.ofVirtual().unstarted(() -> {});
    private volatile Weather weather = Weather.FINE;

    /**
     * What the network does to answers.
     *
     * @param delay how much later each arrives
     * @param fatal a request that contains it, and each later one of its connection, is executed but not answered
     */
    record Weather(Duration delay, @Nullable String fatal) {
        static final Weather FINE = new Weather(Duration.ZERO, null);
    }

    private CuttingProxy(int serverPort, int port) {
        this.serverPort = serverPort;
        this.port = port;
    }

    /** A proxy that passes everything to the port of this machine, whether something listens there or not. */
    public static CuttingProxy to(int serverPort) {
        CuttingProxy proxy = new CuttingProxy(serverPort, ServerProcess.freePort());
        proxy.listen();
        return proxy;
    }

    /** Where clients connect to, on the loopback interface. */
    public int port() {
        return port;
    }

    /** All is well from now on. What was held back arrives. */
    public void pass() {
        change(Weather.FINE);
        listen();
    }

    /** Each answer arrives so much later. Those of one connection keep their order, and do not add up. */
    public void slowDown(Duration delay) {
        change(new Weather(delay, null));
        listen();
    }

    /** The server executes every request, but at the first answer its connection is cut. */
    public void loseAnswers() {
        loseAnswersAfter("");
    }

    /**
     * As {@link #loseAnswers()}, for protocols of several requests of which only one matters.
     *
     * @param words of the request whose answer is lost, with that of all later ones of the connection, as they are on
     *     the wire in ASCII: {@code COMMIT}
     */
    public void loseAnswersAfter(String words) {
        change(new Weather(Duration.ZERO, words));
        listen();
    }

    /** Cuts every connection, once; new ones are served. */
    public void cut() {
        connections.forEach(ProxiedConnection::close);
    }

    /** Cuts every connection and refuses new ones, until anything else is called. */
    public void refuse() {
        synchronized (this) {
            if (listener != null) close(listener);
            listener = null;
            awaitAcceptor();
        }
        cut();
    }

    /** The port is free again when nobody waits at it any more. */
    private void awaitAcceptor() {
        try {
            acceptor.join(Patience.LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Connections that clients have opened so far. */
    public long opened() {
        return opened.sum();
    }

    public long requestBytes() {
        return requestBytes.sum();
    }

    public long answerBytes() {
        return answerBytes.sum();
    }

    /** How often a connection's server began to answer after its client had asked. Pipelined requests count together. */
    public long roundTrips() {
        return roundTrips.sum();
    }

    @Override
    public void close() {
        refuse();
    }

    private void change(Weather next) {
        weather = next;
        connections.forEach(ProxiedConnection::weatherChanged);
    }

    private synchronized void listen() {
        if (listener != null) return;
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            listener = socket;
            acceptor = Thread.ofVirtual().start(() -> accept(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().start(() -> connect(socket, client));
            } catch (IOException closed) {
                // The loop's condition tells whether it was the listener or a client that went away.
            }
        }
    }

    private void connect(ServerSocket socket, Socket client) {
        opened.increment();
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            ProxiedConnection connection = new ProxiedConnection(this, client, server);
            connections.add(connection);
            connection.start();
            // It may have been accepted just before the network went away.
            if (socket.isClosed()) connection.close();
        } catch (IOException serverIsAway) {
            close(client);
        }
    }

    Weather weather() {
        return weather;
    }

    void closed(ProxiedConnection connection) {
        connections.remove(connection);
    }

    void asked(int bytes) {
        requestBytes.add(bytes);
    }

    void answered(int bytes, boolean first) {
        answerBytes.add(bytes);
        if (first) roundTrips.increment();
    }

    static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
