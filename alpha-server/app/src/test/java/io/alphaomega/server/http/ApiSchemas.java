package io.alphaomega.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The schemas of the document, by which answers are judged: also one with a field that the document does not know. */
final class ApiSchemas {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String HERE = "https://alpha/openapi.json";

    private final ObjectNode document;
    private final SchemaRegistry registry;

    private ApiSchemas(ObjectNode document) {
        this.document = document;
        ObjectNode strict = document.deepCopy();
        for (JsonNode schema : strict.at("/components/schemas")) {
            if (schema.has("properties")) ((ObjectNode) schema).put("additionalProperties", false);
        }
        this.registry = SchemaRegistry.withDialect(
                Dialects.getOpenApi31(), builder -> builder.schemas(Map.of(HERE, strict.toString())));
    }

    /** The document as the build has put it into alpha. */
    static String yaml() throws IOException {
        return new ClassPathResource("docs/openapi.yaml").getContentAsString(UTF_8);
    }

    static ApiSchemas built() throws IOException {
        Object parsed = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml());
        return new ApiSchemas(JSON.valueToTree(parsed));
    }

    JsonNode document() {
        return document;
    }

    void assertFits(String method, String path, HttpResponse<String> answer) throws IOException {
        assertThat(fits(method, path, answer)).as(answer.body()).isEqualTo(200);
    }

    /**
     * Refuses an answer that the document does not have.
     *
     * @param answer a text, or a stream of one that ends
     * @return its status
     */
    int fits(String method, String path, HttpResponse<?> answer) throws IOException {
        String type = answer.headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
        JsonNode response = document.path("paths")
                .path(path)
                .path(method)
                .path("responses")
                .path(Integer.toString(answer.statusCode()));
        if (response.has("$ref"))
            response = document.at(response.path("$ref").asString().substring(1));
        JsonNode schema = response.path("content").path(type).path("schema");
        assertThat(schema.isObject())
                .as("%s %s may answer %d with %s", method, path, answer.statusCode(), type)
                .isTrue();
        String body = answer.body() instanceof InputStream stream
                ? new String(stream.readAllBytes(), UTF_8)
                : String.valueOf(answer.body());
        assertFits(schema.path("$ref").asString(), body);
        return answer.statusCode();
    }

    /** @param schema such as {@code #/components/schemas/Overview} */
    void assertFits(String schema, String json) {
        Schema known = registry.getSchema(SchemaLocation.of(HERE + schema));
        assertThat(known.validate(json, InputFormat.JSON)).as(json).isEmpty();
    }

    /** Where a description is missing. */
    static List<String> withoutDescription(JsonNode document) {
        List<String> missing = new ArrayList<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    String route = operation.getKey() + " " + path.getKey();
                    if (operation.getValue().path("summary").asString().isBlank()) missing.add(route);
                    for (JsonNode parameter : operation.getValue().path("parameters")) {
                        if (parameter.path("description").asString().isBlank()) missing.add(route + " " + parameter);
                    }
                }));
        document.at("/components/schemas").properties().forEach(schema -> {
            if (schema.getValue().path("description").asString().isBlank()) missing.add(schema.getKey());
            schema.getValue().path("properties").properties().forEach(property -> {
                if (property.getValue().path("description").asString("").isBlank()) {
                    missing.add(schema.getKey() + "." + property.getKey());
                }
            });
        });
        return missing;
    }
}
