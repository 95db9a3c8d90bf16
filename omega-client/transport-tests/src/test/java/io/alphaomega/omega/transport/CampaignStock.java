package io.alphaomega.omega.transport;

import io.alphaomega.omega.Omega;
import java.util.List;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;

/** The service of {@link TransportCampaign} that is called by each transport. */
@Configuration(proxyBeanMethods = false)
@Import({
    Shop.class,
    StockEndpoint.class,
    GrpcTest.StockService.class,
    CampaignStock.Ordered.class,
    CampaignStock.ServedWarehouse.class
})
class CampaignStock {
    /** The topic and the queue. */
    static final String ORDERS = "orders";

    public static void main(String[] args) {
        SpringApplication.run(CampaignStock.class, args);
    }

    /** By messages, which are the last of their saga. */
    static class Ordered {
        private final Stock stock;
        private final Orders orders;

        Ordered(Stock stock, Orders orders) {
            this.stock = stock;
            this.orders = orders;
        }

        @Bean
        static Queue queue() {
            return new Queue(ORDERS);
        }

        @KafkaListener(topics = ORDERS)
        @RabbitListener(queues = ORDERS)
        void order(String item) {
            stock.take(item);
            orders.close();
        }
    }

    /** By Dubbo's protocols. */
    static class ServedWarehouse {
        @Bean(destroyMethod = "destroy")
        static ApplicationModel dubbo() {
            return Dubbo.application(FrameworkModel.defaultModel(), "stock");
        }

        @Bean
        static Warehouse warehouse(
                ApplicationModel dubbo,
                Stock stock,
                Omega omega,
                @Value("${stock.dubbo}") int dubboPort,
                @Value("${stock.tri}") int triPort) {
            DubboWarehouse warehouse = new DubboWarehouse(stock, omega);
            Dubbo.export(dubbo, List.of(Dubbo.service(dubbo, warehouse)), dubboPort, triPort);
            return warehouse;
        }
    }
}
