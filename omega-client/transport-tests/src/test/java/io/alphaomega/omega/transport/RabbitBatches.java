package io.alphaomega.omega.transport;

import com.rabbitmq.client.Channel;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.transport.rabbit.SagaMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;

/** What gets two messages at a time, and handles each in its saga. */
class RabbitBatches {
    private final SagaCarrier sagas;
    private final Stock stock;
    private final Orders orders;
    final List<String> heard = new CopyOnWriteArrayList<>();
    volatile String failsOnce = "";

    RabbitBatches(SagaCarrier sagas, Stock stock, Orders orders) {
        this.sagas = sagas;
        this.stock = stock;
        this.orders = orders;
    }

    @Bean
    static Queue batches() {
        return QueueBuilder.durable("batches")
                .deadLetterExchange("")
                .deadLetterRoutingKey("batches-dead")
                .build();
    }

    @Bean
    static Queue deadBatches() {
        return new Queue("batches-dead");
    }

    @Bean
    static SimpleRabbitListenerContainerFactory batching(BeanFactory beans, ConnectionFactory connections) {
        SimpleRabbitListenerContainerFactory factory = BootUnderTest.rabbitListeners(beans, connections);
        factory.setBatchListener(true);
        factory.setConsumerBatchEnabled(true);
        factory.setBatchSize(2);
        factory.setReceiveTimeout(100L);
        return factory;
    }

    /** Each is acknowledged by itself: the container would reject, or deliver again, all of them. */
    @RabbitListener(queues = "batches", containerFactory = "batching", ackMode = "MANUAL")
    void each(List<Message> batch, Channel channel) throws IOException {
        for (Message order : batch) {
            heard.add(text(order));
            long tag = order.getMessageProperties().getDeliveryTag();
            try {
                SagaMessages.handle(sagas, order, () -> handle(text(order)));
                channel.basicAck(tag, false);
            } catch (AmqpRejectAndDontRequeueException refused) {
                channel.basicReject(tag, false);
            } catch (RuntimeException failed) {
                channel.basicReject(tag, true);
            }
        }
    }

    private @Nullable Void handle(String order) {
        stock.take(order);
        if (order.equals(failsOnce)) {
            failsOnce = "";
            throw new IllegalStateException("not yet");
        }
        orders.close();
        return null;
    }

    private static String text(Message message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }
}
