package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Summaries of sagas whose journals live elsewhere, for people to search. It forgets nothing that it was told, but may be
 * told late or never: it decides nothing. Like a repository it does no I/O when it is constructed, blocks, may be called
 * from many threads, and fails within a bounded time with a {@link RepositoryUnavailableException}.
 */
public final class ElasticsearchSagaIndex implements AutoCloseable {
    /** A request stays under a few megabytes, whatever the reasons are. */
    private static final int CHUNK = 1_000;

    /** How long a write that comes after a purge still finds that it is too late. */
    private static final String DELETES_REMEMBERED_FOR = "10m";

    /**
     * Its segments are in the order of the list, so that a search for what very many match ends with the first page. Only
     * one that is made anew gets that; one of an earlier alpha goes on without.
     */
    private final Index sagas;

    private final Index checkpoints;
    private final OpenedIndices opening;

    /**
     * A saga as it was after its event of that number.
     *
     * @param sequence how many events its journal had
     */
    public record Entry(SagaSummary summary, long sequence) {
        public Entry {
            if (sequence < 1) throw new IllegalArgumentException("sequence is " + sequence);
        }
    }

    /**
     * What a node said of its own writes.
     *
     * @param completeUpTo everything the node had appended by then is in the index
     * @param writtenAt when it said so
     */
    public record Checkpoint(String node, Instant completeUpTo, Instant writtenAt) {}

    public ElasticsearchSagaIndex(ElasticsearchSettings settings) {
        sagas = new Index(
                settings.indexPrefix() + "-search",
                "saga.json",
                settings.shards(),
                settings.replicas(),
                Map.of("gc_deletes", DELETES_REMEMBERED_FOR, "sort.field", "begunAt,id", "sort.order", "desc,desc"));
        checkpoints =
                new Index(settings.indexPrefix() + "-checkpoints", "checkpoint.json", 1, settings.replicas(), Map.of());
        opening = new OpenedIndices(settings, List.of(sagas, checkpoints));
    }

    /** Replaces what is older or the same; what is newer stays. Repeating and reordering does no harm. */
    public void put(List<Entry> entries) {
        for (int from = 0; from < entries.size(); from += CHUNK) {
            Bulk bulk = new Bulk();
            for (Entry entry : newest(entries.subList(from, Math.min(entries.size(), from + CHUNK)))) {
                bulk.put(entry.summary().id().value(), entry.sequence(), json -> {
                    SummaryFields.write(json, entry.summary());
                    json.writeNumberProperty("sequence", entry.sequence());
                });
            }
            send(bulk, sagas);
        }
    }

    private void send(Bulk bulk, Index to) {
        with((nodes, deadline) -> bulk.send(nodes, to.alias(), deadline));
    }

    private interface Operation<T> {
        T on(ElasticsearchNodes nodes, Deadline deadline);
    }

    /** An index that is gone is made anew by the next who asks, for everything in it is in the journal as well. */
    private <T> T with(Operation<T> operation) {
        Deadline deadline = Deadline.ofOperation();
        try {
            return operation.on(nodes(deadline), deadline);
        } catch (RepositoryUnavailableException e) {
            if (!(e.getCause() instanceof NodeAnswer.IndexGone)) throw e;
            opening.forget();
            throw new RepositoryUnavailableException(
                    "The search index was deleted, or is being rebuilt; it is made anew and filled from the store.", e);
        }
    }

    private static Iterable<Entry> newest(List<Entry> entries) {
        Map<String, Entry> newest = new HashMap<>();
        Comparator<Entry> bySequence = Comparator.comparingLong(Entry::sequence);
        for (Entry entry : entries) {
            newest.merge(
                    entry.summary().id().value(),
                    entry,
                    (one, other) -> bySequence.compare(one, other) > 0 ? one : other);
        }
        return newest.values();
    }

    /** As {@link SagaRepository#find}. */
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        ElasticsearchSagaRepository.requireLimit(limit, SagaRepository.PAGE_MAX);
        return with((nodes, deadline) -> new Searches(nodes, sagas.alias()).find(query, cursor, limit, deadline));
    }

    public SagaCounts counts() {
        return with((nodes, deadline) ->
                new Searches(nodes, sagas.alias()).counts(Set.of(SagaSummary.State.values()), deadline));
    }

    /** As {@link SagaRepository#purge}, but without tombstones. */
    public int purge(Instant endedBefore, int limit) {
        ElasticsearchSagaRepository.requireLimit(limit, Integer.MAX_VALUE);
        return with((nodes, deadline) -> ConditionalPurge.delete(nodes, sagas, endedBefore, limit));
    }

    public void checkpoint(String node, Instant completeUpTo, Instant writtenAt) {
        Bulk bulk = new Bulk();
        bulk.put(node, json -> {
            json.writeStringProperty("node", node);
            json.writeStringProperty("completeUpTo", completeUpTo.toString());
            json.writeStringProperty("writtenAt", writtenAt.toString());
        });
        send(bulk, checkpoints);
    }

    /** All that were written. */
    public List<Checkpoint> checkpoints() {
        return with((nodes, deadline) -> {
            checkpoints.refresh(nodes, deadline);
            return Checkpoints.all(nodes, checkpoints.alias(), deadline);
        });
    }

    public void removeCheckpoint(String node) {
        Bulk bulk = new Bulk();
        bulk.delete(node);
        send(bulk, checkpoints);
    }

    /** Deletes everything, the checkpoints as well: what is to be rebuilt is complete up to no time. */
    public void clear() {
        Deadline deadline = Deadline.ofOperation();
        ElasticsearchNodes nodes = nodes(deadline);
        try {
            // First: should the rest fail, nobody takes an empty index for a complete one.
            checkpoints.delete(nodes, deadline);
            sagas.delete(nodes, deadline);
        } finally {
            opening.forget(); // What was not answered in time may have been done, or be done yet.
        }
        opening.get(deadline);
    }

    /** Whether operations are likely to succeed now. Cheap, does not throw. */
    public Health check() {
        Deadline deadline = Deadline.ofOperation();
        try {
            ClusterHealth.of(nodes(deadline), sagas.alias(), deadline).requireWritable();
            return new Health.Up();
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            return new Health.Down(String.valueOf(e.getMessage()));
        }
    }

    /** How long a {@link #put} may stay invisible to {@link #find} and {@link #counts}. */
    public Duration visibilityLag() {
        return opening.get(Deadline.ofOperation()).states().getFirst().lag();
    }

    @Override
    public void close() {
        opening.close();
    }

    private ElasticsearchNodes nodes(Deadline deadline) {
        return opening.get(deadline).nodes();
    }
}
