package io.alphaomega.repository.redis;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Proofs that replicas have what was read from their primary. It may be an append whose author, here or on another node,
 * was never told that they have it; whoever builds on it unproved would acknowledge it. Those who ask while a proof is
 * under way share the next one.
 */
final class ReplicationBarrier {
    /** Held while a proof is under way. */
    private final ReentrantLock lock = new ReentrantLock();

    private final AtomicLong begun = new AtomicLong();
    private Proof last = new Proof(0, null);

    private record Proof(long number, @Nullable RepositoryUnavailableException failure) {}

    /** Returns once so many replicas have all that the server had when this was called. */
    void require(Operation operation, Server server, Bucket bucket, int replicas) {
        long number = begun.get() + 1;
        takeTurn(operation, server);
        try {
            if (last.number() < number) last = prove(operation, server, bucket, replicas);
            RepositoryUnavailableException failure = last.failure();
            if (failure != null) throw failure;
        } finally {
            lock.unlock();
        }
    }

    private Proof prove(Operation operation, Server server, Bucket bucket, int replicas) {
        long number = begun.incrementAndGet();
        try {
            ScriptCalls.copied(operation, server, bucket, replicas);
            return new Proof(number, null);
        } catch (RepositoryUnavailableException e) {
            operation.forgetRoutes();
            return new Proof(number, e);
        }
    }

    private void takeTurn(Operation operation, Server server) {
        try {
            if (lock.tryLock(operation.nanosLeft(ServerConnection.ANSWER_WITHIN), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RepositoryUnavailableException(server.name() + " does not say in time what its replicas have.");
    }
}
