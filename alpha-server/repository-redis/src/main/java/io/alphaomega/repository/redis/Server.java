package io.alphaomega.repository.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;

/**
 * One Redis server: a connection for appends, and another so that nobody's page of a thousand summaries, and no wait for
 * replicas, is in the way of a load.
 */
record Server(String name, RedisURI uri, Link writing, Link reading) {
    static Server at(RedisURI uri, String name, RedisClient client) {
        return new Server(name, uri, new Link(client, uri, name), new Link(client, uri, name));
    }
}
