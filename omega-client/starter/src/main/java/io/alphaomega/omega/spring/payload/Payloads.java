package io.alphaomega.omega.spring.payload;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.method.Names;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
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
public final class Payloads {
    private static final Logger log = LoggerFactory.getLogger(Payloads.class);

    /** Alpha's limit, and the fence's. */
    static final int BYTES_MAX = 64 * 1024;

    /** A tenant and a user, and room: each branch carries it to alpha, and a saga may have 500. */
    static final int CAPTURED_BYTES = 2 * 1024;

    private final PayloadCodec codec;

    /** Omega's own JSON, where that is what is written; of another codec nobody knows what it loses. */
    private final @Nullable StrictJson checked;

    private final ReadBack readBack;

    /** @param always whether everything that is written is read back, or a sample */
    public Payloads(PayloadCodec codec, boolean always) {
        this.codec = codec;
        PayloadCodec inner = codec instanceof EncryptedPayloads encrypted ? encrypted.inner() : codec;
        this.checked = inner instanceof StrictJson json ? json : null;
        this.readBack = new ReadBack(codec, checked, always);
    }

    /**
     * Names what would not come back whole for a callback or to a repeated call, as far as types tell.
     *
     * @param fence whether there is one that keeps results
     * @throws OmegaConfigurationException if something could not come back at all
     */
    public void check(BranchDefinition branch, boolean fence) {
        StrictJson json = checked;
        if (json == null) return;
        List<CallbackMethod> callbacks = branch.callbacks();
        Method named = namedBy(branch);
        Findings found = new Findings();
        for (int i = 0; i < branch.keptTypes().size(); i++) {
            check(json, Names.of(named), argument(branch, i), argumentReaders(branch, i), found);
        }
        boolean kept = branch.takesResult() || (fence && branch.fenced() && branch.storesResult());
        if (kept) check(json, Names.of(branch.method()), "result", resultReaders(branch), found);
        sayWhatIsHidden(branch.operation(), found);
        if (found.lost.isEmpty()) return;
        log.warn(
                "{} keeps values that will not come back whole, for {} or for a repeated call: {}. Pass plain values, such"
                        + " as records and keys, or have a PayloadCodec of your own.",
                branch.operation(),
                callbacks.stream().map(CallbackMethod::describe).collect(Collectors.joining(", ")),
                String.join("; ", found.lost));
    }

    /** What types tell, each with the argument or result that it is about. */
    private static final class Findings {
        private final List<String> lost = new ArrayList<>();
        private final List<String> hidden = new ArrayList<>();
    }

    private void sayWhatIsHidden(String owner, Findings found) {
        if (found.hidden.isEmpty() || (codec instanceof EncryptedPayloads encrypted && encrypted.encrypts())) return;
        log.warn(
                "{} keeps what annotations hide from JSON elsewhere, since its callbacks need the whole value: {}. It is"
                        + " stored as it is, and operators can read it. Encrypt what is kept (omega.payload.encryption),"
                        + " or keep less: say what the compensation is told by @CompensationArgument.",
                owner,
                String.join("; ", found.hidden));
    }

    /** The method whose parameters say what is kept. */
    private static Method namedBy(BranchDefinition branch) {
        return branch.declared().isNone()
                ? branch.method()
                : branch.compensation().method();
    }

    /** An argument, for people. */
    private static String argument(BranchDefinition branch, int index) {
        Parameter[] parameters = namedBy(branch).getParameters();
        String name = index < parameters.length && branch.keptTypes().size() <= parameters.length
                ? " (" + parameters[index].getName() + ")"
                : "";
        return "argument " + (index + 1) + name;
    }

    /** The types that an argument is read as. */
    private static Set<Type> argumentReaders(BranchDefinition branch, int index) {
        Set<Type> types = new LinkedHashSet<>(List.of(branch.keptTypes().get(index)));
        for (CallbackMethod each : branch.callbacks()) {
            if (!each.argumentTypes().isEmpty()) types.add(each.argumentTypes().get(index));
        }
        return types;
    }

    /** The types that the result is read as. */
    private static Set<Type> resultReaders(BranchDefinition branch) {
        Set<Type> types = new LinkedHashSet<>(List.of(branch.resultType()));
        for (CallbackMethod each : branch.callbacks()) {
            if (each.takesResult()) types.add(each.resultType());
        }
        return types;
    }

