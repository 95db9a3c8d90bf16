package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import jakarta.persistence.Persistence;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Looks through a value for entities of JPA that cannot be written as they are: what is lazy would be read from the
 * database while it is written, one select for each, and what leads back to itself has no end.
 */
final class EntityState {
    private static final boolean JPA =
            ClassUtils.isPresent("jakarta.persistence.Persistence", EntityState.class.getClassLoader());

    /** Deeper than JSON may be. */
    private static final int DEPTH_MAX = 1_000;

    /** What of a class is written. */
    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            return written(type);
        }
    };

    /** What this leads through now. */
    private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Set<Object> done = Collections.newSetFromMap(new IdentityHashMap<>());

    private EntityState() {}

    /** A clause that shows no values, why the value cannot be written; null if nothing is known against it. */
    static @Nullable String obstacle(@Nullable Object value) {
        return JPA ? new EntityState().in(value) : null;
    }

    /** What leads back to itself and has no entity is for the writer to refuse. */
    private @Nullable String in(@Nullable Object value) {
        if (value == null || isPlain(value.getClass()) || done.contains(value)) return null;
        if (open.size() > DEPTH_MAX || !open.add(value)) return null;
        String obstacle = inside(value);
        open.remove(value);
        done.add(value);
        return obstacle;
    }

    private @Nullable String inside(Object value) {
        if (value instanceof Optional<?> optional) return in(optional.orElse(null));
        if (value instanceof Collection<?> several) return inAll(several);
        if (value instanceof Map<?, ?> map) return inAll(map.values());
        if (value instanceof Object[] array) return inAll(Arrays.asList(array));
        if (isProxy(value)) {
            return "it has a proxy of Hibernate's in place of a "
                    + value.getClass().getSuperclass().getSimpleName() + ", as for a reference that is lazy";
        }
        return inFields(value);
    }

    private @Nullable String inAll(Collection<?> values) {
        for (Object each : values) {
            String obstacle = in(each);
            if (obstacle != null) return obstacle;
        }
        return null;
    }

    private @Nullable String inFields(Object value) {
        boolean entity = PayloadState.isEntity(value.getClass());
        for (Field field : FIELDS.get(value.getClass())) {
            String name = "'" + field.getName() + "' of " + value.getClass().getSimpleName();
            if (entity && !Persistence.getPersistenceUtil().isLoaded(value, field.getName())) {
                return name + " is lazy and has not been loaded";
            }
            Object next = ReflectionUtils.getField(field, value);
            if (next != null && entity && leadsBack(next)) return name + " leads back to where it comes from";
            String obstacle = in(next);
            if (obstacle != null) return obstacle;
        }
        return null;
    }

    private boolean leadsBack(Object next) {
        if (next.getClass().isAnnotationPresent(JsonIdentityInfo.class)) return false;
        return next instanceof Collection<?> several ? several.stream().anyMatch(open::contains) : open.contains(next);
    }

    private static List<Field> written(Class<?> type) {
        return PayloadState.fields(type).stream()
                .filter(each -> !each.getType().isPrimitive()
                        && !each.isAnnotationPresent(JsonBackReference.class)
                        && each.trySetAccessible())
                .toList();
    }

    private static boolean isPlain(Class<?> type) {
        if (type.isArray()) return type.getComponentType().isPrimitive();
        boolean holdsOthers =
                Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type) || Optional.class == type;
        return type.isEnum() || (type.getName().startsWith("java.") && !holdsOthers);
    }

    private static boolean isProxy(Object value) {
        for (Class<?> each : value.getClass().getInterfaces()) {
            if (each.getName().equals("org.hibernate.proxy.HibernateProxy")) return true;
        }
        return false;
    }
}
