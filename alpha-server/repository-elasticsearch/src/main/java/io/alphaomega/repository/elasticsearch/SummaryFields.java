package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** How a summary is members of a document, and is read back from the columns that Elasticsearch keeps of them. */
final class SummaryFields {
    private static final List<String> COLUMNS = List.of(
            "id",
            "state",
            "service",
            "operation",
            "businessKey",
            "services",
            "branches",
            "reason",
            "manual",
            "attributes");
    private static final List<String> TIMES = List.of("begunAt", "updatedAt", "endedAt", "wakeUpAt", "orderedAt");

    private SummaryFields() {}

    static void write(JsonGenerator json, SagaSummary saga) {
        json.writeStringProperty("id", saga.id().value());
        json.writeStringProperty("state", saga.state().name());
        json.writeStringProperty("service", saga.service());
        json.writeStringProperty("operation", saga.operation());
        json.writeStringProperty("businessKey", saga.businessKey());
        writeAll(json, "services", saga.services().stream());
        json.writeNumberProperty("branches", saga.branches());
        json.writeStringProperty("reason", saga.reason());
        json.writeBooleanProperty("manual", saga.manual());
        json.writeStringProperty("begunAt", saga.begunAt().toString());
        json.writeStringProperty("updatedAt", saga.updatedAt().toString());
        write(json, "endedAt", saga.endedAt());
        write(json, "wakeUpAt", saga.wakeUpAt());
        // Who has them once keeps them, so that the others need not say so.
        if (!saga.attributes().isEmpty()) {
            writeAll(json, "attributes", Attribute.texts(saga.attributes()).stream());
        }
        if (saga.orderedAt().isPresent()) write(json, "orderedAt", saga.orderedAt());
        // Said, as below.
        if (saga.endedAt().isPresent()) {
            json.writeNumberProperty(
                    "tookMillis",
                    saga.endedAt().get().toEpochMilli() - saga.begunAt().toEpochMilli());
        } else {
            json.writeNullProperty("tookMillis");
        }
        writeAll(json, "grams", isByGrams(saga.state()) ? Grams.of(saga).stream() : Stream.empty());
    }

    /**
     * Whether a saga in that state is found by the grams of its texts. Almost every write is of an active one, soon
     * followed by another, and grams are most of the work of a write; so those are looked at one by one, by whoever looks
     * for a text.
     */
    static boolean isByGrams(State state) {
        return state != State.ACTIVE;
    }

    private static void writeAll(JsonGenerator json, String name, Stream<String> values) {
        json.writeArrayPropertyStart(name);
        values.forEach(json::writeString);
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, String name, Optional<Instant> time) {
        if (time.isPresent()) json.writeStringProperty(name, time.get().toString());
        // Said, because a merge keeps what is not.
        else json.writeNullProperty(name);
    }

    /** What {@link #read} needs. Columns cost no look into the documents, which are large. */
    static void request(ArrayNode columns) {
        COLUMNS.forEach(columns::add);
        TIMES.forEach(time -> requestTime(columns, time));
    }

    static void requestTime(ArrayNode columns, String name) {
        columns.addObject().put("field", name).put("format", "strict_date_time");
    }

    static SagaSummary read(JsonNode fields) {
        String stored = text(fields, "state");
        Optional<State> state = state(stored);
        Set<String> services = new HashSet<>();
        for (JsonNode service : fields.path("services").values()) services.add(service.asString());
        List<String> attributes = new ArrayList<>();
        for (JsonNode attribute : fields.path("attributes").values()) attributes.add(attribute.asString());
        return new SagaSummary(
                new SagaId(text(fields, "id")),
                state.orElse(State.SUSPENDED),
                text(fields, "service"),
                text(fields, "operation"),
                text(fields, "businessKey"),
                services,
                value(fields, "branches").asInt(),
                state.isPresent()
                        ? text(fields, "reason")
                        : "JOURNAL_UNREADABLE: this version knows no state '" + stored + "'",
                value(fields, "manual").asBoolean(),
                time(fields, "begunAt").orElse(Instant.EPOCH),
                time(fields, "updatedAt").orElse(Instant.EPOCH),
                time(fields, "endedAt"),
                time(fields, "wakeUpAt"),
                Attribute.map(attributes),
                time(fields, "orderedAt"));
    }

    /** Empty for one that a newer version has stored, or that is damaged. */
    static Optional<State> state(String stored) {
        return Stream.of(State.values())
                .filter(state -> state.name().equals(stored))
                .findFirst();
    }

    static Optional<Instant> time(JsonNode fields, String name) {
        return value(fields, name).asStringOpt().map(Instant::parse);
    }

    private static String text(JsonNode fields, String name) {
        return value(fields, name).asString("");
    }

    static JsonNode value(JsonNode fields, String name) {
        return fields.path(name).path(0);
    }
}
