package io.alphaomega.omega.spring.payload;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Type;
import java.net.URL;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Compares two values by their state, that is by their fields: an {@code equals} may leave out what a compensation needs.
 * What a collection is made of counts, and its order where it has one, but not which class of Java's it is.
 */
final class SameState {
    /** Libraries' containers that are no more than what they contain. */
    private static final Set<String> CONTAINERS =
            Set.of("com.google.common.collect.", "kotlin.collections.", "org.hibernate.", "scala.collection.");

    /** JSON by nature: what it says is what it is. */
    private static final Set<String> TREES =
            Set.of("tools.jackson.databind.node.", "com.fasterxml.jackson.databind.node.");

    /** Sets of elements without {@code equals} are compared each with each up to here. */
    private static final int PAIRS_MAX = 100;

    /** What is compared now, or has been: with itself it may be met again. */
    private final IdentityHashMap<Object, Object> met = new IdentityHashMap<>();

    /** Where in the value this is. */
    private final Deque<String> path = new ArrayDeque<>();

    private SameState() {}

    /**
     * Where two values differ, and how, in a clause that shows no values.
     *
     * @param path empty for the value itself
     */
    record Difference(String path, String clause) {
        @Override
        public String toString() {
            return path.isEmpty() ? clause : "at " + path + " " + clause;
        }
    }

    /** Null if nothing differs. */
    static @Nullable Difference between(@Nullable Object value, @Nullable Object back) {
        return new SameState().compare(value, back);
    }

    /** The same of a value that was read by that type, which may not say what a collection is. */
    static @Nullable Difference between(Type type, @Nullable Object value, @Nullable Object back) {
        return new SameState().by(type, value, back);
    }

    private @Nullable Difference by(Type type, @Nullable Object value, @Nullable Object back) {
        return type == Object.class ? untyped(value, back) : compare(value, back);
    }

    /** What is a set or a queue must come back as one where its user can only know that from the value. */
    private @Nullable Difference untyped(@Nullable Object value, @Nullable Object back) {
        boolean noSet = value instanceof Set<?> && !(back instanceof Set<?>);
        boolean noQueue = value instanceof Queue<?> && !(value instanceof List<?>) && !(back instanceof Queue<?>);
        return noSet || noQueue ? differs(a(value) + " becomes " + a(back)) : compare(value, back);
    }

    private @Nullable Difference compare(@Nullable Object value, @Nullable Object back) {
        if (value == back) return null;
        if (value == null || back == null) {
            return differs(value == null ? "null becomes " + a(back) : a(value) + " becomes null");
        }
        if (value instanceof Enum<?>) return differs(a(value) + " becomes another one");
        Object before = met.put(value, back);
        if (before == back) return null;
        if (value instanceof Optional<?> optional && back instanceof Optional<?> other) {
            return compare(optional.orElse(null), other.orElse(null));
        }
        if (value.getClass().isArray()) return arrays(value, back);
        if (value instanceof Map<?, ?> map && back instanceof Map<?, ?> other) return maps(map, other);
        if (value instanceof Collection<?> several && back instanceof Collection<?> other) {
            return collections(several, other);
        }
        if (value instanceof Map.Entry<?, ?> entry && back instanceof Map.Entry<?, ?> other) {
            Difference difference = at(".key", entry.getKey(), other.getKey());
            return difference != null ? difference : at(".value", entry.getValue(), other.getValue());
        }
        Class<?> type = ClassUtils.getUserClass(value);
        if (TREES.stream().anyMatch(type.getName()::startsWith)) return texts(value, back);
        if (type != ClassUtils.getUserClass(back)) return differs(a(value) + " becomes " + a(back));
        return PayloadState.isPlatform(type) ? leaves(value, back) : fields(type, value, back);
    }

    /** What has no parts that anybody could see. */
    private @Nullable Difference leaves(Object value, Object back) {
        if (value instanceof Pattern one && back instanceof Pattern other) {
            return one.flags() == other.flags() ? texts(one, other) : differs("the flags of a Pattern are lost");
        }
        if (value instanceof URL) return texts(value, back);
        if (value instanceof Throwable || !hasEquals(value.getClass())) {
            boolean says = value instanceof Number || value instanceof CharSequence || isAtomic(value);
            return says ? texts(value, back) : differs("nobody could tell whether " + a(value) + " comes back whole");
        }
        return value.equals(back) ? null : differs(a(value) + " becomes another one");
    }

    private static boolean isAtomic(Object value) {
        return value.getClass().getName().startsWith("java.util.concurrent.atomic.");
    }

    private static boolean hasEquals(Class<?> type) {
        try {
            return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("every class has equals", e);
        }
    }

    private @Nullable Difference texts(Object value, Object back) {
        return value.toString().equals(back.toString()) ? null : differs(a(value) + " becomes another one");
    }

    private @Nullable Difference arrays(Object value, Object back) {
        if (value.getClass() != back.getClass()) return differs(a(value) + " becomes " + a(back));
        int length = Array.getLength(value);
        if (length != Array.getLength(back)) return differs("the number of elements changes");
        if (value.getClass().getComponentType().isPrimitive()) {
            return Objects.deepEquals(value, back) ? null : differs("an element becomes another one");
        }
        for (int i = 0; i < length; i++) {
            Difference difference = at("[" + i + "]", Array.get(value, i), Array.get(back, i));
            if (difference != null) return difference;
        }
        return null;
    }

    // ---- containers

