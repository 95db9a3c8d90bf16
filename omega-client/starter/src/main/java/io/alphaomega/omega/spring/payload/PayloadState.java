package io.alphaomega.omega.spring.payload;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** What of a class is the state of its values, whichever Jackson writes them. */
final class PayloadState {
    private static final Set<String> ENTITY = Set.of("jakarta.persistence.Entity", "javax.persistence.Entity");

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            List<Field> fields = new ArrayList<>();
            for (Class<?> each = type; each != null && !isPlatform(each); each = each.getSuperclass()) {
                for (Field field : each.getDeclaredFields()) {
                    if (isState(field)) fields.add(field);
                }
            }
            return List.copyOf(fields);
        }
    };

    private PayloadState() {}

    /** Whether the class is one of Java's, whose fields are nobody else's. */
    static boolean isPlatform(Class<?> type) {
        String name = type.getName();
        return name.startsWith("java.")
                || name.startsWith("javax.")
                || name.startsWith("jdk.")
                || name.startsWith("sun.")
                || name.startsWith("com.sun.");
    }

    /** The fields that hold a value's state, those of superclasses too, but for what classes of Java's hide. */
    static List<Field> fields(Class<?> type) {
        return FIELDS.get(type);
    }

    private static boolean isState(Field field) {
        return !Modifier.isStatic(field.getModifiers())
                && !Modifier.isTransient(field.getModifiers())
                && !field.isSynthetic();
    }

    /** @throws IllegalStateException if the field's module keeps it to itself */
    static @Nullable Object get(Field field, Object owner) {
        if (!field.trySetAccessible()) {
            throw new IllegalStateException(field.getDeclaringClass().getName() + " is in a module that is not open");
        }
        return ReflectionUtils.getField(field, owner);
    }

    /** Whether a property of that name is state: it has a field that is kept, or else a setter. */
    static boolean has(Class<?> owner, String name) {
        Field field = ReflectionUtils.findField(owner, name);
        if (field != null) {
            return !Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers());
        }
        String setter = "set" + StringUtils.capitalize(name);
        return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(owner))
                .anyMatch(each -> each.getName().equals(setter));
    }

    /** Whether the class, or one above it, is an entity of JPA. */
    static boolean isEntity(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Annotation annotation : each.getAnnotations()) {
                if (ENTITY.contains(annotation.annotationType().getName())) return true;
            }
        }
        return false;
    }
}
