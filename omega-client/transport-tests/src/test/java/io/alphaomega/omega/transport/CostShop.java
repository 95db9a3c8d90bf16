package io.alphaomega.omega.transport;

import io.alphaomega.omega.Omega;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The service that {@link CallCost} starts with omega and without: it calls itself by each transport, and measures that. */
@Configuration(proxyBeanMethods = false)
@EnableFeignClients(clients = Calls.FeignStock.class)
@Import({
    Shop.class,
    StockEndpoint.class,
    GrpcTest.StockService.class,
    CostShop.AwaitedMessages.class,
    CostShop.OwnWarehouse.class,
    Calls.class,
    CostShop.Meter.class
})
class CostShop {
    public static void main(String[] args) {
        SpringApplication.run(CostShop.class, args);
    }

    /** Whoever sends a message waits until it has been handled, so that it is as much of a call as the others. */
    static class AwaitedMessages implements Calls.Messages {
        private static final long PATIENCE_SECONDS = 60;

        private final Stock stock;
        private final KafkaTemplate<String, String> kafka;
        private final RabbitTemplate rabbit;
        private final String destination;
        private final ConcurrentMap<String, CompletableFuture<String>> awaited = new ConcurrentHashMap<>();

        AwaitedMessages(
                Stock stock,
                KafkaTemplate<String, String> kafka,
                RabbitTemplate rabbit,
                @Value("${spring.application.name}") String destination) {
            this.stock = stock;
            this.kafka = kafka;
            this.rabbit = rabbit;
            this.destination = destination;
        }

        @Bean
        static Queue orders(@Value("${spring.application.name}") String destination) {
            return new Queue(destination);
        }

        @Override
        public void byKafka(String item) {
            await(item, () -> kafka.send(destination, item).join());
        }

        @Override
        public void byRabbit(String item) {
            await(item, () -> rabbit.convertAndSend(destination, item));
        }

        @KafkaListener(topics = "${spring.application.name}")
        @RabbitListener(queues = "${spring.application.name}")
        void handle(String item) {
            stock.take(item);
            CompletableFuture<String> sender = awaited.remove(item);
            if (sender != null) sender.complete(item);
        }

        private void await(String item, Runnable send) {
            CompletableFuture<String> handled = new CompletableFuture<>();
            awaited.put(item, handled);
            send.run();
            handled.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        }
    }

    static class OwnWarehouse {
        @Bean(destroyMethod = "destroy")
        static ApplicationModel dubbo() {
            return Dubbo.application(FrameworkModel.defaultModel(), "shop");
        }

        @Bean
        static Calls.Warehouses warehouses(ApplicationModel dubbo, Stock stock, Omega omega) {
            ServiceConfig<Warehouse> warehouse = Dubbo.service(dubbo, new DubboWarehouse(stock, omega));
            Dubbo.export(dubbo, List.of(warehouse));
            return new Calls.Warehouses(
                    Dubbo.reference(dubbo, warehouse, "dubbo").get(),
                    Dubbo.reference(dubbo, warehouse, "tri").get());
        }
    }

    @RestController
    static class Meter {
        private final Orders orders;
        private final Caller calls;

        Meter(Orders orders, Caller calls) {
            this.orders = orders;
            this.calls = calls;
        }

        /** So many sagas, one after the other, each of so many calls; what {@link CostSample#parse} reads. */
        @GetMapping("/measure/{by}/{sagas}/{calls}")
        String measure(@PathVariable CalledBy by, @PathVariable int sagas, @PathVariable("calls") int callsEach) {
            return CostSample.of(
                            sagas,
                            () -> orders.run(() -> {
                                for (int i = 0; i < callsEach; i++) {
                                    calls.take(by, UUID.randomUUID().toString());
                                }
                            }))
                    .toString();
        }
    }
}
