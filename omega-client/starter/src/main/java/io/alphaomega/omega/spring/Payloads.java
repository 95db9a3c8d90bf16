package io.alphaomega.omega.spring;

import io.alphaomega.omega.SagaException;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Arguments and results as JSON, written and read by their declared types only: no class name travels, so nothing that
 * arrives can choose a class.
 */
final class Payloads {
    /** Alpha's limit, and the fence's. */
    static final int BYTES_MAX = 64 * 1024;

    private final JsonMapper mapper;

    /** @param mapper the application's; its default typing is not used */
    Payloads(JsonMapper mapper) {
        // Trailing tokens: values are read one after the other out of an array.
        this.mapper = mapper.rebuild()
                .deactivateDefaultTyping()
                .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /** The arguments as a JSON array; empty if the compensation takes none. */
    byte[] arguments(BranchDefinition branch, @Nullable Object[] arguments) {
        List<Type> types = branch.argumentTypes();
        if (branch.compensation().argumentTypes().isEmpty()) return new byte[0];
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        for (int i = 0; i < arguments.length; i++) {
            json.write(i == 0 ? '[' : ',');
            json.writeBytes(encode(branch, "argument " + (i + 1), types.get(i), arguments[i]));
        }
        json.write(']');
        return limited(branch, "arguments", json.toByteArray());
    }

    byte[] result(BranchDefinition branch, @Nullable Object result) {
        return limited(branch, "result", encode(branch, "result", branch.resultType(), result));
    }

    /** @throws UndecodableException if the bytes do not say values of these types */
    @Nullable
    Object[] arguments(List<Type> types, byte[] json) {
        @Nullable Object[] values = new Object[types.size()];
        if (types.isEmpty()) return values;
        try (JsonParser parser = mapper.createParser(json)) {
            require(parser.nextToken() == JsonToken.START_ARRAY, "an array was expected");
            for (int i = 0; i < values.length; i++) {
                require(parser.nextToken() != JsonToken.END_ARRAY, "there are too few arguments");
                values[i] = mapper.readerFor(mapper.constructType(types.get(i))).readValue(parser);
            }
            require(parser.nextToken() == JsonToken.END_ARRAY, "there are too many arguments");
            return values;
        } catch (UndecodableException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new UndecodableException("the arguments are not of the declared types " + types + ": " + reason(e));
        }
    }

    /** @throws UndecodableException if the bytes do not say a value of this type */
    @Nullable
    Object result(Type type, byte @Nullable [] json) {
        boolean primitive = type instanceof Class<?> c && c.isPrimitive();
        if (json == null || json.length == 0) {
            require(!primitive, "there is no result, but the declared type is " + type);
            return null;
        }
        try {
            return mapper.readerFor(mapper.constructType(type)).readValue(json);
        } catch (RuntimeException e) {
            throw new UndecodableException("the result is not of the declared type " + type + ": " + reason(e));
        }
    }

    private byte[] encode(BranchDefinition branch, String what, Type type, @Nullable Object value) {
        try {
            return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
        } catch (RuntimeException e) {
            throw new SagaException(
                    "The %s of %s, a %s, cannot be written as JSON (%s); the branch fails. Pass a plain value, such as a key."
                            .formatted(what, branch.operation(), type.getTypeName(), reason(e)),
                    e);
        }
    }

    private static byte[] limited(BranchDefinition branch, String what, byte[] json) {
        if (json.length <= BYTES_MAX) return json;
        throw new SagaException(
                "The %s of %s: %d bytes as JSON, but at most %d are possible; the branch fails. Keep it in a table of your own and pass its key."
                        .formatted(what, branch.operation(), json.length, BYTES_MAX));
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new UndecodableException(sentence);
    }

    /** Without the message, which shows values. */
    private static String reason(RuntimeException e) {
        String name = e.getClass().getSimpleName();
        return e instanceof JacksonException json ? name + " at " + json.getPathReference() : name;
    }

    /**
     * The bytes of a callback do not say what its method declares; trying again cannot help. It has no cause: Jackson's
     * messages show values, and payloads never reach a log.
     */
    static final class UndecodableException extends RuntimeException {
        UndecodableException(String message) {
            super(message);
        }
    }
}
