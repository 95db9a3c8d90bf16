package io.alphaomega.server.node;

import java.time.Duration;

/**
 * What a node says of itself.
 *
 * @param uptime since its start
 * @param sagas in its memory
 * @param shards of the sagas that it owns, a few seconds ago
 * @param streams of omegas that are connected to it
 */
public record NodeReport(String version, Duration uptime, int sagas, int shards, int streams) {}
