package io.alphaomega.omega.spring.payload;

import io.alphaomega.omega.PayloadCodec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * What alpha keeps with a branch for its callbacks: the arguments, and what interceptors captured. If they captured
 * nothing it is the arguments themselves, an array or nothing, as ever; else an object of both.
 */
public final class Envelope {
    private static final String CAPTURED = "captured";
    private static final String ARGUMENTS = "arguments";
    private static final PayloadCodec TEXTS = new StrictJson();

    private final Map<String, String> captured;
    private final byte[] arguments;

    /** @param arguments as {@link Payloads} writes them */
    Envelope(Map<String, String> captured, byte[] arguments) {
        this.captured = captured;
        this.arguments = arguments;
    }

    public Map<String, String> captured() {
        return captured;
    }

    public byte[] arguments() {
        return arguments;
    }

    byte[] bytes() {
        if (captured.isEmpty()) return arguments;
        StringJoiner members = new StringJoiner(",", "{", "}");
        captured.forEach((key, value) -> members.add(quoted(key) + ":" + quoted(value)));
        StringJoiner whole = new StringJoiner(",", "{", "}");
        whole.add(quoted(CAPTURED) + ":" + members);
        if (arguments.length > 0) whole.add(quoted(ARGUMENTS) + ":" + new String(arguments, StandardCharsets.UTF_8));
        return whole.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        return new String(TEXTS.encode(String.class, text), StandardCharsets.UTF_8);
    }

    /**
     * Reads what {@link #bytes} wrote.
     *
     * @throws Payloads.UndecodableException if these are no such bytes
     */
    public static Envelope of(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != '{') return new Envelope(Map.of(), bytes);
        Map<String, String> captured = new TreeMap<>();
        byte[] arguments = new byte[0];
        try {
            for (Map.Entry<String, byte[]> each : JsonPieces.members(bytes).entrySet()) {
                switch (each.getKey()) {
                    case CAPTURED ->
                        JsonPieces.members(each.getValue())
                                .forEach((key, value) -> captured.put(key, JsonPieces.text(value)));
                    case ARGUMENTS -> arguments = each.getValue();
                    default ->
                        throw new Payloads.UndecodableException("'" + each.getKey() + "' stands beside the arguments");
                }
            }
        } catch (JsonPieces.BrokenException e) {
            throw new Payloads.UndecodableException("the arguments, and what was captured with them, are not JSON");
        }
        return new Envelope(captured, arguments);
    }
}
