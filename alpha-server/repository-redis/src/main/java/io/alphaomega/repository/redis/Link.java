package io.alphaomega.repository.redis;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server: made when it is needed, and made anew after a failure by whoever needs it then. Nothing is
 * ever sent twice: the client does not reconnect by itself, because it would then repeat what was under way.
 */
final class Link {
    /** A server that is there accepts at once. */
    static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);

    /** A server that is there and not overloaded needs a thousandth of it. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    /** So long after a failed attempt the next callers are told of it at once, instead of each trying for itself. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final RedisClient client;
    private final RedisURI uri;
    private final String name;

    /** Held while connecting. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
    private volatile @Nullable Failure last;

    private record Failure(RepositoryUnavailableException reason, long nanos) {
        boolean isFresh() {
            return System.nanoTime() - nanos < PAUSE.toNanos();
        }
    }

    Link(RedisClient client, RedisURI uri, String name) {
        this.client = client;
        this.uri = uri;
        this.name = name;
    }

    String name() {
        return name;
    }

    RedisAsyncCommands<byte[], byte[]> commands(Operation operation) {
        StatefulRedisConnection<byte[], byte[]> open = connection;
        return (open != null && open.isOpen() ? open : connect(operation)).async();
    }

    private StatefulRedisConnection<byte[], byte[]> connect(Operation operation) {
        takeTurn(operation);
        try {
            StatefulRedisConnection<byte[], byte[]> open = connection;
            if (open != null && open.isOpen()) return open;
            Failure before = last;
            if (before != null && before.isFresh()) throw before.reason();
            drop();
            open = await(
                    client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture(),
                    operation.nanosLeft(CONNECT_WITHIN));
            connection = open;
            last = null;
            return open;
        } catch (RuntimeException e) {
            // Whatever it is: the client may have been closed meanwhile.
            RepositoryUnavailableException reason = Failures.unavailable(name, e);
            Failure before = last;
            if (before == null || !before.reason().equals(reason)) last = new Failure(reason, System.nanoTime());
            throw reason;
        } finally {
            lock.unlock();
        }
    }

    private void takeTurn(Operation operation) {
        try {
            if (lock.tryLock(operation.nanosLeft(CONNECT_WITHIN), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RepositoryUnavailableException(name + " does not answer: somebody tries to connect already.");
    }

    private <T> T await(Future<T> answer, long nanos) {
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            answer.cancel(true);
            throw Failures.unavailable(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.unavailable(name, e);
        }
    }

    /** Ends the connection, if there is one, and fails what is under way on it. The next caller makes another. */
    void drop() {
        StatefulRedisConnection<byte[], byte[]> open = connection;
        connection = null;
        if (open != null && open.isOpen()) {
            // How it ends does not matter to anybody: what was under way on it has failed already.
            CompletableFuture<Void> unused = open.closeAsync();
        }
    }
}