    /** Likewise for what a handler is told. */
    public void check(CompensationHandler<?> handler) {
        StrictJson json = checked;
        if (json == null) return;
        Findings found = new Findings();
        check(json, handler.toString(), "argument", Set.of(handler.type()), found);
        sayWhatIsHidden(handler.toString(), found);
        if (found.lost.isEmpty()) return;
        log.warn(
                "{} keeps values that will not come back whole: {}. Hand it plain values, such as records and keys, or have"
                        + " a PayloadCodec of your own.",
                handler,
                String.join("; ", found.lost));
    }

    private static void check(StrictJson json, String owner, String what, Set<Type> types, Findings found) {
        Set<String> lost = new LinkedHashSet<>();
        Set<String> hidden = new LinkedHashSet<>();
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
            lost.addAll(losses.lost());
            hidden.addAll(losses.hidden());
        }
        lost.forEach(each -> found.lost.add(what + ": " + each));
        hidden.forEach(each -> found.hidden.add(what + ": " + each));
    }

    /** What alpha is to keep for the callbacks: the arguments, with what was captured if anything was. */
    public byte[] envelope(BranchDefinition branch, @Nullable Object[] arguments, Map<String, String> captured) {
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
    public byte[] arguments(BranchDefinition branch, @Nullable Object[] arguments) {
        List<Type> types = branch.keptTypes();
        if (types.isEmpty()) return new byte[0];
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        for (int i = 0; i < arguments.length; i++) {
            json.write(i == 0 ? '[' : ',');
            json.writeBytes(argument(branch, i, types.get(i), arguments[i]));
        }
        json.write(']');
        return limited(branch, "arguments", json.toByteArray());
    }

    public byte[] result(BranchDefinition branch, @Nullable Object result) {
        Type type = branch.resultType();
        byte[] json;
        try {
            json = readBack.written(branch.operation(), ReadBack.RESULT, type, result, () -> resultReaders(branch));
        } catch (ReadBack.NotWholeException e) {
            throw new SagaException(
                    "The result of %s, a %s, would not come back as it is: %s; the branch fails. Return a plain value, such as a record or a key; or say storeResult = false if no callback takes it, or have a PayloadCodec of your own."
                            .formatted(branch.operation(), type.getTypeName(), e.difference()));
        } catch (RuntimeException e) {
            throw unwritable(branch, "result", type, e);
        }
        return limited(branch, "result", json);
    }

    private byte[] argument(BranchDefinition branch, int index, Type type, @Nullable Object value) {
        try {
            return readBack.written(branch.operation(), index, type, value, () -> argumentReaders(branch, index));
        } catch (ReadBack.NotWholeException e) {
            throw new SagaException(
                    "%s did not run: its %s, a %s, would not come back to its callbacks as it is: %s. Pass a plain value, such as a record or a key; or keep only what they need, by @CompensationArgument; or have a PayloadCodec of your own."
                            .formatted(
                                    branch.operation(), argument(branch, index), type.getTypeName(), e.difference()));
        } catch (ReadBack.NotJsonException e) {
            throw new SagaException("The arguments of %s: %s did not write one JSON value for each; the branch fails."
                    .formatted(branch.operation(), codec.getClass().getName()));
        } catch (RuntimeException e) {
            throw unwritable(branch, "argument " + (index + 1), type, e);
        }
    }

    /**
     * The values that were encoded as the arguments of a branch.
     *
     * @throws UndecodableException if the bytes do not say values of these types
     */
    public @Nullable Object[] arguments(List<Type> types, byte[] json) {
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

    /**
     * The value that was encoded as the result of a branch.
     *
     * @throws UndecodableException if the bytes do not say a value of this type
     */
    public @Nullable Object result(Type type, byte @Nullable [] json) {
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

    private static SagaException unwritable(BranchDefinition branch, String what, Type type, RuntimeException e) {
        return new SagaException(
                "The %s of %s, a %s, cannot be written as JSON (%s); the branch fails. Pass a plain value, such as a key."
                        .formatted(what, branch.operation(), type.getTypeName(), StrictJson.reason(e)),
                e);
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
    public static final class UndecodableException extends RuntimeException {
        UndecodableException(String message) {
            super(message);
        }
    }
}
