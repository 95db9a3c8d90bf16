package io.alphaomega.omega.spring;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.expression.AnnotatedElementKey;

/** What annotated methods say, each read once. */
final class OmegaDefinitions {
    private final AnnotationReader reader;
    private final Map<AnnotatedElementKey, Optional<SagaDefinition>> sagas = new ConcurrentHashMap<>();
    private final Map<AnnotatedElementKey, Optional<BranchDefinition>> branches = new ConcurrentHashMap<>();

    OmegaDefinitions(AnnotationReader reader) {
        this.reader = reader;
    }

    @Nullable
    SagaDefinition saga(Method method, Class<?> beanClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
        return sagas.computeIfAbsent(
                        new AnnotatedElementKey(specific, beanClass),
                        key -> Optional.ofNullable(reader.saga(specific, beanClass)))
                .orElse(null);
    }

    @Nullable
    BranchDefinition branch(Method method, Class<?> beanClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, beanClass);
        return branches.computeIfAbsent(
                        new AnnotatedElementKey(specific, beanClass),
                        key -> Optional.ofNullable(reader.branch(specific, beanClass)))
                .orElse(null);
    }
}
