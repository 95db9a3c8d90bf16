package io.alphaomega.server.node;

import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a node says of itself.
 *
 * @param uptime since its start
 * @param sagas in its memory
 * @param shards of the sagas that it owns, a few seconds ago
 * @param streams of omegas that are connected to it
 * @param cluster the name of its cluster
 * @param members of its cluster that are up, as host:port; empty from a version that does not say
 * @param storedAgo how long ago it last stored something; empty from a version that does not say
 * @param storedSaga that it has just found in its store; empty if it was not asked for one, or there is none
 * @param settled whether it has found a home for every shard of the sagas; false from a version that does not say
 * @param clock what its clock shows when it reports; empty from a version that does not say
 */
public record NodeReport(
        String version,
        Duration uptime,
        int sagas,
        int shards,
        int streams,
        String cluster,
        List<String> members,
        Optional<Duration> storedAgo,
        Optional<SagaId> storedSaga,
        boolean settled,
        Optional<Instant> clock) {}
