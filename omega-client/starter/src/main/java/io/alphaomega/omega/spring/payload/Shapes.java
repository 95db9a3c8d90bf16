package io.alphaomega.omega.spring.payload;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A number for what a value is made of: of which classes, and where there is nothing. Values of one shape are written and
 * read by the same code, so that one which comes back says much of the others. How many elements a list has is no part of
 * it.
 */
final class Shapes {
    private static final long NONE = 0x9E3779B97F4A7C15L;

    /** Enough to tell values apart; what leads back to itself ends here. */
    private static final int PARTS_MAX = 4_096;

    private static final int DEPTH_MAX = 100;

    /** Of these any value is written by the same rule. Of others, such as a locale, one may come back and the next not. */
    private static final Set<Class<?>> REGULAR = Set.of(
            String.class,
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Float.class,
            Double.class,
            UUID.class,
            URI.class,
            Currency.class,
            Date.class,
            Timestamp.class,
            AtomicInteger.class,
            AtomicLong.class,
            AtomicBoolean.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class);

    /** How a class's values have their shape. */
    private enum Kind {
        /** The class says it. */
        PLAIN,
        /** Also whether another type would say it as well, where none is declared. */
        WHOLE_NUMBER,
        /** Each constant may be written as the class likes. */
        CONSTANT,
        /** None is like another. */
        IRREGULAR,
        PARTS
    }

    /** Fields that may hold values of more than one shape. */
    private static final ClassValue<Field[]> FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            List<Field> fields = PayloadState.fields(type);
            return fields.stream()
                    .filter(each -> !each.getType().isPrimitive() && each.trySetAccessible())
                    .toArray(Field[]::new);
        }
    };

    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            if (REGULAR.contains(type) || type.getName().startsWith("java.time.")) return Kind.PLAIN;
            if (type == Long.class || type == BigDecimal.class || type == BigInteger.class) return Kind.WHOLE_NUMBER;
            if (type.isArray()) return type.getComponentType().isPrimitive() ? Kind.PLAIN : Kind.PARTS;
            if (Enum.class.isAssignableFrom(type)) return Kind.CONSTANT;
            boolean holdsOthers = Collection.class.isAssignableFrom(type)
                    || Map.class.isAssignableFrom(type)
                    || Optional.class == type;
            return PayloadState.isPlatform(type) && !holdsOthers ? Kind.IRREGULAR : Kind.PARTS;
        }
    };

    private int parts;
    private int depth;
    private boolean irregular;

    private Shapes() {}

    /** Null if the value is like no other. */
    static @Nullable Long of(@Nullable Object value) {
        Shapes shapes = new Shapes();
        long shape = shapes.in(value);
        return shapes.irregular ? null : shape;
    }

    private long in(@Nullable Object value) {
        if (value == null || depth > DEPTH_MAX || ++parts > PARTS_MAX) return NONE;
        Class<?> type = value.getClass();
        long shape = type.hashCode();
        switch (KINDS.get(type)) {
            case PLAIN -> {}
            case WHOLE_NUMBER -> shape += length((Number) value);
            case CONSTANT -> shape = mixed(shape, ((Enum<?>) value).name().hashCode());
            case IRREGULAR -> irregular = true;
            case PARTS -> {
                depth++;
                shape = ofParts(shape, type, value);
                depth--;
            }
        }
        return shape;
    }

    /** An int, a long, or neither. */
    private static int length(Number number) {
        if (number instanceof BigDecimal decimal && decimal.scale() != 0) return 0;
        long value = number.longValue();
        if (number instanceof BigInteger big && big.bitLength() >= Long.SIZE) return 1;
        return value == (int) value ? 2 : 3;
    }

    private long ofParts(long shape, Class<?> type, Object value) {
        if (value instanceof Optional<?> optional) return mixed(shape, in(optional.orElse(null)));
        if (value instanceof Collection<?> several) return ofAll(mixed(shape, comparator(value)), several);
        if (value instanceof Map<?, ?> map) {
            return ofAll(ofAll(mixed(shape, comparator(value)), map.keySet()), map.values());
        }
        if (value instanceof Object[] array) return ofAll(shape, Arrays.asList(array));
        return ofFields(shape, value, FIELDS.get(type));
    }

    private static int comparator(Object container) {
        Object comparator = SameState.comparator(container);
        return comparator == null ? 0 : comparator.getClass().hashCode();
    }

    private long ofFields(long shape, Object value, Field[] fields) {
        try {
            for (Field field : fields) {
                Object next = field.get(value);
                shape = mixed(shape, next != null && isPlain(field.getType()) ? 1 : in(next));
            }
            return shape;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field was made accessible", e);
        }
    }

    private static boolean isPlain(Class<?> declared) {
        Kind kind = KINDS.get(declared);
        return Modifier.isFinal(declared.getModifiers()) && (kind == Kind.PLAIN || declared == Long.class);
    }

    private long ofAll(long shape, Collection<?> values) {
        long last = 0;
        for (Object each : values) {
            long next = in(each);
            if (next != last) shape = mixed(shape, next);
            last = next;
        }
        return shape;
    }

    private static long mixed(long one, long other) {
        long mixed = (one ^ other) * 0xBF58476D1CE4E5B9L;
        return mixed ^ (mixed >>> 29);
    }
}
