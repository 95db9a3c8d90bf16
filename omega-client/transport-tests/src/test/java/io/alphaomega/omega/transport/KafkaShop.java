package io.alphaomega.omega.transport;

import io.alphaomega.omega.test.OmegaTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.test.context.EmbeddedKafka;

/** The service with everything that comes by Kafka, and a real broker: one application for several tests. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        classes = Shop.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "spring.kafka.consumer.auto-offset-reset=earliest",
            "spring.kafka.consumer.group-id=shop",
            "spring.kafka.listener.poll-timeout=100ms",
            "logging.level.org.apache.kafka=WARN",
            "logging.level.kafka=WARN",
            "logging.level.state.change.logger=WARN"
        })
@OmegaTest
@EmbeddedKafka(
        partitions = 1,
        topics = {
            "orders",
            "orders-dlt",
            "starts",
            "batches",
            "each",
            "each-dlt",
            "gossip",
            "gossip-dlt",
            "later",
            "later-dlt",
            "acknowledged",
            "repeated",
            "by-hand",
            "careless",
            "careless-dlt"
        },
        bootstrapServersProperty = "spring.kafka.bootstrap-servers")
@Import({KafkaTest.Listeners.class, KafkaTest.Starts.class, KafkaBatchTest.Batches.class, KafkaRetries.class})
@interface KafkaShop {}
