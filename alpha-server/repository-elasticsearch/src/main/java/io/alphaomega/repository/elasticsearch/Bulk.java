package io.alphaomega.repository.elasticsearch;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.elasticsearch.client.Request;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** Writes to documents of one index, each conditional and with a result of its own, in one request. */
final class Bulk {
    /** Under the client's patience: what waits for a shard that is away is answered, not abandoned. */
    private static final String SHARD_WITHIN = "3s";

    private static final String ANSWERED =
            "items.*.status,items.*._seq_no,items.*._primary_term,items.*.error.type,items.*.error.reason,error,status";

    private static final int CONFLICT = 409;
    private static final int MISSING = 404;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final JsonGenerator json = Json.MAPPER.createGenerator(bytes);
    private int writes;

    /** What became of one write. */
    record Outcome(int status, WriteStamp stamp, String error, String reason) {
        boolean isDone() {
            return status >= 200 && status < 300; // None at all is none.
        }

        /** Whether the document was not what the write builds on. Anything else that is not done is an exception. */
        boolean isConflict() {
            return status == CONFLICT
                    || (status == MISSING && (error.isEmpty() || error.equals("document_missing_exception")));
        }
    }

    boolean isEmpty() {
        return writes == 0;
    }

    /** A document that must not be there yet. */
    void create(String id, Consumer<JsonGenerator> document) {
        action("create", id, Bulk::always);
        object(document);
    }

    /** Members that are merged into a document that is as that write left it. */
    void merge(String id, WriteStamp stamp, Consumer<JsonGenerator> members) {
        action("update", id, at(stamp));
        json.writeStartObject().writeName("doc");
        object(members);
        // Something is always new; looking for it would cost the server a comparison.
        json.writeBooleanProperty("detect_noop", false).writeEndObject();
    }

    /** Another document in place of one that is as that write left it. */
    void replace(String id, WriteStamp stamp, Consumer<JsonGenerator> document) {
        action("index", id, at(stamp));
        object(document);
    }

    void delete(String id, WriteStamp stamp) {
        action("delete", id, at(stamp));
    }

    /** A document in place of whatever is there and not newer. */
    void put(String id, long version, Consumer<JsonGenerator> document) {
        action("index", id, notNewer(version));
        object(document);
    }

    void deleteNotNewer(String id, long version) {
        action("delete", id, notNewer(version));
    }

    /** A document in place of whatever is there. */
    void put(String id, Consumer<JsonGenerator> document) {
        action("index", id, Bulk::always);
        object(document);
    }

    void delete(String id) {
        action("delete", id, Bulk::always);
    }

    private void action(String name, String id, Consumer<JsonGenerator> condition) {
        writes++;
        json.writeStartObject().writeName(name);
        json.writeStartObject().writeStringProperty("_id", id);
        condition.accept(json);
        json.writeEndObject().writeEndObject();
    }

    private void object(Consumer<JsonGenerator> members) {
        json.writeStartObject();
        members.accept(json);
        json.writeEndObject();
    }

    /** No condition. */
    private static void always(JsonGenerator json) {}

    private static Consumer<JsonGenerator> at(WriteStamp stamp) {
        return json -> json.writeNumberProperty("if_seq_no", stamp.seqNo())
                .writeNumberProperty("if_primary_term", stamp.primaryTerm());
    }

    private static Consumer<JsonGenerator> notNewer(long version) {
        return json -> json.writeNumberProperty("version", version).writeStringProperty("version_type", "external_gte");
    }

    /**
     * Sends it, once. Writes to one document are done in order.
     *
     * @return one outcome per write, in order, each done or a conflict
     */
    List<Outcome> send(ElasticsearchNodes nodes, String alias, Deadline deadline) {
        if (isEmpty()) return List.of();
        json.writeRaw('\n');
        json.close();
        Request request = ElasticsearchNodes.lines("/" + alias + "/_bulk", bytes.toByteArray());
        // An index that somebody deleted must not come back as one that Elasticsearch makes up.
        request.addParameter("require_alias", "true");
        request.addParameter("timeout", SHARD_WITHIN);
        request.addParameter("filter_path", ANSWERED);
        JsonNode items = nodes.tell(request, deadline).orThrow().path("items");
        if (items.size() != writes)
            throw NodeAnswer.notElasticsearch("%d results of %d".formatted(items.size(), writes));
        List<Outcome> outcomes = new ArrayList<>();
        for (JsonNode item : items.values()) outcomes.add(outcome(Json.only(item)));
        return outcomes;
    }

    private static Outcome outcome(JsonNode item) {
        JsonNode error = item.path("error");
        Outcome outcome = new Outcome(
                item.path("status").asInt(),
                WriteStamp.of(item),
                error.path("type").asString(""),
                error.path("reason").asString("no reason given"));
        if (outcome.isDone() || outcome.isConflict()) return outcome;
        throw NodeAnswer.failure(outcome.status(), outcome.error(), outcome.reason());
    }
}
