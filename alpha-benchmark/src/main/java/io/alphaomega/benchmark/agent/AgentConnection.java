package io.alphaomega.benchmark.agent;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A connection between a coordinator and an agent: frames of a length and JSON. Both sides beat once a second. */
final class AgentConnection implements AutoCloseable {
    /** Whoever says nothing for ten beats has gone, or its machine has. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(10);

    /** Before somebody has proved that he knows the token. A plan has at most 100 addresses. */
    static final int SMALL = 64 * 1024;

    /** The series of 24 h: a line of two histograms per second. */
    static final int LARGE = 512 * 1024 * 1024;

    private static final Duration BEAT_EACH = Duration.ofSeconds(1);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final CountDownLatch closed = new CountDownLatch(1);

    AgentConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) SILENCE_MAX.toMillis());
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    String peer() {
        return String.valueOf(socket.getRemoteSocketAddress()).replaceFirst("^[^/]*/", "");
    }

    /** Says {@code beat} once a second until it is closed, on a thread of its own. */
    void beat(Object beat) {
        Thread.ofVirtual().name("beat").start(() -> {
            try {
                while (!closed.await(BEAT_EACH.toMillis(), TimeUnit.MILLISECONDS)) write(beat);
            } catch (IOException e) {
                // Whoever reads finds out.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    void write(Object message) throws IOException {
        byte[] bytes = JSON.writeValueAsBytes(message);
        synchronized (out) {
            out.writeInt(bytes.length);
            out.write(bytes);
            out.flush();
        }
    }

    /** Waits for the next message, of at most {@code bytesMax}; an {@link IOException} says in its message what is wrong. */
    <T> T read(Class<T> type, int bytesMax) throws IOException {
        try {
            int length = in.readInt();
            if (length < 0 || length > bytesMax) {
                throw new IOException("it speaks another language than alpha-benchmark");
            }
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) throw new EOFException();
            T message = JSON.readValue(bytes, type);
            if (message == null) throw new IOException("it said nothing in so many words");
            return message;
        } catch (EOFException e) {
            throw new IOException("it closed the connection", e);
        } catch (SocketTimeoutException e) {
            throw new IOException("it has said nothing for %d s".formatted(SILENCE_MAX.toSeconds()), e);
        } catch (JacksonException e) {
            throw new IOException("what it says cannot be read: " + cause(e), e);
        }
    }

    /**
     * Nothing further is written; waits until the other side has closed. A connection that is closed before what came on
     * it was read takes back what was written last.
     */
    void finish() {
        try {
            socket.shutdownOutput();
            socket.getInputStream().skipNBytes(SMALL);
        } catch (IOException e) {
            // It has closed, or does not in time.
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
        } catch (IOException e) {
            // Then it is closed all the same.
        }
    }

    /** What a record of ours said about nonsense, if it was that. */
    private static String cause(JacksonException e) {
        Throwable cause = e;
        while (cause.getCause() != null) cause = cause.getCause();
        return cause instanceof IllegalArgumentException && cause.getMessage() != null
                ? cause.getMessage()
                : e.getOriginalMessage();
    }
}
