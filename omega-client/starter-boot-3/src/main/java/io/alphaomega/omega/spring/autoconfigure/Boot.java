package io.alphaomega.omega.spring.autoconfigure;

import org.springframework.boot.actuate.autoconfigure.tracing.SdkTracerProviderBuilderCustomizer;
import org.springframework.boot.autoconfigure.amqp.RabbitTemplateCustomizer;
import org.springframework.boot.autoconfigure.kafka.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.boot.web.client.RestClientCustomizer;
import org.springframework.boot.web.client.RestTemplateCustomizer;
import org.springframework.boot.web.reactive.function.client.WebClientCustomizer;
import org.springframework.boot.web.servlet.filter.OrderedFilter;

/**
 * Types of Spring Boot that are in other packages in Boot 4, under names that are the same in both. A bean of one of these
 * is a bean of Boot's type; each is loaded only where it is used.
 */
public final class Boot {
    private Boot() {}

    public interface Clients extends RestClientCustomizer {}

    public interface Templates extends RestTemplateCustomizer {}

    interface ReactiveClients extends WebClientCustomizer {}

    interface KafkaProducers extends DefaultKafkaProducerFactoryCustomizer {}

    interface RabbitTemplates extends RabbitTemplateCustomizer {}

    interface Tracing extends SdkTracerProviderBuilderCustomizer {}

    interface ServletFilter extends OrderedFilter {}
}
