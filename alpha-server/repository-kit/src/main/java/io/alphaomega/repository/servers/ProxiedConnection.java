package io.alphaomega.repository.servers;

import io.alphaomega.repository.servers.CuttingProxy.Weather;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One client's connection through a {@link CuttingProxy}: three threads, of requests, of answers, of answers held back. */
final class ProxiedConnection {
    private static final int CHUNK_BYTES = 65_536;

    /** Answers held back; the server waits when there are more. */
    private static final int CHUNKS_MAX = 64;

    /** An empty one: there are no more. */
    private static final Answer END = new Answer(ByteBuffer.allocate(0), 0);

    private record Answer(ByteBuffer bytes, long readAt) {}

    private final CuttingProxy proxy;
    private final Socket client;
    private final Socket server;
    private final BlockingQueue<Answer> answers = new ArrayBlockingQueue<>(CHUNKS_MAX);
    private final AtomicBoolean asking = new AtomicBoolean();
    private final Object change = new Object();

    /** Whether the request whose answer is lost has passed. */
    private volatile boolean doomed;

    private volatile boolean closed;

    ProxiedConnection(CuttingProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        Thread.ofVirtual().start(() -> untilClosed(this::passRequests));
        Thread.ofVirtual().start(() -> untilClosed(this::readAnswers));
        Thread.ofVirtual().start(() -> untilClosed(this::passAnswers));
    }

    private interface Pump {
        void run() throws IOException, InterruptedException;
    }

    private void untilClosed(Pump pump) {
        try {
            pump.run();
        } catch (IOException | InterruptedException end) {
            // One side has gone; so does the other.
        } finally {
            close();
        }
    }

    private void passRequests() throws IOException {
        InputStream from = client.getInputStream();
        OutputStream to = server.getOutputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        String seen = "";
        for (int length = from.read(chunk); length >= 0; length = from.read(chunk)) {
            String fatal = proxy.weather().fatal();
            if (fatal != null && !doomed) {
                seen += new String(chunk, 0, length, StandardCharsets.ISO_8859_1);
                doomed = seen.contains(fatal);
                seen = seen.substring(Math.max(0, seen.length() - fatal.length()));
            }
            proxy.asked(length);
            asking.set(true);
            to.write(chunk, 0, length);
        }
    }

    private void readAnswers() throws IOException, InterruptedException {
        InputStream from = server.getInputStream();
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int length = from.read(chunk); length >= 0; length = from.read(chunk)) {
            proxy.answered(length, asking.getAndSet(false));
            if (losing()) return;
            answers.put(new Answer(ByteBuffer.wrap(Arrays.copyOf(chunk, length)), System.nanoTime()));
        }
        answers.put(END);
    }

    /** An answer to a request that was under way when answers began to be lost is lost as well. */
    private boolean losing() {
        String fatal = proxy.weather().fatal();
        return fatal != null && (doomed || fatal.isEmpty());
    }

    private void passAnswers() throws IOException, InterruptedException {
        OutputStream to = client.getOutputStream();
        for (Answer answer = answers.take(); answer.bytes().hasRemaining(); answer = answers.take()) {
            awaitItsTime(answer);
            if (losing()) return;
            to.write(answer.bytes().array());
        }
    }

    private void awaitItsTime(Answer answer) throws InterruptedException {
        synchronized (change) {
            while (!closed) {
                Weather weather = proxy.weather();
                long left = answer.readAt() + weather.delay().toNanos() - System.nanoTime();
                if (left <= 0) return;
                TimeUnit.NANOSECONDS.timedWait(change, left);
            }
        }
    }

    void weatherChanged() {
        if (proxy.weather().fatal() == null) doomed = false;
        synchronized (change) {
            change.notifyAll();
        }
    }

    void close() {
        closed = true;
        proxy.closed(this);
        weatherChanged();
        CuttingProxy.close(client);
        CuttingProxy.close(server);
        answers.clear();
        answers.offer(END);
    }
}
