package io.alphaomega.server.search;

import io.alphaomega.server.cluster.SagaCluster;
import org.springframework.context.SmartLifecycle;

/** Tells the indexer its node's name, once it is a member of the cluster. */
final class IndexerNodeName implements SmartLifecycle {
    private final Indexing indexing;
    private final SagaCluster cluster;
    private volatile boolean running;

    IndexerNodeName(Indexing indexing, SagaCluster cluster) {
        this.indexing = indexing;
        this.cluster = cluster;
    }

    @Override
    public void start() {
        indexing.named(IndexRepairActor.nameOf(cluster.system()));
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return SagaCluster.PHASE + 1;
    }
}
