package io.alphaomega.omega.spring;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.SagaException;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Arguments and results as bytes: a JSON array of the one, a JSON value of the other, by the codec. */
final class Payloads {
    private static final Logger log = LoggerFactory.getLogger(Payloads.class);

    /** Alpha's limit, and the fence's. */
    static final int BYTES_MAX = 64 * 1024;

    /** A tenant and a user, and room: each branch carries it to alpha, and a saga may have 500. */
    static final int CAPTURED_BYTES = 2 * 1024;

    private final PayloadCodec codec;

    /** Omega's own JSON, where that is what is written; of another codec nobody knows what it loses. */
    private final @Nullable StrictJson checked;

    Payloads(PayloadCodec codec) {
        this.codec = codec;
        PayloadCodec inner = codec instanceof EncryptedPayloads encrypted ? encrypted.inner() : codec;
        this.checked = inner instanceof StrictJson json ? json : null;
    }

    /**
     * Names what would not come back whole for a callback or to a repeated call, as far as types tell.
     *
     * @param fence whether there is one that keeps results
     * @throws OmegaConfigurationException if something could not come back at all
     */
    void check(BranchDefinition branch, boolean fence) {
        StrictJson json = checked;
        if (json == null) return;
        List<CallbackMethod> callbacks = branch.callbacks();
        Method named = branch.declared().isNone()
                ? branch.method()
                : branch.compensation().method();
        List<Type> kept = branch.keptTypes();
        List<String> lost = new ArrayList<>();
        for (int i = 0; i < kept.size(); i++) {
            String what = "argument " + (i + 1) + " (" + named.getParameters()[i].getName() + ")";
            Set<Type> types = new LinkedHashSet<>(List.of(kept.get(i)));
            for (CallbackMethod each : callbacks) {
                if (!each.argumentTypes().isEmpty())
                    types.add(each.argumentTypes().get(i));
            }
            check(json, Names.of(named), what, types, lost);
        }
        Set<Type> results = new LinkedHashSet<>();
        if (branch.takesResult() || (fence && branch.fenced() && branch.storesResult())) {
            results.add(branch.resultType());
        }
        for (CallbackMethod each : callbacks) {
            if (each.takesResult()) results.add(each.resultType());
        }
        check(json, Names.of(branch.method()), "result", results, lost);
        if (lost.isEmpty()) return;
        log.warn(
                "{} keeps values that will not come back whole, for {} or for a repeated call: {}. Pass plain values, such"
                        + " as records and keys, or have a PayloadCodec of your own.",
                branch.operation(),
                callbacks.stream().map(CallbackMethod::describe).collect(Collectors.joining(", ")),
                String.join("; ", lost));
    }

    /** Likewise for what a handler is told. */
    void check(CompensationHandler<?> handler) {
        StrictJson json = checked;
        if (json == null) return;
        List<String> lost = new ArrayList<>();
        check(json, handler.toString(), "argument", Set.of(handler.type()), lost);
        if (lost.isEmpty()) return;
        log.warn(
                "{} keeps values that will not come back whole: {}. Hand it plain values, such as records and keys, or have"
                        + " a PayloadCodec of your own.",
                handler,
                String.join("; ", lost));
    }

    private static void check(StrictJson json, String owner, String what, Set<Type> types, List<String> lost) {
        Set<String> found = new LinkedHashSet<>();
        for (Type type : types) {
            PayloadLosses losses = json.losses(type);
            if (!losses.unreadable().isEmpty()) {
                throw new OmegaConfigurationException(
                        "The %s of %s, a %s, is kept, but could never be read again: %s."
                                .formatted(what, owner, type.getTypeName(), String.join("; ", losses.unreadable())),
                        what.equals("result")
                                ? "Return a plain value, such as a key; or say storeResult = false if no callback"
                                        + " takes it, or have a PayloadCodec of your own."
                                : "Pass a plain value, such as a key; or have callbacks without parameters, or a"
                                        + " PayloadCodec of your own.");
            }
            found.addAll(losses.lost());
        }
        found.forEach(each -> lost.add(what + ": " + each));
    }

