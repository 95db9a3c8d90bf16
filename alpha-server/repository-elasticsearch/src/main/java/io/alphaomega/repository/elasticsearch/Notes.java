package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What nodes note about the store: one document of all notes, in the index of the sagas, so that a snapshot of that has
 * them.
 */
final class Notes {
    /** No saga's: ids have no slash. Without a summary it is found by no search. */
    private static final String ID = "notes/all";

    /** Of two that write at once one wins; who loses so often has met something else. */
    private static final int ATTEMPTS = 100;

    private Notes() {}

    static Map<String, String> all(ElasticsearchNodes nodes, String alias, Deadline deadline) {
        return read(got(nodes, alias, deadline));
    }

    static void put(ElasticsearchNodes nodes, String alias, String name, String text, Deadline deadline) {
        for (int attempt = 0; attempt < ATTEMPTS && !deadline.isOver(); attempt++) {
            JsonNode got = got(nodes, alias, deadline);
            Map<String, String> notes = read(got);
            if (text.isEmpty()) notes.remove(name);
            else notes.put(name, text);
            if (replaced(nodes, alias, got, notes, deadline)) return;
        }
        throw new RepositoryUnavailableException(
                "The note %s was not stored: others changed the notes each time that it was tried.".formatted(name));
    }

    private static boolean replaced(
            ElasticsearchNodes nodes, String alias, JsonNode got, Map<String, String> notes, Deadline deadline) {
        ObjectNode texts = Json.object();
        notes.forEach(texts::put);
        Bulk bulk = new Bulk();
        if (got.path("found").asBoolean()) {
            bulk.replace(ID, WriteStamp.of(got), json -> json.writePOJOProperty("events", texts));
        } else {
            bulk.create(ID, json -> json.writePOJOProperty("events", texts));
        }
        return bulk.send(nodes, alias, deadline).getFirst().isDone();
    }

    private static Map<String, String> read(JsonNode got) {
        Map<String, String> notes = new HashMap<>();
        for (Map.Entry<String, JsonNode> each :
                got.path("_source").path("events").properties()) {
            notes.put(each.getKey(), each.getValue().asString(""));
        }
        return notes;
    }

    private static JsonNode got(ElasticsearchNodes nodes, String alias, Deadline deadline) {
        ObjectNode body = Json.object();
        body.putArray("docs").addObject().put("_id", ID);
        return Journals.get(nodes, alias, body, deadline).path(0);
    }
}
