package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.CallbackFinder;
import io.alphaomega.omega.spring.definition.Participants;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Branches that call others which are branches by the same annotation, as where a decorator and what it decorates share an
 * annotated interface. One call would be two branches, and the compensation of the outer one calls that of the inner one,
 * which is called for its own branch as well.
 */
public final class Decorators {
    /** The branches whose methods are running here, by their ids. */
    private final Map<String, BranchDefinition> running = new ConcurrentHashMap<>();

    /** What runs a try of a branch. */
    interface Try {
        @Nullable
        Object run() throws Throwable;
    }

    @Nullable
    Object within(Attempt attempt, Try business) throws Throwable {
        running.put(attempt.branch(), attempt.definition());
        try {
            return business.run();
        } finally {
            running.remove(attempt.branch());
        }
    }

    /** @throws SagaException if the caller is a branch by the annotation of this one */
    void requireOther(SagaContext caller, BranchDefinition branch) {
        BranchDefinition outer = caller.branch().isEmpty() ? null : running.get(caller.branch());
        if (outer == null || outer.method().equals(branch.method())) return;
        Method shared = shared(branch.method(), outer.method());
        if (shared == null) return;
        throw new SagaException(
                "%s did not run: it was called within the branch %s, and both are branches by one annotation, that of %s, so the call would be undone twice. Put the annotation on the method that does the work, and not on what both inherit."
                        .formatted(branch.operation(), outer.operation(), Names.of(shared)));
    }

    /** Refuses beans that hold another one, of which a method is a branch by the annotation of one of theirs. */
    public static void refuse(Map<String, Object> beans, Map<String, Class<?>> classes) {
        IdentityHashMap<Object, String> names = new IdentityHashMap<>();
        beans.forEach((name, bean) -> names.put(Participants.target(bean), name));
        names.forEach((owner, name) -> ReflectionUtils.doWithFields(owner.getClass(), field -> {
            for (Object held : values(field, owner)) {
                String other = names.get(held);
                if (other != null && !other.equals(name))
                    refuse(name, classes.get(name), other, classes.get(other), field);
            }
        }));
    }

    private static void refuse(
            String name, @Nullable Class<?> type, String other, @Nullable Class<?> otherType, Field field) {
        if (type == null || otherType == null) return;
        for (Method outer : CallbackFinder.branches(type)) {
            for (Method inner : CallbackFinder.branches(otherType)) {
                Method shared = outer.equals(inner) ? null : shared(outer, inner);
                if (shared == null) continue;
                throw new OmegaConfigurationException(
                        "%s and %s are branches by one annotation, that of %s, and the bean '%s' holds the bean '%s' in its field '%s': a call would be two branches, and be undone twice."
                                .formatted(
                                        Names.of(outer),
                                        Names.of(inner),
                                        Names.of(shared),
                                        name,
                                        other,
                                        field.getName()),
                        "Put the annotation on the method that does the work, and not on what both inherit.");
            }
        }
    }

    /** A method with the annotation that both override, or that one is and the other overrides. */
    private static @Nullable Method shared(Method one, Method other) {
        List<Method> others = annotated(other);
        return annotated(one).stream().filter(others::contains).findFirst().orElse(null);
    }

    /** What of the method itself and of those that it overrides has the annotation. */
    private static List<Method> annotated(Method branch) {
        return MergedAnnotations.from(branch, SearchStrategy.TYPE_HIERARCHY).stream(Compensable.class)
                .map(MergedAnnotation::getSource)
                .filter(Method.class::isInstance)
                .map(Method.class::cast)
                .toList();
    }

    /** What the field holds, without its proxies; each of what a collection holds. */
    private static List<Object> values(Field field, Object owner) {
        if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive() || !field.trySetAccessible()) {
            return List.of();
        }
        Object value = ReflectionUtils.getField(field, owner);
        if (value == null) return List.of();
        boolean known = value.getClass().getName().startsWith("java.util.");
        if (known && value instanceof Map<?, ?> map) return targets(map.values());
        if (known && value instanceof Collection<?> all) return targets(all);
        return List.of(Participants.target(value));
    }

    private static List<Object> targets(Collection<?> all) {
        return all.stream()
                .filter(each -> each != null)
                .<Object>map(Participants::target)
                .toList();
    }
}
