package io.alphaomega.omega.spring.payload;

import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.spring.payload.SameState.Difference;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes values, reads them back and compares: the first of each type and {@linkplain Shapes shape}, then a sample, or
 * all of them. What came back as something else would be found out only when it is to be undone.
 */
public final class ReadBack {
    /** In the place of an argument's index. */
    static final int RESULT = -1;

    /** A check takes several times as long as writing; of one in so many it costs next to nothing. */
    private static final int ONE_IN = 1_024;

    /** Values of more shapes have a new one each time; then the sample must do. */
    private static final int SHAPES_MAX = 1_000;

    private final PayloadCodec codec;
    private final @Nullable StrictJson own;
    private final boolean always;
    private final Map<Place, Set<Long>> known = new ConcurrentHashMap<>();

    /** Where values are kept: an argument or the result of an operation. */
    private record Place(String operation, int index) {}

    /** Something would not come back as it is. */
    static final class NotWholeException extends RuntimeException {
        private final transient Difference difference;

        NotWholeException(Difference difference) {
            super(difference.toString());
            this.difference = difference;
        }

        Difference difference() {
            return difference;
        }
    }

    /** A codec of the application's may write anything, and would be told so only when something is to be undone. */
    static final class NotJsonException extends RuntimeException {}

    /**
     * @param own what the codec is, or encrypts; null if it is another one
     * @param always whether everything is read back
     */
    public ReadBack(PayloadCodec codec, @Nullable StrictJson own, boolean always) {
        this.codec = codec;
        this.own = own;
        this.always = always;
    }

    /**
     * The value as bytes that say all of it.
     *
     * @param readers the types that it will be read as
     * @throws NotWholeException if they do not
     * @throws NotJsonException if they are not JSON, but for a result
     */
    byte[] written(
            String operation,
            int index,
            Type type,
            @Nullable Object value,
            Supplier<? extends Collection<Type>> readers) {
        byte[] json = codec.encode(type, value);
        if (own == null && index != RESULT) requireOneValue(json);
        if (always || (own != null && own.forms().isFormer(type))) {
            return whole(type, value, json, readers.get());
        }
        Long shape = Shapes.of(value);
        if (shape == null) return whole(type, value, json, readers.get());
        Set<Long> shapes = known.computeIfAbsent(new Place(operation, index), place -> ConcurrentHashMap.newKeySet());
        shape ^= type.hashCode();
        boolean sampled = shapes.contains(shape) || shapes.size() >= SHAPES_MAX;
        if (sampled && ThreadLocalRandom.current().nextInt(ONE_IN) != 0) return json;
        byte[] whole = whole(type, value, json, readers.get());
        if (!sampled) shapes.add(shape);
        return whole;
    }

    private static void requireOneValue(byte[] json) {
        byte[] array = ("[" + new String(json, StandardCharsets.UTF_8) + "]").getBytes(StandardCharsets.UTF_8);
        try {
            if (JsonPieces.elements(array).size() == 1) return;
        } catch (RuntimeException notJson) {
            // Said without its message, which shows values.
        }
        throw new NotJsonException();
    }

    private byte[] whole(Type type, @Nullable Object value, byte[] json, Collection<Type> readers) {
        Difference difference = difference(value, json, readers);
        if (difference == null) return json;
        byte[] former = inFormerForm(type, value, readers);
        if (former == null) throw new NotWholeException(difference);
        return former;
    }

    /** What the value's own serializer writes, if it is what its deserializer reads, and nothing else is possible. */
    private byte @Nullable [] inFormerForm(Type type, @Nullable Object value, Collection<Type> readers) {
        if (own == null || !own.forms().setFormer(type, true)) return null;
        try {
            byte[] json = codec.encode(type, value);
            if (difference(value, json, readers) == null) return json;
        } catch (RuntimeException notWritable) {
            // Then it is not possible at all, which the caller says.
        }
        own.forms().setFormer(type, false);
        return null;
    }

    private @Nullable Difference difference(@Nullable Object value, byte[] json, Collection<Type> readers) {
        for (Type reader : readers) {
            Object back;
            try {
                back = codec.decode(reader, json);
            } catch (RuntimeException e) {
                return new Difference("", "it cannot be read again (" + StrictJson.reason(e) + ")");
            }
            Difference difference = SameState.between(reader, value, back);
            if (difference != null) return difference;
        }
        return null;
    }
}
