package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.info.BuildProperties;

/**
 * Which build of the service this is, as alpha is told. What one instance cannot read or run, no other of its build can;
 * alpha asks another build instead. So it is the version, as far as it is known, and a checksum of what decides what can
 * be read: the callbacks, the types of what they take, and the ids of the keys.
 */
public final class ServiceBuild {
    /** Leaves room for the checksum. */
    private static final int VERSION_CHARS = 48;

    private final String version;
    private final boolean chosen;
    private final OfferedCallbacks callbacks;
    private final Collection<String> keys;
    private @Nullable String name;

    private ServiceBuild(String version, boolean chosen, OfferedCallbacks callbacks, Collection<String> keys) {
        this.version = version;
        this.chosen = chosen;
        this.callbacks = callbacks;
        this.keys = keys;
    }

    /**
     * The build of this service.
     *
     * @param chosen what {@code omega.build} says; empty for nothing
     * @param built what the build tool says, if it does
     * @param implementation the version in the manifest of the service's jar, if Spring Boot finds one
     * @param keys ids of the keys that can decrypt
     */
    public static ServiceBuild of(
            String chosen,
            @Nullable BuildProperties built,
            @Nullable String implementation,
            OfferedCallbacks callbacks,
            Collection<String> keys) {
        if (!chosen.isBlank()) return new ServiceBuild(chosen, true, callbacks, keys);
        String version = built == null ? implementation : built.getVersion();
        String time = built == null || built.getTime() == null
                ? ""
                : "+" + built.getTime().getEpochSecond();
        return new ServiceBuild((version == null ? "" : version) + time, false, callbacks, keys);
    }

    /** The same each time. Asked when all callbacks are known. */
    public synchronized String name() {
        if (name == null) name = chosen ? version : derived();
        return name;
    }

    private String derived() {
        String checksum = "%08x".formatted(checksum(shape()));
        if (version.isEmpty()) return checksum;
        return version.substring(0, Math.min(VERSION_CHARS, version.length())) + "-" + checksum;
    }

    private static long checksum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return sum.getValue();
    }

    /** What decides what can be read and run here, in one order. */
    private String shape() {
        StringBuilder shape = new StringBuilder(new TreeSet<>(keys).toString());
        List<OfferedCallbacks.Offered> offered = new ArrayList<>(callbacks.offered());
        offered.sort(Comparator.comparing(each -> each.callback().name()));
        Set<Class<?>> seen = new HashSet<>();
        for (OfferedCallbacks.Offered each : offered) {
            CallbackMethod callback = each.callback();
            shape.append('\n')
                    .append(callback.name())
                    .append(callback.aliases())
                    .append(callback.fence());
            List<Type> types = new ArrayList<>(callback.argumentTypes());
            if (callback.takesResult()) types.add(callback.resultType());
            for (Type type : types) shape.append(' ').append(type.getTypeName());
            for (Type type : types) describe(type, seen, shape);
        }
        return shape.toString();
    }

    /** With what its fields hold, as far as that is no class of the JDK's or of Kotlin's. */
    private static void describe(Type type, Set<Class<?>> seen, StringBuilder shape) {
        Deque<Type> left = new ArrayDeque<>(List.of(type));
        while (!left.isEmpty()) {
            for (Class<?> part : parts(left.pop())) {
                if (part.isPrimitive() || isKnown(part) || !seen.add(part)) continue;
                shape.append('\n').append(part.getName());
                if (part.isEnum()) shape.append(constants(part));
                if (part.getSuperclass() != null) left.push(part.getSuperclass());
                for (Class<?> permitted : permitted(part)) left.push(permitted);
                for (Field field : fields(part)) {
                    shape.append(' ').append(field.getName()).append(':').append(field.getGenericType());
                    left.push(field.getGenericType());
                }
            }
        }
    }

    private static List<String> constants(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name())
                .toList();
    }

    private static Class<?>[] permitted(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        return permitted == null ? new Class<?>[0] : permitted;
    }

    private static List<Field> fields(Class<?> type) {
        Field[] declared;
        try {
            declared = type.getDeclaredFields();
        } catch (LinkageError e) {
            return List.of(); // Of a class that is not here; nothing of the kind has ever been read.
        }
        return Arrays.stream(declared)
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                .sorted(Comparator.comparing(Field::getName))
                .toList();
    }

    private static boolean isKnown(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("kotlin.");
    }

    /** The classes that the name of the type consists of. */
    private static List<Class<?>> parts(Type type) {
        List<Class<?>> parts = new ArrayList<>();
        Deque<Type> left = new ArrayDeque<>(List.of(type));
        while (!left.isEmpty()) {
            Type next = left.pop();
            if (next instanceof Class<?> plain) {
                Class<?> element = plain;
                while (element.isArray()) element = element.getComponentType();
                parts.add(element);
            } else if (next instanceof ParameterizedType generic) {
                left.push(generic.getRawType());
                for (Type argument : generic.getActualTypeArguments()) left.push(argument);
            } else if (next instanceof GenericArrayType array) {
                left.push(array.getGenericComponentType());
            } else if (next instanceof WildcardType wildcard) {
                for (Type bound : wildcard.getUpperBounds()) left.push(bound);
            }
        }
        return parts;
    }
}
