package io.alphaomega.omega.spring.definition;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.expression.AnnotatedElementKey;
import org.springframework.util.ClassUtils;

/** What annotated methods say, each read once. */
public final class OmegaDefinitions {
    private final AnnotationReader reader;
    private final OfferedCallbacks callbacks;
    private final LateSingletons late;
    private final Map<AnnotatedElementKey, Optional<SagaDefinition>> sagas = new ConcurrentHashMap<>();
    private final Map<AnnotatedElementKey, Optional<BranchDefinition>> branches = new ConcurrentHashMap<>();

    public OmegaDefinitions(AnnotationReader reader, OfferedCallbacks callbacks, LateSingletons late) {
        this.reader = reader;
        this.callbacks = callbacks;
        this.late = late;
    }

    /** All beans that are made at startup are there. */
    public void started() {
        late.started();
    }

    /** What the called method says about sagas; null if nothing, or if its object takes part in none. */
    public @Nullable SagaDefinition saga(MethodInvocation call) {
        late.refuse();
        Class<?> beanClass = Participants.classOfCalled(Objects.requireNonNull(call.getThis()));
        return beanClass == null ? null : saga(call.getMethod(), beanClass);
    }

    /** Likewise, about branches. */
    public @Nullable BranchDefinition branch(MethodInvocation call) {
        late.refuse();
        Class<?> beanClass = Participants.classOfCalled(Objects.requireNonNull(call.getThis()));
        BranchDefinition branch = beanClass == null ? null : branch(call.getMethod(), beanClass);
        return branch == null ? null : callbacks.of(Objects.requireNonNull(call.getThis()), branch);
    }

    /** That alpha can ask for what the branch needs. */
    public void requireOffered(BranchDefinition branch) {
        callbacks.requireOffered(branch);
    }

    public @Nullable SagaDefinition saga(Method method, Class<?> beanClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
        return sagas.computeIfAbsent(
                        new AnnotatedElementKey(specific, beanClass),
                        key -> Optional.ofNullable(reader.saga(specific, beanClass)))
                .orElse(null);
    }

    public @Nullable BranchDefinition branch(Method method, Class<?> beanClass) {
        Class<?> userClass = ClassUtils.getUserClass(beanClass);
        return branches.computeIfAbsent(
                        branchKey(method, userClass),
                        key -> Optional.ofNullable(
                                reader.branch(AopUtils.getMostSpecificMethod(method, userClass), userClass)))
                .orElse(null);
    }

    /** From now on the method says that; before any branch of it has begun. */
    void replace(Method method, Class<?> beanClass, BranchDefinition branch) {
        branches.put(branchKey(method, beanClass), Optional.of(branch));
    }

    /** The same for a bean whose class is made at run time, such as one with {@code @Configuration}. */
    private static AnnotatedElementKey branchKey(Method method, Class<?> beanClass) {
        return new AnnotatedElementKey(
                AopUtils.getMostSpecificMethod(method, beanClass), ClassUtils.getUserClass(beanClass));
    }
}
