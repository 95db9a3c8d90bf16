package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.ScanPosition;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.elasticsearch.client.Request;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is asked of an index of summaries. It knows of a write once it was refreshed after it. */
record Searches(ElasticsearchNodes nodes, String alias) {
    /** Somebody waits in front of a screen; and it must be over before the client gives up. */
    private static final String SEARCH_WITHIN = "4s";

    /** What a search leaves to be compared here is asked for in larger pieces than are wanted: one page at most. */
    private static final int COMPARED = SagaRepository.PAGE_MAX;

    Page<SagaId> due(Instant until, Cursor cursor, int limit, Deadline deadline) {
        ObjectNode search = search(limit + 1);
        ArrayNode filter = filter(search);
        Conditions.range(filter, "wakeUpAt").put("lte", until.toString());
        sort(search, "wakeUpAt", "asc", ScanPosition.of(cursor, ScanPosition.Scan.DUE));
        ArrayNode columns = search.putArray("docvalue_fields");
        columns.add("id");
        SummaryFields.requestTime(columns, "wakeUpAt");
        List<ScanPosition> places = new ArrayList<>();
        for (JsonNode hit : hits(search, deadline).values()) {
            JsonNode fields = hit.path("fields");
            places.add(new ScanPosition(
                    SummaryFields.time(fields, "wakeUpAt").orElse(Instant.EPOCH).toEpochMilli(),
                    SummaryFields.value(fields, "id").asString("")));
        }
        Optional<Cursor> next = places.size() <= limit
                ? Optional.empty()
                : Optional.of(places.get(limit - 1).cursor(ScanPosition.Scan.DUE));
        return new Page<>(
                places.stream()
                        .limit(limit)
                        .map(place -> new SagaId(place.id()))
                        .toList(),
                next);
    }

    Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit, Deadline deadline) {
        boolean byGrams = query.text().isPresent() || query.reason().isPresent();
        Page<SagaSummary> page = page(query, cursor, limit, byGrams ? COMPARED : limit, deadline);
        // A page may be shorter than the next one, but nobody turns empty ones.
        while (page.items().isEmpty() && page.next().isPresent()) {
            if (deadline.isOver()) throw givenUp();
            page = page(query, page.next().get(), limit, COMPARED, deadline);
        }
        return page;
    }

    /** @param most how many are compared, at least as many as are wanted */
    private Page<SagaSummary> page(SagaQuery query, Cursor cursor, int limit, int most, Deadline deadline) {
        ObjectNode search = search(most + 1);
        new Conditions(filter(search)).of(query);
        sort(search, "begunAt", "desc", ScanPosition.of(cursor, ScanPosition.Scan.FIND));
        SummaryFields.request(search.putArray("docvalue_fields"));
        List<SagaSummary> found = new ArrayList<>();
        for (JsonNode hit : hits(search, deadline).values()) found.add(SummaryFields.read(hit.path("fields")));
        List<SagaSummary> items =
                found.stream().limit(most).filter(query::matches).toList();
        if (items.size() > limit) return new Page<>(items.subList(0, limit), Optional.of(after(items.get(limit - 1))));
        return new Page<>(items, found.size() > most ? Optional.of(after(found.get(most - 1))) : Optional.empty());
    }

    Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit, Deadline deadline) {
        ObjectNode search = search(limit + 1);
        Conditions.range(filter(search), "orderedAt").put("gte", since.toString());
        sort(search, "orderedAt", "desc", ScanPosition.of(cursor, ScanPosition.Scan.ORDERED));
        SummaryFields.request(search.putArray("docvalue_fields"));
        List<SagaSummary> found = new ArrayList<>();
        for (JsonNode hit : hits(search, deadline).values()) found.add(SummaryFields.read(hit.path("fields")));
        if (found.size() <= limit) return new Page<>(found, Optional.empty());
        SagaSummary last = found.get(limit - 1);
        ScanPosition place = new ScanPosition(
                last.orderedAt().orElseThrow().toEpochMilli(), last.id().value());
        return new Page<>(found.subList(0, limit), Optional.of(place.cursor(ScanPosition.Scan.ORDERED)));
    }

    private static Cursor after(SagaSummary saga) {
        return new ScanPosition(saga.begunAt().toEpochMilli(), saga.id().value()).cursor(ScanPosition.Scan.FIND);
    }

    SagaCounts counts(Set<State> wanted, Deadline deadline) {
        ObjectNode search = search(0);
        // Without a condition those in states that a newer version has stored count as well.
        if (!wanted.containsAll(List.of(State.values()))) Conditions.states(filter(search), wanted.stream());
        search.putObject("aggs")
                .putObject("states")
                .putObject("terms")
                .put("field", "state")
                .put("size", 2 * State.values().length);
        JsonNode buckets =
                answer(search, deadline).path("aggregations").path("states").path("buckets");
        if (!buckets.isArray()) throw NodeAnswer.notElasticsearch("a count without states");
        Map<State, Long> counts = new EnumMap<>(State.class);
        for (JsonNode bucket : buckets.values()) {
            State state = SummaryFields.state(bucket.path("key").asString("")).orElse(State.SUSPENDED);
            counts.merge(state, bucket.path("doc_count").asLong(0), Long::sum);
        }
        return new SagaCounts(counts);
    }

    /** Hits with their stamp, the sequence and how and when the saga ended; the earliest end first. */
    JsonNode ended(Instant before, int limit, Deadline deadline) {
        ObjectNode search = search(limit);
        ArrayNode filter = filter(search);
        Conditions.range(filter, "endedAt").put("lt", before.toString());
        Conditions.states(filter, Stream.of(State.values()).filter(State::isEnded));
        sort(search, "endedAt", "asc", Optional.empty());
        ArrayNode columns = search.putArray("docvalue_fields").add("state").add("sequence");
        SummaryFields.requestTime(columns, "endedAt");
        return hits(search.put("seq_no_primary_term", true), deadline);
    }

    /** Hits with their stamp; the earliest end first. */
    JsonNode tombstones(Instant endedBefore, int limit, Deadline deadline) {
        ObjectNode search = search(limit);
        Conditions.range(filter(search), "tombstone.endedAt").put("lt", endedBefore.toString());
        sort(search, "tombstone.endedAt", "asc", Optional.empty());
        return hits(search.put("seq_no_primary_term", true), deadline);
    }

    private static ObjectNode search(int size) {
        return Json.object()
                .put("size", size)
                .put("_source", false)
                .put("track_total_hits", false)
                .put("timeout", SEARCH_WITHIN);
    }

    private static ArrayNode filter(ObjectNode search) {
        return search.putObject("query").putObject("bool").putArray("filter");
    }

    private static void sort(ObjectNode search, String time, String order, Optional<ScanPosition> after) {
        search.putArray("sort")
                .add(Json.object().put(time, order))
                .add(Json.object().put("id", order));
        after.ifPresent(place -> search.putArray("search_after")
                .add(Instant.ofEpochMilli(place.millis()).toString())
                .add(place.id()));
    }

    private JsonNode hits(ObjectNode search, Deadline deadline) {
        JsonNode hits = answer(search, deadline).path("hits").path("hits");
        if (!hits.isArray()) throw NodeAnswer.notElasticsearch("a search without hits");
        return hits;
    }

    private JsonNode answer(ObjectNode search, Deadline deadline) {
        Request request = ElasticsearchNodes.request("POST", "/" + alias + "/_search", search);
        request.addParameter("allow_partial_search_results", "false");
        // The same copy each time: another may not yet know of a write that a page before has shown.
        request.addParameter("preference", "alpha");
        JsonNode answer = nodes.ask(request, deadline).orThrow();
        if (answer.path("timed_out").asBoolean(false)) {
            throw givenUp();
        }
        return answer;
    }

    private static RepositoryUnavailableException givenUp() {
        return new RepositoryUnavailableException(
                "The search was given up after %s: it looks at too many sagas. Narrow it by time, state or service."
                        .formatted(SEARCH_WITHIN));
    }
}
