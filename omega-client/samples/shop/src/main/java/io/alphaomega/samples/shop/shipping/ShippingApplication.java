package io.alphaomega.samples.shop.shipping;

import io.alphaomega.samples.shop.Problems;
import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.config.TopicBuilder;

/** The dispatch department, which listens to Kafka; its settings are in {@code shipping.yml}. */
@SpringBootApplication
@Import(Problems.class)
public class ShippingApplication {
    public static void main(String[] args) {
        new SpringApplicationBuilder(ShippingApplication.class)
                .properties("spring.config.name=shipping")
                .run(args);
    }

    @Bean
    static NewTopic parcels() {
        return TopicBuilder.name("parcels").build();
    }
}
