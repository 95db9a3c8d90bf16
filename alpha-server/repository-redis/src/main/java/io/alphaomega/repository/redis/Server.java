package io.alphaomega.repository.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;

/**
 * One Redis server: a connection for appends, one for loads, and one for everything else, so that nobody's page of a
 * thousand summaries, and no wait for replicas, is in the way of a load. The last may be to a replica: any server of a
 * cluster can say where the others are.
 */
record Server(
        String name,
        RedisURI uri,
        ServerConnection writing,
        ServerConnection loading,
        ServerConnection asking,
        ReplicationBarrier copies) {
    static Server at(RedisURI uri, String name, RedisClient client) {
        ServerConnection.Shared shared = new ServerConnection.Shared();
        return new Server(
                name,
                uri,
                new ServerConnection(client, uri, name, true, shared),
                new ServerConnection(client, uri, name, true, shared),
                new ServerConnection(client, uri, name, false, shared),
                new ReplicationBarrier());
    }
}
