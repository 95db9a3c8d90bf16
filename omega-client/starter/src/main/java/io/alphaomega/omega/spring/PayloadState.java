package io.alphaomega.omega.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** What of a class is the state of its values, whichever Jackson writes them. */
final class PayloadState {
    private static final Set<String> ENTITY = Set.of("jakarta.persistence.Entity", "javax.persistence.Entity");

    private PayloadState() {}

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
