package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.RepositoryUnavailableException;
import org.elasticsearch.client.Request;
import tools.jackson.databind.JsonNode;

/** What the cluster says of an index. Asked of every version, {@code GET /} is not: it answers 405 where it has no module. */
record ClusterHealth(String alias, String status, int dataNodes) {
    private static final String ANSWERED_WITHIN = "2s";
    private static final int TIMED_OUT = 408;

    static ClusterHealth of(ElasticsearchNodes nodes, String alias, Deadline deadline) {
        Request request = ElasticsearchNodes.request("GET", "/_cluster/health/" + alias);
        request.addParameter("timeout", ANSWERED_WITHIN);
        request.addParameter("master_timeout", ANSWERED_WITHIN);
        NodeAnswer answer = nodes.ask(request, deadline);
        JsonNode health = answer.status() == TIMED_OUT ? answer.body() : answer.orThrow();
        return new ClusterHealth(
                alias,
                health.path("status").asString("unknown"),
                health.path("number_of_data_nodes").asInt(0));
    }

    void requireWritable() {
        if (status.equals("green") || status.equals("yellow")) return;
        throw new RepositoryUnavailableException(
                "Index %s is %s: not all of its primary shards have a node. Start the nodes that are missing."
                        .formatted(alias, status));
    }
}
