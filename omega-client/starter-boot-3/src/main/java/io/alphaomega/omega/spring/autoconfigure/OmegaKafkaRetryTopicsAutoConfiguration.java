package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.startup.ListenerMethods;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.retrytopic.RetryTopicConfiguration;

/**
 * Refuses listeners with retry topics that may fail after they have returned. Spring Kafka 3 hears of that only where a
 * listener has no advice, so with omega's the record would neither come again nor reach the dead letters.
 */
@AutoConfiguration(after = OmegaKafkaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@ConditionalOnClass(KafkaTemplate.class)
public class OmegaKafkaRetryTopicsAutoConfiguration {
    private static final Set<ReturnKind> LATER = Set.of(ReturnKind.FUTURE, ReturnKind.MONO);

    @Bean
    static SmartInitializingSingleton omegaKafkaRetryTopicCheck(ConfigurableListableBeanFactory beans) {
        return () -> Stream.of(KafkaListener.class, KafkaHandler.class)
                .flatMap(annotation -> ListenerMethods.of(beans, annotation).stream())
                .filter(method -> LATER.contains(ReturnKind.of(method)) && hasRetryTopics(method, beans))
                .forEach(OmegaKafkaRetryTopicsAutoConfiguration::refuse);
    }

    private static boolean hasRetryTopics(Method method, ConfigurableListableBeanFactory beans) {
        List<AnnotatedElement> annotated = List.of(method, method.getDeclaringClass());
        if (annotated.stream().anyMatch(each -> AnnotatedElementUtils.hasAnnotation(each, RetryableTopic.class))) {
            return true;
        }
        String[] topics = annotated.stream()
                .flatMap(each -> AnnotatedElementUtils.getAllMergedAnnotations(each, KafkaListener.class).stream())
                .flatMap(listener -> Arrays.stream(listener.topics()))
                .map(beans::resolveEmbeddedValue)
                .toArray(String[]::new);
        return beans.getBeansOfType(RetryTopicConfiguration.class).values().stream()
                .anyMatch(configured -> configured.hasConfigurationForTopics(topics));
    }

    private static void refuse(Method method) {
        throw new OmegaConfigurationException(
                "%s has retry topics and %s: Spring Kafka 3 does not hear of what fails after such a listener has returned, once it has an advice, and omega's is one. The record would be lost."
                        .formatted(Names.of(method), ReturnKind.said(method)),
                "Let the listener return when its work is done; or leave retry topics to listeners that do, and have this one send what failed itself.");
    }
}