    private @Nullable Difference collections(Collection<?> several, Collection<?> other) {
        Difference own = container(several, other);
        if (own != null) return own;
        if (several.size() != other.size()) return differs("the number of elements changes");
        boolean queue = several instanceof PriorityQueue<?>;
        if (queue && !(other instanceof PriorityQueue<?>)) return differs("a PriorityQueue loses its order");
        if (several instanceof Set<?> && !(several instanceof SortedSet<?>) && !(several instanceof LinkedHashSet<?>)) {
            return unordered(several, other);
        }
        return inOrder(several, other);
    }

    private @Nullable Difference inOrder(Collection<?> several, Collection<?> other) {
        Iterator<?> others = other.iterator();
        int i = 0;
        for (Object each : several) {
            Difference difference = at("[" + i++ + "]", each, others.next());
            if (difference != null) return difference;
        }
        return null;
    }

    private @Nullable Difference unordered(Collection<?> several, Collection<?> other) {
        Map<Object, Object> byEquals = new HashMap<>();
        other.forEach(each -> byEquals.put(each, each));
        for (Object each : several) {
            Object found = byEquals.get(each);
            Difference difference = found == null && each != null && other.size() <= PAIRS_MAX
                    ? anyOf(each, other)
                    : at("[]", each, found);
            if (difference != null) return difference;
        }
        return null;
    }

    private @Nullable Difference anyOf(Object each, Collection<?> other) {
        Difference last = null;
        for (Object candidate : other) {
            last = new SameState().compare(each, candidate);
            if (last == null) return null;
        }
        return new Difference(
                String.join("", path) + "[]" + (last == null ? "" : last.path()),
                last == null ? a(each) + " is lost" : last.clause());
    }

    private @Nullable Difference maps(Map<?, ?> map, Map<?, ?> other) {
        Difference own = container(map, other);
        if (own != null) return own;
        if (map.size() != other.size()) return differs("the number of entries changes");
        if (map instanceof Properties one && other instanceof Properties two) {
            if (!one.stringPropertyNames().equals(two.stringPropertyNames())) {
                return differs("the defaults of the Properties are lost");
            }
        }
        if (map instanceof SortedMap<?, ?> || map instanceof LinkedHashMap<?, ?>) return entriesInOrder(map, other);
        Map<Object, Object> keys = new HashMap<>();
        other.keySet().forEach(each -> keys.put(each, each));
        for (Map.Entry<?, ?> each : map.entrySet()) {
            Object key = each.getKey();
            Difference difference = at("[key]", key, keys.get(key));
            if (difference == null) difference = at("[]", each.getValue(), other.get(key));
            if (difference != null) return difference;
        }
        return null;
    }

    private @Nullable Difference entriesInOrder(Map<?, ?> map, Map<?, ?> other) {
        Iterator<? extends Map.Entry<?, ?>> others = other.entrySet().iterator();
        for (Map.Entry<?, ?> each : map.entrySet()) {
            Map.Entry<?, ?> next = others.next();
            Difference difference = at("[key]", each.getKey(), next.getKey());
            if (difference == null) difference = at("[]", each.getValue(), next.getValue());
            if (difference != null) return difference;
        }
        return null;
    }

    /** What a container is beside its elements. */
    private @Nullable Difference container(Object value, Object back) {
        if (!Objects.equals(comparator(value), comparator(back))) {
            return differs("the comparator of " + a(value) + " is lost");
        }
        Class<?> type = value.getClass();
        if (PayloadState.isPlatform(type) || CONTAINERS.stream().anyMatch(type.getName()::startsWith)) return null;
        if (PayloadState.fields(type).isEmpty()) return null;
        if (type != back.getClass()) return differs("of " + a(value) + " only the elements come back");
        return fields(type, value, back);
    }

    /** What a container sorts by, if it does not take the natural order. */
    static @Nullable Object comparator(Object value) {
        if (value instanceof SortedSet<?> set) return set.comparator();
        if (value instanceof SortedMap<?, ?> map) return map.comparator();
        return value instanceof PriorityQueue<?> queue ? queue.comparator() : null;
    }

    // ---- objects

    private @Nullable Difference fields(Class<?> type, Object value, Object back) {
        Class<?> platform = type;
        while (!PayloadState.isPlatform(platform)) platform = platform.getSuperclass();
        boolean container = value instanceof Collection<?> || value instanceof Map<?, ?>;
        if (platform != Object.class && platform != Record.class && !container) {
            Difference difference = leaves(value, back);
            if (difference != null) return difference;
        }
        for (Field field : PayloadState.fields(type)) {
            Object one;
            Object two;
            try {
                one = PayloadState.get(field, value);
                two = PayloadState.get(field, back);
            } catch (IllegalStateException closed) {
                return hasEquals(type) && value.equals(back) ? null : differs(closed.getMessage());
            }
            path.addLast("." + field.getName());
            Difference difference = by(field.getType(), one, two);
            path.removeLast();
            if (difference != null) return difference;
        }
        return null;
    }

    private @Nullable Difference at(String step, @Nullable Object value, @Nullable Object back) {
        path.addLast(step);
        Difference difference = untyped(value, back);
        path.removeLast();
        return difference;
    }

    private Difference differs(@Nullable String clause) {
        String where = String.join("", path);
        return new Difference(where.startsWith(".") ? where.substring(1) : where, String.valueOf(clause));
    }

    private static String a(@Nullable Object value) {
        String name = value == null ? "null" : ClassUtils.getShortName(value.getClass());
        return ("AEIOU".indexOf(name.charAt(0)) >= 0 ? "an " : "a ") + name;
    }
}
