package io.alphaomega.omega.transport;

import io.alphaomega.omega.SagaStart;
import java.util.List;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The service of {@link TransportCampaign} in which sagas begin; what they take is the {@link CampaignStock}'s. */
@Configuration(proxyBeanMethods = false)
@EnableFeignClients(clients = Calls.FeignStock.class)
@Import({
    Shop.class,
    StockEndpoint.class,
    CampaignShop.SentMessages.class,
    CampaignShop.CalledWarehouse.class,
    Calls.class,
    CampaignShop.Counter.class,
    CampaignShop.Endpoint.class
})
class CampaignShop {
    public static void main(String[] args) {
        SpringApplication.run(CampaignShop.class, args);
    }

    /** Who sends a message is done when the broker has it. */
    static class SentMessages implements Calls.Messages {
        private final KafkaTemplate<String, String> kafka;
        private final RabbitTemplate rabbit;

        SentMessages(KafkaTemplate<String, String> kafka, RabbitTemplate rabbit) {
            this.kafka = kafka;
            this.rabbit = rabbit;
        }

        @Override
        public void byKafka(String item) {
            kafka.send(CampaignStock.ORDERS, item).join();
        }

        @Override
        public void byRabbit(String item) {
            rabbit.convertAndSend(CampaignStock.ORDERS, item);
        }
    }

    static class CalledWarehouse {
        @Bean(destroyMethod = "destroy")
        static ApplicationModel dubbo() {
            return Dubbo.application(FrameworkModel.defaultModel(), "shop");
        }

        @Bean
        static Calls.Warehouses warehouses(
                ApplicationModel dubbo, @Value("${stock.dubbo}") int dubboPort, @Value("${stock.tri}") int triPort) {
            return new Calls.Warehouses(
                    Dubbo.reference(dubbo, "dubbo", dubboPort).get(),
                    Dubbo.reference(dubbo, "tri", triPort).get());
        }
    }

    static class Counter {
        @SagaStart(businessKey = "#order")
        public void order(String order, Runnable calls) {
            calls.run();
        }

        /** Ends where the message is handled. */
        @SagaStart(businessKey = "#order", autoClose = false)
        public void send(String order, Runnable message) {
            message.run();
        }
    }

    static class ChangedTheirMind extends RuntimeException {}

    @RestController
    static class Endpoint {
        private final Counter counter;
        private final Calls calls;

        Endpoint(Counter counter, Calls calls) {
            this.counter = counter;
            this.calls = calls;
        }

        /** Takes an item by each, unless the customer changes their mind after that. */
        @PostMapping("/orders/{order}")
        void order(@PathVariable String order, @RequestParam List<CalledBy> by, @RequestParam boolean aborts) {
            Runnable all = () -> {
                for (CalledBy each : by) calls.take(each, order + "-" + each);
                if (aborts) throw new ChangedTheirMind();
            };
            if (by.stream().anyMatch(CalledBy::isMessage)) counter.send(order, all);
            else counter.order(order, all);
        }
    }
}
