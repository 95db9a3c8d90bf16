package io.alphaomega.server.http;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What springdoc does not say of a record: which fields may be null, which are always there, and what they mean. */
final class RecordSchema {
    private RecordSchema() {}

    /** @param required of a body what must be there; null for an answer, which has every field */
    static void describe(ObjectNode schema, Class<?> type, @Nullable List<String> required) {
        String said = Javadocs.of(type);
        schema.put("description", said);
        ObjectNode properties = (ObjectNode) schema.path("properties");
        List<String> names = new ArrayList<>();
        fields(type).forEach((name, component) -> {
            names.add(name);
            if (!(properties.get(name) instanceof ObjectNode property)) return;
            boolean nullable = mayBeNull(component) && (required == null || !required.contains(name));
            JsonNode described = nullable ? orNull(property) : property;
            ((ObjectNode) described)
                    .put(
                            "description",
                            Javadocs.ofComponents(component.getDeclaringRecord())
                                    .getOrDefault(name, ""));
            properties.set(name, described);
        });
        for (Method getter : type.getDeclaredMethods()) {
            String name = getter.getName().replaceFirst("^is", "").toLowerCase(Locale.ROOT);
            if (names.contains(name) || !(properties.get(name) instanceof ObjectNode property)) continue;
            property.put("description", Javadocs.of(getter));
            names.add(name);
        }
        schema.remove("required");
        schema.putPOJO("required", required == null ? names : required);
        if (required != null) schema.put("additionalProperties", false);
    }

    /** Those of JSON. */
    private static Map<String, RecordComponent> fields(Class<?> type) {
        Map<String, RecordComponent> fields = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class))
                fields.putAll(fields(component.getType()));
            else fields.put(component.getName(), component);
        }
        return fields;
    }

    private static boolean mayBeNull(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static ObjectNode orNull(ObjectNode schema) {
        ObjectNode either = schema.objectNode();
        if (schema.has("$ref")) {
            either.putArray("anyOf").add(schema).addObject().put("type", "null");
            return either;
        }
        String type = schema.path("type").asString();
        either.putArray("type").add(type).add("null");
        schema.remove("type");
        return either.setAll(schema);
    }

    /** The same field with the limits of {@code known}. */
    static void narrow(ObjectNode property, ObjectNode known) {
        known.properties().forEach(each -> {
            if (each.getKey().equals("type")) return;
            property.set(each.getKey(), each.getValue().deepCopy());
        });
        // A field that may be null has null among its values.
        if (property.get("enum") instanceof ArrayNode values
                && property.path("type").isArray()) values.addNull();
    }

    /** The records that {@code type} consists of, by name, put into {@code found}. */
    static void collect(Type type, Map<String, Class<?>> found) {
        if (type instanceof ParameterizedType of) {
            for (Type argument : of.getActualTypeArguments()) collect(argument, found);
        }
        if (!(type instanceof Class<?> known) || !known.isRecord()) return;
        if (found.put(known.getSimpleName(), known) != null) return;
        for (RecordComponent component : known.getRecordComponents()) collect(component.getGenericType(), found);
    }
}
