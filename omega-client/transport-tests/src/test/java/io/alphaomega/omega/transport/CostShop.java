package io.alphaomega.omega.transport;

import io.grpc.Channel;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.grpc.client.GrpcChannelFactory;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** The service that {@link CallCost} starts with omega and without: it calls itself by each transport, and measures that. */
@Configuration(proxyBeanMethods = false)
@EnableFeignClients(clients = CostShop.FeignStock.class)
@Import({
    Shop.class,
    GrpcTest.StockService.class,
    CostShop.Endpoint.class,
    CostShop.Messages.class,
    CostShop.Calls.class,
    CostShop.Meter.class
})
class CostShop {
    public static void main(String[] args) {
        SpringApplication.run(CostShop.class, args);
    }

    @FeignClient(name = "stock", url = "http://127.0.0.1:${server.port}")
    interface FeignStock {
        @PostMapping("/stock/{item}")
        String take(@PathVariable("item") String item);
    }

    @RestController
    static class Endpoint {
        private final Stock stock;

        Endpoint(Stock stock) {
            this.stock = stock;
        }

        @PostMapping("/stock/{item}")
        String take(@PathVariable String item) {
            stock.take(item);
            return item;
        }
    }

    /** Whoever sends a message waits until it has been handled, so that it is as much of a call as the others. */
    static class Messages {
        private static final long PATIENCE_SECONDS = 60;

        private final Stock stock;
        private final KafkaTemplate<String, String> kafka;
        private final RabbitTemplate rabbit;
        private final String destination;
        private final ConcurrentMap<String, CompletableFuture<String>> awaited = new ConcurrentHashMap<>();

        Messages(
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

        void byKafka(String item) {
            await(item, () -> kafka.send(destination, item).join());
        }

        void byRabbit(String item) {
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

    /** What is called, and by what. */
    static class Calls {
        private final Stock stock;
        private final RestClient rest;
        private final WebClient web;
        private final FeignStock feign;
        private final Channel grpc;
        private final Messages messages;

        Calls(
                Stock stock,
                RestClient.Builder rest,
                WebClient.Builder web,
                FeignStock feign,
                GrpcChannelFactory channels,
                Messages messages,
                @Value("http://127.0.0.1:${server.port}") String here,
                @Value("static://127.0.0.1:${spring.grpc.server.port}") String grpcHere) {
            this.stock = stock;
            this.rest = rest.baseUrl(here).build();
            this.web = web.baseUrl(here).build();
            this.feign = feign;
            this.grpc = channels.createChannel(grpcHere);
            this.messages = messages;
        }

        void take(CostTransport by, String item) {
            switch (by) {
                case NONE -> stock.take(item);
                case REST_CLIENT ->
                    rest.post().uri("/stock/{item}", item).retrieve().toBodilessEntity();
                case WEB_CLIENT ->
                    web.post()
                            .uri("/stock/{item}", item)
                            .retrieve()
                            .toBodilessEntity()
                            .block();
                case FEIGN -> feign.take(item);
                case GRPC -> GrpcTest.take(grpc, item);
                case KAFKA -> messages.byKafka(item);
                case RABBITMQ -> messages.byRabbit(item);
            }
        }
    }

    @RestController
    static class Meter {
        private final Orders orders;
        private final Calls calls;

        Meter(Orders orders, Calls calls) {
            this.orders = orders;
            this.calls = calls;
        }

        /** So many sagas, one after the other, each of so many calls; what {@link CostSample#parse} reads. */
        @GetMapping("/measure/{by}/{sagas}/{calls}")
        String measure(@PathVariable CostTransport by, @PathVariable int sagas, @PathVariable("calls") int callsEach) {
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
