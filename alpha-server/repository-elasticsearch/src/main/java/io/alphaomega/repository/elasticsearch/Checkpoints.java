package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Checkpoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** How checkpoints are read back. */
final class Checkpoints {
    /** One per node that ever was and that nobody has removed. */
    private static final int MAX = 10_000;

    private Checkpoints() {}

    static List<Checkpoint> all(ElasticsearchNodes nodes, String alias, Deadline deadline) {
        JsonNode hits = nodes.ask(
                        ElasticsearchNodes.request(
                                "POST", "/" + alias + "/_search", Json.object().put("size", MAX)),
                        deadline)
                .orThrow()
                .path("hits")
                .path("hits");
        List<Checkpoint> all = new ArrayList<>();
        for (JsonNode hit : hits.values()) {
            JsonNode source = hit.path("_source");
            all.add(new Checkpoint(
                    source.path("node").asString(""),
                    Instant.parse(source.path("completeUpTo").asString("")),
                    Instant.parse(source.path("writtenAt").asString(""))));
        }
        return all;
    }
}
