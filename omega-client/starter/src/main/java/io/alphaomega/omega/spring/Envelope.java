package io.alphaomega.omega.spring;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What alpha keeps with a branch for its callbacks: the arguments, and what interceptors captured. If they captured
 * nothing it is the arguments themselves, an array or nothing, as ever; else an object of both.
 */
final class Envelope {
    private static final String CAPTURED = "captured";
    private static final String ARGUMENTS = "arguments";
    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, String> captured;
    private final byte[] arguments;

    /** @param arguments as {@link Payloads} writes them */
    Envelope(Map<String, String> captured, byte[] arguments) {
        this.captured = captured;
        this.arguments = arguments;
    }

    Map<String, String> captured() {
        return captured;
    }

    byte[] arguments() {
        return arguments;
    }

    byte[] bytes() {
        if (captured.isEmpty()) return arguments;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeName(CAPTURED);
            json.writeStartObject();
            captured.forEach((key, value) -> {
                json.writeName(key);
                json.writeString(value);
            });
            json.writeEndObject();
            if (arguments.length > 0) {
                json.writeName(ARGUMENTS);
                json.writeRawValue(new String(arguments, StandardCharsets.UTF_8));
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** @throws Payloads.UndecodableException if these are no such bytes */
    static Envelope of(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != '{') return new Envelope(Map.of(), bytes);
        Map<String, String> captured = new TreeMap<>();
        byte[] arguments = new byte[0];
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals(CAPTURED)) {
                    readInto(captured, json);
                } else if (name.equals(ARGUMENTS)) {
                    int from = (int) json.currentTokenLocation().getByteOffset();
                    json.skipChildren();
                    json.finishToken();
                    arguments = Arrays.copyOfRange(
                            bytes, from, (int) json.currentLocation().getByteOffset());
                } else {
                    throw new Payloads.UndecodableException("'" + name + "' stands beside the arguments");
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT) throw broken();
        } catch (JacksonException e) {
            throw broken();
        }
        return new Envelope(captured, arguments);
    }

    private static void readInto(Map<String, String> captured, JsonParser json) {
        if (json.currentToken() != JsonToken.START_OBJECT) throw broken();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String key = json.currentName();
            if (json.nextToken() != JsonToken.VALUE_STRING) throw broken();
            captured.put(key, json.getString());
        }
    }

    private static Payloads.UndecodableException broken() {
        return new Payloads.UndecodableException("the arguments, and what was captured with them, are not JSON");
    }
}
