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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection to one server: made when it is needed, and made anew after a failure by whoever needs it then. Nothing is
 * ever sent twice: the client does not reconnect by itself, because it would then repeat what was under way.
 *
 * <p>The connections to one server are renewed together: its name may have become that of another one, and a connection that stayed
 * would go on to read what the old one had.
 */
final class ServerConnection {
    /** A server that is there accepts at once. */
    static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);

    /** A server that is there and not overloaded needs a thousandth of it. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

    /** So long after a failed attempt the next callers are told of it at once, instead of each trying for itself. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final RedisClient client;
    private final RedisURI uri;
    private final String name;
    private final boolean toPrimary;

    private final Shared shared;

    /** Held while connecting. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Open open;
    private volatile @Nullable Failure last;

    /** A connection, after how many renewals it was begun, and whether somebody has closed it. */
    private record Open(StatefulRedisConnection<byte[], byte[]> connection, int renewal, AtomicBoolean closed) {

        /** Whoever comes second would have the client warn of it. */
        void close() {
            if (closed.compareAndSet(false, true)) ServerConnection.close(connection);
        }
    }

    /** What failed, when, and how often the server had been connected to until then. */
    private record Failure(RepositoryUnavailableException reason, long nanos, int connections) {}

    /** What the connections to one server have in common. */
    static final class Shared {
        /** How often they were given up, all together. */
        final AtomicInteger renewals = new AtomicInteger();

        /** How often one of them was connected. */
        final AtomicInteger connections = new AtomicInteger();
    }

    /** @param toPrimary whether a server that is a replica is refused */
    ServerConnection(RedisClient client, RedisURI uri, String name, boolean toPrimary, Shared shared) {
        this.client = client;
        this.uri = uri;
        this.name = name;
        this.toPrimary = toPrimary;
        this.shared = shared;
    }

    String name() {
        return name;
    }

    RedisAsyncCommands<byte[], byte[]> commands(Operation operation) {
        Open now = open;
        return (now != null && isUsable(now) ? now.connection() : connect(operation)).async();
    }

    /** If it is connected; null if somebody would have to wait for that. */
    @Nullable
    RedisAsyncCommands<byte[], byte[]> commandsAtHand() {
        Open now = open;
        return now != null && isUsable(now) ? now.connection().async() : null;
    }

    private boolean isUsable(Open it) {
        return it.connection().isOpen() && it.renewal() == shared.renewals.get();
    }

    /** Another connection may have found the server since. */
    private boolean isFresh(Failure failure) {
        return System.nanoTime() - failure.nanos() < PAUSE.toNanos()
                && failure.connections() == shared.connections.get();
    }

    private StatefulRedisConnection<byte[], byte[]> connect(Operation operation) {
        takeTurn(operation);
        try {
            Open now = open;
            if (now != null && isUsable(now)) return now.connection();
            Failure before = last;
            if (before != null && isFresh(before)) throw before.reason();
            open = null;
            if (now != null) now.close();
            int renewal = shared.renewals.get();
            StatefulRedisConnection<byte[], byte[]> connection = connected(operation);
            open = new Open(connection, renewal, new AtomicBoolean());
            last = null;
            shared.connections.incrementAndGet();
            return connection;
        } catch (RuntimeException e) {
            // Whatever it is: the client may have been closed meanwhile.
            RepositoryUnavailableException reason = Failures.unavailable(name, e);
            Failure before = last;
            if (before == null || !before.reason().equals(reason)) {
                last = new Failure(reason, System.nanoTime(), shared.connections.get());
            }
            throw reason;
        } finally {
            lock.unlock();
        }
    }

    private StatefulRedisConnection<byte[], byte[]> connected(Operation operation) {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connecting =
                client.connectAsync(ByteArrayCodec.INSTANCE, uri).toCompletableFuture();
        boolean done = false;
        try {
            var connection = await(connecting, operation.nanosLeft(CONNECT_WITHIN));
            if (toPrimary) requirePrimary(connection, operation);
            done = true;
            return connection;
        } finally {
            // One that comes up after everybody has left is nobody's.
            if (!done) {
                CompletableFuture<Void> unused = connecting.thenAccept(ServerConnection::close);
            }
        }
    }

    private void requirePrimary(StatefulRedisConnection<byte[], byte[]> connection, Operation operation) {
        String replication = await(connection.async().info("replication"), operation.nanosLeft(CONNECT_WITHIN));
        if (replication.lines().noneMatch(line -> line.equals("role:slave"))) return;
        throw new RepositoryUnavailableException(
                name + " is a replica: alpha must be given the primary, and tries again until it is one.");
    }

    private void takeTurn(Operation operation) {
        try {
            if (lock.tryLock(operation.nanosLeft(CONNECT_WITHIN), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RepositoryUnavailableException(
                name + " does not answer: another thread is already trying to connect.");
    }

    private <T> T await(Future<T> answer, long nanos) {
        try {
            return answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw Failures.unavailable(name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Failures.unavailable(name, e);
        }
    }

    /**
     * Ends a connection, unless that has been done, and fails what is under way on it. The next callers make others, on
     * all connections to the server.
     */
    void drop(RedisAsyncCommands<byte[], byte[]> used) {
        Open now = open;
        if (now == null || !now.connection().async().equals(used)) return;
        shared.renewals.compareAndSet(now.renewal(), now.renewal() + 1);
        now.close();
    }

    private static void close(StatefulRedisConnection<byte[], byte[]> connection) {
        // How it ends does not matter to anybody: what was under way on it has failed already.
        CompletableFuture<Void> unused = connection.closeAsync();
    }
}
