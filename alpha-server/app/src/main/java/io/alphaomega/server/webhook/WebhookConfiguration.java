package io.alphaomega.server.webhook;

import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.WebhookProperties;
import io.alphaomega.server.sweep.StuckSagas;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.util.function.Consumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Puts together whom alpha tells of suspended sagas. */
@Configuration(proxyBeanMethods = false)
class WebhookConfiguration {
    /** Is told of what each look for stuck sagas has found, on the node that looks. */
    @Bean
    Consumer<StuckSagas> suspensions(AlphaProperties properties, Clock clock, JsonMapper json, MeterRegistry registry) {
        WebhookProperties webhook = properties.webhook();
        if (webhook.url().isEmpty()) return found -> {};
        Webhook.Receiver receiver = new Webhook.Receiver(
                URI.create(webhook.url()), webhook.key(), webhook.timeout(), webhook.giveUpAfter());
        return new Suspensions(clock, webhook.console(), new Webhook(receiver, clock, json, registry));
    }
}
