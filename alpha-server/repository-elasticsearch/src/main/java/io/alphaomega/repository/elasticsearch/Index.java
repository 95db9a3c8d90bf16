package io.alphaomega.repository.elasticsearch;

import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An index of alpha's, by its alias: a write to an alias that is gone fails, where one to an index that is gone would make
 * a new one.
 *
 * @param mapping the resource that says what its documents are
 * @param settings further ones, of an index that is made
 */
record Index(String alias, String mapping, int shards, int replicas, Map<String, String> settings) {
    /** Of what is written. An alpha refuses an index whose documents a newer one has shaped. */
    static final int SCHEMA = 1;

    private static final int NOT_FOUND = 404;

    /** Above that of the templates that come with Elasticsearch. */
    private static final int PRIORITY = 500;

    /** Finds it or makes it; several alphas may do so at once. An index that must not be used is an exception. */
    IndexState open(ElasticsearchNodes nodes, Deadline deadline) {
        Optional<IndexState> found = find(nodes, deadline);
        if (found.isEmpty()) {
            make(nodes, deadline);
            found = find(nodes, deadline);
        }
        return found.orElseThrow(() -> new IllegalStateException(
                "Index %s was made but has no alias %s: delete the index if it is empty, or give it the alias, then start alpha again."
                        .formatted(name(), alias)));
    }

    private String name() {
        return alias + "-" + SCHEMA;
    }

    private Optional<IndexState> find(ElasticsearchNodes nodes, Deadline deadline) {
        Optional<JsonNode> found = named(nodes, deadline).map(Json::only);
        found.map(index -> index.path("mappings")).ifPresent(mappings -> {
            requireSchema(mappings.path("_meta").path("schema").asInt(0));
            addFields(nodes, mappings.path("properties"), deadline);
        });
        return found.map(index ->
                IndexState.of(alias, index.path("settings").path("index")).requireUsable());
    }

    /**
     * Gives an index of an earlier alpha the fields that have come since. Its documents are without them until they are
     * written again: searches look through them, but for attributes and orders, by which they are not found.
     */
    private void addFields(ElasticsearchNodes nodes, JsonNode there, Deadline deadline) {
        JsonNode wanted = Json.resource(mapping).path("properties");
        if (hasAll(there, wanted)) return;
        ObjectNode more = Json.object();
        more.set("properties", wanted);
        nodes.ask(ElasticsearchNodes.request("PUT", "/" + alias + "/_mapping", more), deadline)
                .orThrow();
    }

    private static boolean hasAll(JsonNode there, JsonNode wanted) {
        return wanted.propertyNames().stream()
                .allMatch(name -> there.has(name)
                        && hasAll(
                                there.path(name).path("fields"),
                                wanted.path(name).path("fields")));
    }

    /** The index that the alias names, by its own name; empty if there is no such alias. */
    private Optional<JsonNode> named(ElasticsearchNodes nodes, Deadline deadline) {
        NodeAnswer answer = nodes.ask(ElasticsearchNodes.request("GET", "/" + alias), deadline);
        if (answer.status() == NOT_FOUND) return Optional.empty();
        JsonNode found = answer.orThrow();
        if (found.size() != 1) {
            throw new IllegalStateException("Alias %s stands for %d indices, but alpha writes to one: %s."
                    .formatted(alias, found.size(), found.propertyNames()));
        }
        if (Json.only(found).path("aliases").path(alias).isMissingNode()) {
            throw new IllegalStateException(
                    "%s is an index, but alpha expects an alias of that name; choose another index-prefix, or delete it."
                            .formatted(alias));
        }
        return Optional.of(found);
    }

    boolean isThere(ElasticsearchNodes nodes, Deadline deadline) {
        return named(nodes, deadline).isPresent();
    }

    private void requireSchema(int schema) {
        if (schema == SCHEMA) return;
        throw new IllegalStateException(
                schema > SCHEMA
                        ? "Index %s has schema %d, but this alpha knows %d at most: a newer alpha made it; start that one."
                                .formatted(alias, schema, SCHEMA)
                        : "Index %s was not made by alpha: it has no schema in its _meta; choose another index-prefix."
                                .formatted(alias));
    }

    private void make(ElasticsearchNodes nodes, Deadline deadline) {
        nodes.ask(ElasticsearchNodes.request("PUT", "/_index_template/" + alias, template()), deadline)
                .orThrow();
        NodeAnswer made = nodes.ask(ElasticsearchNodes.request("PUT", "/" + name()), deadline);
        // Another alpha was faster, or an attempt of ours whose answer was lost.
        if (!made.error().equals("resource_already_exists_exception")) made.orThrow();
    }

    private ObjectNode template() {
        ObjectNode template = Json.object();
        template.putArray("index_patterns").add(name());
        template.put("priority", PRIORITY);
        ObjectNode inner = template.putObject("template");
        ObjectNode index = inner.putObject("settings").putObject("index");
        index.put("number_of_shards", shards);
        index.put("number_of_replicas", replicas);
        index.put("refresh_interval", "1s");
        index.put("translog.durability", "request");
        settings.forEach(index::put);
        ObjectNode mappings = Json.resource(mapping);
        mappings.putObject("_meta").put("schema", SCHEMA);
        inner.set("mappings", mappings);
        inner.putObject("aliases").putObject(alias);
        return template;
    }

    /** The settings as they are now. */
    IndexState state(ElasticsearchNodes nodes, Deadline deadline) {
        JsonNode answer = nodes.ask(ElasticsearchNodes.request("GET", "/" + alias + "/_settings"), deadline)
                .orThrow();
        if (answer.size() != 1) throw NodeAnswer.notElasticsearch("settings of %d indices".formatted(answer.size()));
        return IndexState.of(alias, Json.only(answer).path("settings").path("index"));
    }

    /** What was written before is found by every search that begins after it. */
    void refresh(ElasticsearchNodes nodes, Deadline deadline) {
        nodes.ask(ElasticsearchNodes.request("POST", "/" + alias + "/_refresh"), deadline)
                .orThrow();
    }

    /** Deletes the index that the alias names, if there is one: after a restore its name may be another than alpha's. */
    void delete(ElasticsearchNodes nodes, Deadline deadline) {
        Optional<JsonNode> named = named(nodes, deadline);
        if (named.isEmpty()) return;
        String concrete = named.get().propertyNames().iterator().next();
        NodeAnswer deleted = nodes.ask(ElasticsearchNodes.request("DELETE", "/" + concrete), deadline);
        if (deleted.status() != NOT_FOUND) deleted.orThrow();
    }
}
