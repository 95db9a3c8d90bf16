package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.Names;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Refuses listeners of batches that would be in the saga of their messages: these may be of several sagas, so such a listener
 * runs outside of them, and its annotation would mean nothing.
 *
 * @param listener the annotation of listeners
 * @param isBatch whether a listener takes batches
 * @param handler what handles a message of a batch in its saga
 */
public record BatchListenerCheck(
        ConfigurableListableBeanFactory beans,
        Class<? extends Annotation> listener,
        Predicate<Method> isBatch,
        String handler)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        for (Method method : ListenerMethods.of(beans, listener)) {
            Stream.of(Compensable.class, SagaEnd.class)
                    .filter(annotation -> AnnotatedElementUtils.hasAnnotation(method, annotation))
                    .findFirst()
                    .filter(annotation -> isBatch.test(method))
                    .ifPresent(annotation -> refuse(method, annotation));
        }
    }

    private void refuse(Method method, Class<? extends Annotation> annotation) {
        throw new OmegaConfigurationException(
                "%s is %s, but as @%s it takes messages in batches: they may be of several sagas, so it runs outside of sagas, and %s would mean nothing."
                        .formatted(
                                Names.of(method),
                                Names.annotation(method, annotation),
                                listener.getSimpleName(),
                                Names.annotation(method, annotation)),
                "Move what is done for one message into another bean's method with that annotation, and call that by %s for each; or let the listener take one message at a time."
                        .formatted(handler));
    }

    /** Whether a listener takes several of these at a time, whatever else says so. */
    public static boolean takesSeveral(Method method, Class<?>... messages) {
        for (int index = 0; index < method.getParameterCount(); index++) {
            ResolvableType parameter = ResolvableType.forMethodParameter(method, index);
            Class<?> element = parameter.as(Collection.class).getGeneric().resolve(Void.class);
            for (Class<?> message : messages) {
                if (message.isAssignableFrom(element)) return true;
            }
        }
        return false;
    }
}
