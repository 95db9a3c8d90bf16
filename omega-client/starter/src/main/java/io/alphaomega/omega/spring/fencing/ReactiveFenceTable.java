package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.ReactiveFence;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Instant;
import java.util.Optional;

/** Through R2DBC. Its keeper's thread is none of Reactor's. */
final class ReactiveFenceTable implements FenceTable {
    private final ReactiveFence fence;
    private final ReactiveFenceIds ids;
    private final ConnectionFactory connections;

    ReactiveFenceTable(ReactiveFence fence, ReactiveFenceIds ids, ConnectionFactory connections) {
        this.fence = fence;
        this.ids = ids;
        this.connections = connections;
    }

    @Override
    public void create() {
        fence.createTableIfMissing(connections).block();
    }

    @Override
    public Optional<String> missing() {
        return fence.missingTable(connections).blockOptional();
    }

    @Override
    public void identify() throws Exception {
        String unused = ids.current().get();
    }

    @Override
    public Optional<byte[]> remembered() {
        return fence.remembered(connections).blockOptional();
    }

    @Override
    public void remember(byte[] memory) {
        fence.remember(connections, memory).block();
    }

    @Override
    public int purge(Instant before, int limit) {
        return fence.purge(connections, before, limit).blockOptional().orElse(0);
    }
}
