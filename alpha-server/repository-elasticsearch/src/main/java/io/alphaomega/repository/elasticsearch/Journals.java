package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.elasticsearch.client.Request;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How a journal is members of its saga's document. They are got by id, which sees every write that was acknowledged. */
final class Journals {
    private Journals() {}

    /** The events of an append, each by its sequence, as members of an object. */
    static String members(long before, List<StoredEvent> events) {
        long sequence = before;
        StringBuilder members = new StringBuilder();
        for (StoredEvent event : events) {
            if (!members.isEmpty()) members.append(',');
            members.append('"').append(++sequence).append("\":{\"type\":");
            members.append(Json.MAPPER.writeValueAsString(event.type())).append(",\"bytes\":\"");
            members.append(Base64.getEncoder().encodeToString(event.bytes())).append("\",\"crc32c\":");
            members.append(event.crc32c()).append('}');
        }
        return members.toString();
    }

    /** The object of events: a whole one, or what is merged into one. */
    static void write(JsonGenerator json, long sequence, String members) {
        json.writeName("events");
        json.writeRawValue("{" + members + "}");
        json.writeNumberProperty("sequence", sequence);
    }

    static Loaded load(ElasticsearchNodes nodes, String alias, SagaId id, Deadline deadline) {
        ObjectNode body = Json.object();
        body.putArray("docs").addObject().put("_id", id.value());
        JsonNode got = get(nodes, alias, body, deadline).path(0);
        if (!got.path("found").asBoolean()) return Loaded.NOTHING;
        JsonNode source = got.path("_source");
        JsonNode tombstone = source.path("tombstone");
        if (tombstone.isObject()) return Loaded.tombstone(ended(id, tombstone), version(got));
        return new Loaded(events(id, source), version(got));
    }

    private static State ended(SagaId id, JsonNode tombstone) {
        String stored = tombstone.path("state").asString("");
        return SummaryFields.state(stored)
                .orElseThrow(() ->
                        corrupt(id, "its tombstone has the state '" + stored + "', which this version does not know"));
    }

    private static List<StoredEvent> events(SagaId id, JsonNode source) {
        long sequence = source.path("sequence").asLong(0);
        JsonNode stored = source.path("events");
        if (sequence < 1 || stored.size() != sequence) {
            throw corrupt(id, "it should have %d events, but %d are stored".formatted(sequence, stored.size()));
        }
        List<StoredEvent> events = new ArrayList<>(stored.size());
        for (int i = 1; i <= sequence; i++) {
            JsonNode event = stored.path(Integer.toString(i));
            if (!event.path("bytes").isString() || !event.path("crc32c").isNumber()) {
                throw corrupt(id, "event " + i + " is missing or not whole");
            }
            events.add(new StoredEvent(
                    event.path("type").asString(""),
                    event.path("bytes").binaryValue(),
                    event.path("crc32c").asInt()));
        }
        return events;
    }

    /** Where sagas stand; those of which nothing is stored have no entry. */
    static Map<SagaId, Version> versions(
            ElasticsearchNodes nodes, String alias, Collection<SagaId> ids, Deadline deadline) {
        ObjectNode body = Json.object();
        ArrayNode docs = body.putArray("docs");
        for (SagaId id : ids) {
            docs.addObject()
                    .put("_id", id.value())
                    .putArray("_source")
                    .add("sequence")
                    .add("tombstone");
        }
        Map<SagaId, Version> versions = new HashMap<>();
        for (JsonNode got : get(nodes, alias, body, deadline).values()) {
            if (got.path("found").asBoolean()) {
                versions.put(new SagaId(got.path("_id").asString("")), version(got));
            }
        }
        return versions;
    }

    /** Documents by their ids, as the last acknowledged write left them. */
    static JsonNode get(ElasticsearchNodes nodes, String alias, ObjectNode body, Deadline deadline) {
        Request request = ElasticsearchNodes.request("POST", "/" + alias + "/_mget", body);
        JsonNode docs = nodes.ask(request, deadline).orThrow().path("docs");
        int asked = body.path("docs").size();
        if (docs.size() != asked) throw NodeAnswer.notElasticsearch("%d documents of %d".formatted(docs.size(), asked));
        for (JsonNode got : docs.values()) requireGot(got);
        return docs;
    }

    private static void requireGot(JsonNode got) {
        JsonNode error = got.path("error");
        if (error.isObject()) {
            String reason = error.path("reason").asString("no reason given");
            throw NodeAnswer.failure(503, error.path("type").asString(""), reason);
        }
        if (!got.path("found").isBoolean()) throw NodeAnswer.notElasticsearch("a document neither found nor missing");
    }

    private static Version version(JsonNode got) {
        WriteStamp stamp = WriteStamp.of(got);
        JsonNode source = got.path("_source");
        long sequence = source.path("sequence").asLong(0);
        return source.path("tombstone").isObject() ? stamp.tombstone(sequence) : stamp.version(sequence);
    }

    private static CorruptJournalException corrupt(SagaId id, String found) {
        return new CorruptJournalException(
                "The journal of saga %s is damaged: %s. It is left as it is; other sagas continue."
                        .formatted(id, found));
    }
}
