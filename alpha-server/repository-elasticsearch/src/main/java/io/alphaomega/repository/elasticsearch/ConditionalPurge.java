package io.alphaomega.repository.elasticsearch;

import java.time.Instant;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/**
 * How ended sagas leave: found by a search, written on the condition that they are still as they were found. One that
 * somebody appended to meanwhile stays.
 */
final class ConditionalPurge {
    /** One search and one bulk request each; a document found is some 100 bytes. */
    private static final int CHUNK = 1_000;

    private ConditionalPurge() {}

    /** Finds up to so many of what is to leave. */
    private interface Finding {
        JsonNode find(int limit, Deadline deadline);
    }

    static int purge(ElasticsearchNodes nodes, Index index, Instant endedBefore, int limit) {
        Searches searches = new Searches(nodes, index.alias());
        return leave(
                nodes,
                index,
                limit,
                (most, deadline) -> searches.ended(endedBefore, most, deadline),
                ConditionalPurge::bury);
    }

    static int forget(ElasticsearchNodes nodes, Index index, Instant endedBefore, int limit) {
        Searches searches = new Searches(nodes, index.alias());
        return leave(
                nodes,
                index,
                limit,
                (most, deadline) -> searches.tombstones(endedBefore, most, deadline),
                (bulk, hit) -> bulk.delete(id(hit), WriteStamp.of(hit)));
    }

    /** Of an index whose documents are versioned by their sequence: nothing stays of what leaves. */
    static int delete(ElasticsearchNodes nodes, Index index, Instant endedBefore, int limit) {
        Searches searches = new Searches(nodes, index.alias());
        return leave(
                nodes,
                index,
                limit,
                (most, deadline) -> searches.ended(endedBefore, most, deadline),
                (bulk, hit) -> bulk.deleteNotNewer(id(hit), sequence(hit)));
    }

    private static int leave(
            ElasticsearchNodes nodes, Index index, int limit, Finding finding, BiConsumer<Bulk, JsonNode> leaving) {
        int left = 0;
        boolean more = true;
        while (more && left < limit) {
            Deadline deadline = Deadline.ofOperation();
            int most = Math.min(CHUNK, limit - left);
            index.refresh(nodes, deadline);
            JsonNode hits = finding.find(most, deadline);
            Bulk bulk = new Bulk();
            hits.values().forEach(hit -> leaving.accept(bulk, hit));
            long done = bulk.send(nodes, index.alias(), deadline).stream()
                    .filter(Bulk.Outcome::isDone)
                    .count();
            left += (int) done;
            // Those that moved meanwhile are looked for again, unless all did: then they are left for the next time.
            more = done > 0 && (hits.size() == most || done < hits.size());
        }
        return left;
    }

    private static void bury(Bulk bulk, JsonNode hit) {
        JsonNode fields = hit.path("fields");
        bulk.replace(id(hit), WriteStamp.of(hit), json -> {
            json.writeStringProperty("id", id(hit));
            json.writeNumberProperty("sequence", sequence(hit));
            json.writeObjectPropertyStart("tombstone");
            json.writeStringProperty(
                    "state", SummaryFields.value(fields, "state").asString(""));
            json.writeStringProperty(
                    "endedAt", SummaryFields.value(fields, "endedAt").asString(""));
            json.writeEndObject();
        });
    }

    private static String id(JsonNode hit) {
        return hit.path("_id").asString("");
    }

    private static long sequence(JsonNode hit) {
        return SummaryFields.value(hit.path("fields"), "sequence").asLong(0);
    }
}
