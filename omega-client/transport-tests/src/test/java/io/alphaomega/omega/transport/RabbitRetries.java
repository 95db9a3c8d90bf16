package io.alphaomega.omega.transport;

import io.alphaomega.omega.context.SagaContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;

/** Listeners whose container calls them again in place, one whose container comes from no factory, and a careless one of batches. */
class RabbitRetries {
    private final Stock stock;
    private final Orders orders;
    final List<String> sagas = new CopyOnWriteArrayList<>();

    RabbitRetries(Stock stock, Orders orders) {
        this.stock = stock;
        this.orders = orders;
    }

    @Bean
    static Queue retried() {
        return new Queue("retried");
    }

    @Bean
    static Queue byHand() {
        return new Queue("by-hand");
    }

    @Bean
    static Queue careless() {
        return QueueBuilder.durable("careless")
                .deadLetterExchange("")
                .deadLetterRoutingKey("careless-dead")
                .build();
    }

    @Bean
    static Queue deadCareless() {
        return new Queue("careless-dead");
    }

    @Bean
    static SimpleRabbitListenerContainerFactory retrying(BeanFactory beans, ConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory factory = BootUnderTest.rabbitListeners(beans, connections);
        factory.setAdviceChain(BootUnderTest.twoRabbitRetries());
        return factory;
    }

    @Bean
    static SimpleRabbitListenerContainerFactory rejectingBatches(BeanFactory beans, ConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory factory = RabbitBatches.batching(beans, connections);
        factory.setDefaultRequeueRejected(false);
        return factory;
    }

    @Bean
    SimpleMessageListenerContainer byHandContainer(ConnectionFactory connections) {
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections);
        container.setQueueNames("by-hand");
        container.setMessageListener(message -> {
            stock.take(new String(message.getBody(), StandardCharsets.UTF_8));
            orders.close();
        });
        return container;
    }

    @RabbitListener(queues = "retried", containerFactory = "retrying")
    void retried(String item) {
        sagas.add(SagaContext.current().map(SagaContext::saga).orElse("none"));
        stock.take(item);
        if (sagas.size() < 3) throw new IllegalStateException("not yet");
        orders.close();
    }

    @RabbitListener(queues = "careless", containerFactory = "rejectingBatches")
    void careless(List<Message> batch) {
        for (Message order : batch) stock.take(new String(order.getBody(), StandardCharsets.UTF_8));
    }
}
