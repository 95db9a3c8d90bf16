package io.alphaomega.omega.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What scripts return, as the types that Spring Data Redis has for it. */
final class ScriptReplies {
    private static final Set<Class<?>> KNOWN = Set.of(String.class, Long.class, Boolean.class, List.class);

    private ScriptReplies() {}

    static void requireKnown(@Nullable Class<?> type) {
        if (type == null || KNOWN.contains(type)) return;
        throw new IllegalArgumentException(
                "A script behind the fence returns a String, Long, Boolean, List or nothing, but its RedisScript says %s; it did not run."
                        .formatted(type.getName()));
    }

    @SuppressWarnings("unchecked") // It is of that type.
    static <T> @Nullable T as(@Nullable Class<T> type, @Nullable Object reply) {
        if (type == null || reply instanceof RedisStep.NotKept) return null;
        Object value = read(reply);
        if (type == Boolean.class) return (T) (Object) (value instanceof Long number && number == 1);
        if (value == null || type.isInstance(value)) return (T) value;
        if (type == String.class) return (T) value.toString();
        throw new IllegalStateException("The script has returned a %s, but its RedisScript says %s."
                .formatted(value.getClass().getSimpleName(), type.getSimpleName()));
    }

    private static @Nullable Object read(@Nullable Object reply) {
        if (reply instanceof byte[] bytes) return new String(bytes, UTF_8);
        if (!(reply instanceof List<?> elements)) return reply;
        List<@Nullable Object> all = new ArrayList<>();
        for (Object each : elements) all.add(read(each));
        return Collections.unmodifiableList(all);
    }
}
