package io.alphaomega.server.webhook;

import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.WebhookProperties;
import io.alphaomega.server.sweep.StuckListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import tools.jackson.databind.json.JsonMapper;

/** Puts together whom alpha tells of suspended sagas. */
@Configuration(proxyBeanMethods = false)
class WebhookConfiguration {
    @Bean
    Webhook webhook(AlphaProperties properties, Clock clock, JsonMapper json, MeterRegistry registry) {
        return new Webhook(receiver(properties.webhook()), clock, json, registry);
    }

    private static Optional<Webhook.Receiver> receiver(WebhookProperties webhook) {
        return webhook.url().isEmpty()
                ? Optional.empty()
                : Optional.of(new Webhook.Receiver(
                        URI.create(webhook.url()), webhook.key(), webhook.timeout(), webhook.giveUpAfter()));
    }

    /** Before what is found leads to anything else. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    StuckListener suspensions(AlphaProperties properties, Clock clock, Webhook webhook) {
        return webhook.isOn() ? new Suspensions(clock, properties.webhook().console(), webhook) : found -> {};
    }
}
