package io.alphaomega.server.insight;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What a node can see, and what it misses.
 *
 * @param storeAway since when its store has been away; empty while it is not
 * @param shards of the sagas that it has
 * @param missing nodes that should be in the cluster, as host:port, and since when they are not
 * @param list how far the list of sagas is behind that this node fills; empty where sagas are listed by the store
 */
record Standing(Optional<Instant> storeAway, int shards, Map<String, Instant> missing, Optional<Backlog> list) {
    /**
     * What a search index lacks.
     *
     * @param pending sagas that changed on this node and that it was not told
     * @param away whether it cannot be told anything
     */
    record Backlog(int pending, boolean away) {}
}
