package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The nodes and the indices that something works on: connected, and found or made, by the first who asks. */
final class OpenedIndices implements AutoCloseable {
    private final ElasticsearchSettings settings;
    private final List<Index> indices;

    /** Held while it is opened or closed. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Opened opened;
    private @Nullable ElasticsearchNodes nodes;
    private boolean closed;

    /** @param states of the indices, in their order, as they were found */
    record Opened(ElasticsearchNodes nodes, List<IndexState> states) {}

    /** @param indices what the others say is about the first: without it, they are made anew as well */
    OpenedIndices(ElasticsearchSettings settings, List<Index> indices) {
        this.settings = settings;
        this.indices = List.copyOf(indices);
    }

    Opened get(Deadline deadline) {
        Opened open = opened;
        return open != null ? open : open(deadline);
    }

    private Opened open(Deadline deadline) {
        acquire(deadline);
        try {
            if (closed) throw new RepositoryUnavailableException("The repository is closed.");
            Opened open = opened;
            if (open == null) {
                ElasticsearchNodes connected = nodes != null ? nodes : ClientBuilding.to(settings);
                nodes = connected;
                open = new Opened(connected, open(connected, deadline));
                opened = open;
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private List<IndexState> open(ElasticsearchNodes connected, Deadline deadline) {
        List<Index> others = indices.subList(1, indices.size());
        if (!others.isEmpty() && !indices.getFirst().isThere(connected, deadline)) {
            others.forEach(other -> other.delete(connected, deadline));
        }
        return indices.stream().map(index -> index.open(connected, deadline)).toList();
    }

    /** Whoever comes while another waits for an answer does not wait for his own on top. */
    private void acquire(Deadline deadline) {
        try {
            if (lock.tryLock(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RepositoryUnavailableException("Elasticsearch has not answered since alpha began to ask it.");
    }

    /** So that the next who asks finds or makes the indices again. */
    void forget() {
        opened = null;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            opened = null;
            if (nodes != null) nodes.close();
        } finally {
            lock.unlock();
        }
    }
}
