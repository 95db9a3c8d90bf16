package io.alphaomega.omega.spring.autoconfigure;

import org.springframework.boot.amqp.autoconfigure.RabbitTemplateCustomizer;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.SdkTracerProviderBuilderCustomizer;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.servlet.filter.OrderedFilter;
import org.springframework.boot.webclient.WebClientCustomizer;

/**
 * Types of Spring Boot that are in other packages in Boot 3, under names that are the same in both. A bean of one of these
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
