package io.alphaomega.server;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.CallbackPolicy;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.SagaId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Random values of the saga's vocabulary, by type: whoever adds a case gets it tested. */
public final class RandomValues {
    private static final String CHARACTERS = "abcXYZ 0123456789-_.:/\"\\\n\u0000äß€漢";

    private final Random random;

    public RandomValues(long seed) {
        random = new Random(seed);
    }

    /** Every record of a sealed hierarchy. */
    public static List<Class<?>> cases(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .flatMap(each -> each.isSealed() ? cases(each).stream() : Stream.of(each))
                .toList();
    }

    public <T> T next(Class<T> type) {
        return type.cast(value(type));
    }

    private Object value(Type type) {
        if (type instanceof ParameterizedType generic) return generic(generic);
        if (type == String.class) return text(40);
        if (type == int.class) return random.nextBoolean() ? random.nextInt(3) : random.nextInt(Integer.MAX_VALUE);
        if (type == long.class) return random.nextLong(Long.MAX_VALUE);
        if (type == boolean.class) return random.nextBoolean();
        if (type == Instant.class) return Instant.ofEpochMilli(random.nextLong(1L << random.nextInt(1, 43)));
        if (type == Duration.class) return Duration.ofMillis(random.nextLong(1, 30L * 24 * 60 * 60 * 1000));
        if (type == SagaId.class) return new SagaId(id());
        if (type == BranchId.class) return new BranchId(id());
        if (type == Payload.class) return payload();
        if (type == Operator.class) return new Operator("who" + text(20), "why" + text(600));
        if (type == CallbackPolicy.class) return callbackPolicy();
        if (type == CallbackOffer.class) {
            return new CallbackOffer(
                    "name" + text(20), random.nextBoolean() ? Optional.empty() : Optional.of(callbackPolicy()));
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isEnum()) return oneOf(List.of(raw.getEnumConstants()));
        if (raw.isSealed()) return value(oneOf(cases(raw)));
        return record(raw);
    }

    private Object value(RecordComponent component) {
        // Some have a start, and others must have none.
        if (component.getName().equals("start") && random.nextBoolean()) return "";
        // Attempts are counted from 1.
        return component.getName().equals("attempt")
                ? random.nextInt(1, Integer.MAX_VALUE)
                : value(component.getGenericType());
    }

    private Object generic(ParameterizedType type) {
        if (type.getRawType() == Optional.class) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(value(type.getActualTypeArguments()[0]));
        }
        if (type.getRawType() == List.class) {
            return Stream.generate(() -> value(type.getActualTypeArguments()[0]))
                    .limit(random.nextInt(4))
                    .toList();
        }
        if (type.getRawType() == Set.class) {
            return Stream.generate(() -> value(type.getActualTypeArguments()[0]))
                    .limit(random.nextInt(4))
                    .collect(Collectors.toUnmodifiableSet());
        }
        if (type.getRawType() == Map.class) {
            Map<Object, Object> map = new HashMap<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                map.put(value(type.getActualTypeArguments()[0]), value(type.getActualTypeArguments()[1]));
            }
            return map;
        }
        throw new IllegalArgumentException("no random values of " + type);
    }

    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        if (components == null) throw new IllegalArgumentException("no random values of " + type);
        try {
            return type.getDeclaredConstructor(
                            Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new))
                    .newInstance(Stream.of(components).map(this::value).toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException) return record(type); // These do not go together.
            throw new IllegalArgumentException("no random values of " + type, e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no random values of " + type, e);
        }
    }

    private CallbackPolicy callbackPolicy() {
        Duration one = next(Duration.class);
        Duration other = next(Duration.class);
        return new CallbackPolicy(
                random.nextInt(1, 101),
                next(Duration.class),
                one.compareTo(other) < 0 ? one : other,
                one.compareTo(other) < 0 ? other : one,
                next(Duration.class));
    }

    private Payload payload() {
        byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(2000) : random.nextInt(8)];
        random.nextBytes(bytes);
        return new Payload(bytes);
    }

    private String id() {
        return "id-" + Long.toHexString(random.nextLong());
    }

    private String text(int max) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(max + 1); i > 0; i--) {
            text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        return text.toString();
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
