package io.alphaomega.server.stream;

import io.alphaomega.server.AlphaProperties;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;

/** A node that omegas can connect to. */
final class TestAlpha implements AutoCloseable {
    final TestNode node;
    final GrpcServer server;

    TestAlpha(FaultyRepository store, AlphaProperties properties) {
        this(node(store, properties));
    }

    private TestAlpha(Routed routed) {
        node = routed.node;
        server = new GrpcServer(node.properties, node.cluster, node.sagas, node.clock, routed.metrics);
        node.cluster.start();
        server.start();
    }

    private static final class Routed {
        final StreamMetrics metrics;
        final TestNode node;

        Routed(FaultyRepository store, AlphaProperties properties) {
            StreamMetrics[] made = new StreamMetrics[1];
            node = new TestNode(store, properties, self -> {
                made[0] = new StreamMetrics(self.meters);
                return Participants.create(
                        new Participants.Shared(self.sagas, self.repository, self.clock, made[0], self.threads));
            });
            metrics = made[0];
        }
    }

    private static Routed node(FaultyRepository store, AlphaProperties properties) {
        return new Routed(store, properties);
    }

    @Override
    public void close() {
        server.stop();
        node.close();
    }
}
