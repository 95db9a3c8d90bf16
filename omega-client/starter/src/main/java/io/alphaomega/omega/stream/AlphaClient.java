package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The conversation of one service instance with its alphas. */
public final class AlphaClient implements AutoCloseable {

    /**
     * @param hello what to introduce this instance with; asked at every connect, must not block
     * @param callbacks runs what alpha asks for
     */
    public AlphaClient(AlphaClientSettings settings, Supplier<Hello> hello, CallbackHandler callbacks) {}

    /** Begins to connect, in the background. */
    public void start() {}

    /**
     * Reports the input and waits for alpha's answer, over reconnects if need be. The correlation is filled in. The
     * answer is never {@code unavailable}.
     *
     * @throws io.alphaomega.omega.AlphaUnavailableException if there is none {@code within} that time; the input is
     *     not sent again, but may have been stored
     */
    public Ack call(Input input, Duration within) {
        return pending(null);
    }

    /**
     * Reports the input in the background, over reconnects, until alpha answers. The future fails with
     * {@link io.alphaomega.omega.AlphaUnavailableException} if there is no answer after {@code keepTrying}; its
     * dependents run on the client's own thread and must not block.
     *
     * @throws io.alphaomega.omega.AlphaUnavailableException at once if too many inputs are unanswered
     */
    public CompletableFuture<Ack> send(Input input, Duration keepTrying) {
        return pending(null);
    }

    /** How each connection stands. */
    public List<AlphaStatus> status() {
        return List.of();
    }

    /** Takes no new callbacks, waits for what is under way up to the drain timeout, and disconnects. */
    @Override
    public void close() {}

    private static <T> T pending(java.util.function.@org.jspecify.annotations.Nullable Supplier<T> t) {
        if (t != null) return t.get();
        throw new UnsupportedOperationException();
    }
}
