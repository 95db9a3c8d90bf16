package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.RepositoryUnavailableException;
import tools.jackson.databind.JsonNode;

/**
 * What a node answered.
 *
 * @param body missing if it was not JSON, as that of a proxy in between
 */
record NodeAnswer(int status, JsonNode body) {

    /** The cause of an exception about an index, or an alias, that is not there. */
    static final class IndexGone extends Exception {
        private static final long serialVersionUID = 1;

        private IndexGone() {
            super("no such index", null, false, false);
        }
    }

    boolean isSuccess() {
        return status < 300;
    }

    /** Whether the node itself, or what is in front of it, is in trouble: another node may do better. */
    boolean isOfANodeInTrouble() {
        return status >= 502 && status <= 504;
    }

    /** The machine-readable name of what went wrong. */
    String error() {
        return body.path("error").path("type").asString("");
    }

    /** The body of a success; anything else is an exception that says what it was. */
    JsonNode orThrow() {
        if (!isSuccess()) throw failure();
        if (!body.isObject()) throw notElasticsearch("a body that is not a JSON object");
        return body;
    }

    /** What looks like a success and is none must not be read as an empty store: a proxy's page, another server's answer. */
    static RepositoryUnavailableException notElasticsearch(String found) {
        return new RepositoryUnavailableException(
                "Something answers that is not Elasticsearch, or not all of it (%s). Look at what stands between alpha and the cluster."
                        .formatted(found));
    }

    RepositoryUnavailableException failure() {
        return failure(status, error(), body.path("error").path("reason").asString("no reason given"));
    }

    /** Whether it is so until somebody changes something; an index that takes no writes has the same status. */
    private static boolean isRefusal(int status, String error) {
        return status == 401 || (status == 403 && !error.equals("cluster_block_exception"));
    }

    /** What an error means to whoever operates the cluster. */
    static RepositoryUnavailableException failure(int status, String error, String reason) {
        String found = "%d %s: %s".formatted(status, error.isEmpty() ? "without a type" : error, reason);
        String sentence =
                switch (error) {
                    case "cluster_block_exception" ->
                        "Elasticsearch takes no writes (%s). A disk that is full to the flood-stage watermark does that; alpha goes on once the block is gone."
                                .formatted(found);
                    case "index_not_found_exception" ->
                        "The index is gone (%s). Restore it from a snapshot; a restarted alpha would begin with an empty one."
                                .formatted(found);
                    case "security_exception" ->
                        "Elasticsearch refuses alpha's credentials or lacks a privilege of theirs (%s)."
                                .formatted(found);
                    default ->
                        status == 429
                                ? "Elasticsearch has more work than it takes (%s). Alpha refuses new work until it recovers."
                                        .formatted(found)
                                : "Elasticsearch cannot do it (%s).".formatted(found);
                };
        return error.equals("index_not_found_exception")
                ? new RepositoryUnavailableException(sentence, new IndexGone())
                : new RepositoryUnavailableException(sentence, null, isRefusal(status, error));
    }
}
