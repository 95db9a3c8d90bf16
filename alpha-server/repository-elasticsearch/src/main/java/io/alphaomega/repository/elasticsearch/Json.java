package io.alphaomega.repository.elasticsearch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** How requests and answers are JSON. */
final class Json {
    /** Roots are separated by a line feed, as {@code _bulk} wants its lines. */
    static final JsonMapper MAPPER = JsonMapper.builder(
                    JsonFactory.builder().rootValueSeparator("\n").build())
            .build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A resource beside this class. */
    static ObjectNode resource(String name) {
        try (InputStream stream = Objects.requireNonNull(Json.class.getResourceAsStream(name), name)) {
            return (ObjectNode) MAPPER.readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one member of an object whose only member has a name that is not known before. */
    static JsonNode only(JsonNode object) {
        return object.values().iterator().next();
    }
}
