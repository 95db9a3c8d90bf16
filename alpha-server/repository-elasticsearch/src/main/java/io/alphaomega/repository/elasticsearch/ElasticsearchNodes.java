package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.RepositoryUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.http.entity.ContentType;
import org.apache.http.nio.entity.NByteArrayEntity;
import org.elasticsearch.client.Request;
import tools.jackson.databind.JsonNode;

/**
 * The addresses of the cluster. Each request goes to the next one; those that do not answer, or say that they are in
 * trouble, are asked last, and are told something again only once they have answered a question.
 */
final class ElasticsearchNodes implements AutoCloseable {
    private static final ContentType LINES = ContentType.create("application/x-ndjson");

    private final List<ElasticsearchNode> nodes;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile boolean closed;

    ElasticsearchNodes(List<ElasticsearchNode> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    static Request request(String method, String path) {
        return new Request(method, path);
    }

    static Request request(String method, String path, JsonNode body) {
        Request request = new Request(method, path);
        request.setEntity(new NByteArrayEntity(Json.MAPPER.writeValueAsBytes(body), ContentType.APPLICATION_JSON));
        return request;
    }

    static Request lines(String path, byte[] body) {
        Request request = new Request("POST", path);
        request.setEntity(new NByteArrayEntity(body, LINES));
        return request;
    }

    /** Asks one node after the other until one answers: for what may be repeated. */
    NodeAnswer ask(Request request, Deadline deadline) {
        return send(request, deadline, true);
    }

    /** Tells one node, and another only if the first was surely not told: for what must not be done twice. */
    NodeAnswer tell(Request request, Deadline deadline) {
        return send(request, deadline, false);
    }

    private NodeAnswer send(Request request, Deadline deadline, boolean repeatable) {
        List<String> failures = new ArrayList<>();
        RuntimeException failure = new RepositoryUnavailableException("Elasticsearch was not asked.");
        for (ElasticsearchNode node : inTurn(repeatable)) {
            if (closed) throw new RepositoryUnavailableException("The repository is closed.");
            if (!failures.isEmpty() && deadline.isOver()) break;
            try {
                NodeAnswer answer = node.send(request, deadline);
                if (!answer.isOfANodeInTrouble()) {
                    node.trust();
                    return answer;
                }
                node.avoid();
                if (!repeatable) return answer;
                failures.add("%s answers %d".formatted(node.uri(), answer.status()));
                failure = unavailable(failures, answer.failure());
            } catch (IOException e) {
                node.avoid();
                failures.add("%s: %s".formatted(node.uri(), e.getMessage()));
                failure = unavailable(failures, e);
                if (!repeatable && !ElasticsearchNode.isUnsent(e)) break;
            }
        }
        throw failure;
    }

    private static RepositoryUnavailableException unavailable(List<String> failures, Exception last) {
        return new RepositoryUnavailableException(
                "Elasticsearch does not answer (%s).".formatted(String.join("; ", failures)), last);
    }

    private List<ElasticsearchNode> inTurn(boolean repeatable) {
        int first = Math.floorMod(turn.getAndIncrement(), nodes.size());
        List<ElasticsearchNode> order = new ArrayList<>(nodes.size());
        List<ElasticsearchNode> avoided = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            ElasticsearchNode node = nodes.get((first + i) % nodes.size());
            boolean last = node.isAvoided() || (!repeatable && !node.isTrusted());
            (last ? avoided : order).add(node);
        }
        order.addAll(avoided);
        return order;
    }

    @Override
    public void close() {
        closed = true;
        for (ElasticsearchNode node : nodes) {
            try {
                node.close();
            } catch (IOException e) {
                // It is gone for this repository either way.
            }
        }
    }
}
