package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sagas in Elasticsearch 7.17 or newer, or OpenSearch: one document each. What is decided on is got by id; searches,
 * which lag, are for people and for the due-time index. It is opened by the first call; whoever wants to know at start
 * whether that works asks for {@link #durability()}.
 */
public final class ElasticsearchSagaRepository implements SagaRepository {
    /** No saga's: ids have no slash. Without a summary it is found by no search. */
    private static final String PROBE = "probe/health";

    private final Index index;
    private final OpenedIndices opening;
    private final WrittenJournals written = new WrittenJournals();

    /** Since the last append failed, until a write succeeds. */
    private volatile boolean writesFail;

    public ElasticsearchSagaRepository(ElasticsearchSettings settings) {
        index = new Index(
                settings.indexPrefix() + "-sagas", "saga.json", settings.shards(), settings.replicas(), Map.of());
        opening = new OpenedIndices(settings, List.of(index));
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        if (batch.isEmpty()) return List.of();
        Deadline deadline = Deadline.ofOperation();
        try {
            List<AppendResult> results = BulkAppend.run(nodes(deadline), index.alias(), written, batch, deadline);
            writesFail = false;
            return results;
        } catch (RepositoryUnavailableException e) {
            writesFail = true;
            throw e;
        }
    }

    @Override
    public Loaded load(SagaId id) {
        Deadline deadline = Deadline.ofOperation();
        return Journals.load(nodes(deadline), index.alias(), id, deadline);
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        Deadline deadline = Deadline.ofOperation();
        return searches(deadline).due(until, cursor, limit, deadline);
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        Deadline deadline = Deadline.ofOperation();
        return NewestFirst.find(searches(deadline), query, cursor, limit, deadline);
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        Deadline deadline = Deadline.ofOperation();
        return searches(deadline).ordered(since, cursor, limit, deadline);
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        Deadline deadline = Deadline.ofOperation();
        return searches(deadline).counts(states, deadline);
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        requireLimit(limit, Integer.MAX_VALUE);
        return ConditionalPurge.purge(nodes(Deadline.ofOperation()), index, endedBefore, limit);
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        requireLimit(limit, Integer.MAX_VALUE);
        return ConditionalPurge.forget(nodes(Deadline.ofOperation()), index, endedBefore, limit);
    }

    @Override
    public Map<String, String> notes() {
        Deadline deadline = Deadline.ofOperation();
        return Notes.all(nodes(deadline), index.alias(), deadline);
    }

    @Override
    public void note(String name, String text) {
        SagaRepository.requireNote(name, text);
        Deadline deadline = Deadline.ofOperation();
        Notes.put(nodes(deadline), index.alias(), name, text, deadline);
    }

    /** As it was when the repository was opened. */
    @Override
    public Duration visibilityLag() {
        return opening.get(Deadline.ofOperation()).states().getFirst().lag();
    }

    @Override
    public Durability durability() {
        Deadline deadline = Deadline.ofOperation();
        ElasticsearchNodes nodes = nodes(deadline);
        IndexState state = index.state(nodes, deadline).requireUsable();
        int dataNodes = ClusterHealth.of(nodes, index.alias(), deadline).dataNodes();
        return new Durability(
                // Never FAILOVER: a replica that fails during a write is dropped, and the write is acknowledged with
                // the
                // primary's copy alone. wait_for_active_shards is looked at before the write only.
                Level.POWER_LOSS,
                "index.translog.durability=%s, index.number_of_replicas=%d, index.write.wait_for_active_shards=%s, data nodes: %d"
                        .formatted(state.durability(), state.replicas(), state.activeShards(), dataNodes));
    }

    @Override
    public Health check() {
        Deadline deadline = Deadline.ofOperation();
        try {
            ElasticsearchNodes nodes = nodes(deadline);
            ClusterHealth.of(nodes, index.alias(), deadline).requireWritable();
            // Somebody may have changed them since the start.
            index.state(nodes, deadline).requireUsable();
            // Neither a full disk nor too much work shows there: as long as writes fail, only a write can say that they
            // work.
            if (writesFail) {
                Bulk probe = new Bulk();
                probe.put(PROBE, json -> json.writeNumberProperty("sequence", 0));
                probe.send(nodes, index.alias(), deadline);
                writesFail = false;
            }
            return new Health.Up();
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            return new Health.Down(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        opening.close();
    }

    private Searches searches(Deadline deadline) {
        return new Searches(nodes(deadline), index.alias());
    }

    private ElasticsearchNodes nodes(Deadline deadline) {
        return opening.get(deadline).nodes();
    }

    static void requireLimit(int limit, int max) {
        if (limit < 1 || limit > max) {
            throw new IllegalArgumentException("limit must be 1 to %d but was %d".formatted(max, limit));
        }
    }
}