    /** What alpha is to keep for the callbacks: the arguments, with what was captured if anything was. */
    byte[] envelope(BranchDefinition branch, @Nullable Object[] arguments, Map<String, String> captured) {
        byte[] array = arguments(branch, arguments);
        int extra = captured.isEmpty() ? 0 : new Envelope(captured, new byte[0]).bytes().length;
        if (extra > CAPTURED_BYTES) {
            throw new SagaException(
                    "The CallbackInterceptors have captured %d bytes as JSON for %s, but at most %d are possible; the branch fails. Capture keys, and look up the rest in the callback."
                            .formatted(extra, branch.operation(), CAPTURED_BYTES));
        }
        return limited(branch, "arguments", new Envelope(captured, array).bytes());
    }

    /** The arguments as a JSON array; empty if no callback takes them. */
    byte[] arguments(BranchDefinition branch, @Nullable Object[] arguments) {
        List<Type> types = branch.keptTypes();
        if (types.isEmpty()) return new byte[0];
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        for (int i = 0; i < arguments.length; i++) {
            json.write(i == 0 ? '[' : ',');
            json.writeBytes(encode(branch, "argument " + (i + 1), types.get(i), arguments[i]));
        }
        json.write(']');
        byte[] array = limited(branch, "arguments", json.toByteArray());
        requireArray(branch, array, arguments.length);
        return array;
    }

    byte[] result(BranchDefinition branch, @Nullable Object result) {
        return limited(branch, "result", encode(branch, "result", branch.resultType(), result));
    }

    /** A codec of the application's may write anything, and would be told so only when something is to be undone. */
    private void requireArray(BranchDefinition branch, byte[] array, int length) {
        if (checked != null) return;
        try {
            if (JsonPieces.elements(array).size() == length) return;
        } catch (RuntimeException notJson) {
            // Said below, without its message, which shows values.
        }
        throw new SagaException("The arguments of %s: %s did not write one JSON value for each; the branch fails."
                .formatted(branch.operation(), codec.getClass().getName()));
    }

    /** @throws UndecodableException if the bytes do not say values of these types */
    @Nullable
    Object[] arguments(List<Type> types, byte[] json) {
        @Nullable Object[] decoded = new Object[types.size()];
        if (types.isEmpty()) return decoded;
        List<byte[]> values;
        try {
            values = JsonPieces.elements(json);
        } catch (JsonPieces.BrokenException e) {
            throw new UndecodableException("the arguments are not JSON: " + e.getMessage());
        }
        require(values.size() >= types.size(), "there are too few arguments");
        require(values.size() <= types.size(), "there are too many arguments");
        for (int i = 0; i < decoded.length; i++) {
            decoded[i] = decode("argument " + (i + 1), types.get(i), values.get(i));
        }
        return decoded;
    }

    /** @throws UndecodableException if the bytes do not say a value of this type */
    @Nullable
    Object result(Type type, byte @Nullable [] json) {
        boolean primitive = type instanceof Class<?> c && c.isPrimitive();
        if (json == null || json.length == 0) {
            require(!primitive, "there is no result, but the declared type is " + type);
            return null;
        }
        return decode("the result", type, json);
    }

    private @Nullable Object decode(String what, Type type, byte[] json) {
        try {
            return codec.decode(type, json);
        } catch (EncryptedPayloads.UnreadableException e) {
            throw new UndecodableException(what + " cannot be read: " + e.getMessage());
        } catch (RuntimeException e) {
            throw new UndecodableException(
                    what + " is not of the declared type " + type.getTypeName() + ": " + StrictJson.reason(e));
        }
    }

    private byte[] encode(BranchDefinition branch, String what, Type type, @Nullable Object value) {
        try {
            return codec.encode(type, value);
        } catch (RuntimeException e) {
            throw new SagaException(
                    "The %s of %s, a %s, cannot be written as JSON (%s); the branch fails. Pass a plain value, such as a key."
                            .formatted(what, branch.operation(), type.getTypeName(), StrictJson.reason(e)),
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
