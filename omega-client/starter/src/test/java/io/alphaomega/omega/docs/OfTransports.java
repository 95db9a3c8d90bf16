package io.alphaomega.omega.docs;

import com.rabbitmq.client.Channel;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.transport.grpc.SagaClientInterceptor;
import io.alphaomega.omega.transport.grpc.SagaServerInterceptor;
import io.alphaomega.omega.transport.kafka.SagaRecords;
import io.alphaomega.omega.transport.rabbit.SagaMessages;
import io.grpc.BindableService;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.ServerBuilder;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;

/** The code of docs/transports.md, with what it speaks of. */
final class OfTransports {
    interface Stock {
        void take(String item);
    }

    static class Orders {
        @SagaEnd
        public void close() {}
    }

    private final SagaCarrier sagas;
    private final Stock stock;
    private final Orders orders = new Orders();

    OfTransports(SagaCarrier sagas, Stock stock) {
        this.sagas = sagas;
        this.stock = stock;
    }

    static final class Shop {
        private final KafkaTemplate<String, String> kafka;

        Shop(KafkaTemplate<String, String> kafka) {
            this.kafka = kafka;
        }

        @SagaStart(autoClose = false, timeout = "10m")
        public void order(String item) {
            kafka.send("orders", item).join();
        }
    }

    @KafkaListener(topics = "orders")
    void order(String item) {
        stock.take(item); // a branch
        orders.close(); // @SagaEnd
    }

    @KafkaListener(topics = "orders", batch = "true")
    void orders(List<ConsumerRecord<String, String>> batch) {
        for (ConsumerRecord<String, String> order : batch) {
            SagaRecords.handle(sagas, order, () -> {
                stock.take(order.value()); // a branch
                orders.close(); // @SagaEnd
                return null;
            });
        }
    }

    final class ByRabbit {
        @RabbitListener(queues = "orders", containerFactory = "batching", ackMode = "MANUAL")
        void orders(List<Message> batch, Channel channel) throws IOException {
            for (Message order : batch) {
                long tag = order.getMessageProperties().getDeliveryTag();
                try {
                    SagaMessages.handle(sagas, order, () -> handle(order));
                    channel.basicAck(tag, false);
                } catch (AmqpRejectAndDontRequeueException refused) {
                    channel.basicReject(tag, false); // to the dead letters
                } catch (RuntimeException failed) {
                    channel.basicReject(tag, true); // comes again
                }
            }
        }

        private String handle(Message order) {
            return new String(order.getBody(), StandardCharsets.UTF_8);
        }
    }

    interface Warehouse {
        void take(String item);
    }

    record Order(String id, String item) {}

    static void byDubbo(Warehouse warehouse, Order order) {
        RpcContext.getClientAttachment().setAttachment(SagaHeaders.KEY, order.id());
        warehouse.take(order.item());
    }

    static Channels byGrpc(
            io.grpc.Channel plain,
            SagaClientInterceptor sagaClientInterceptor,
            int port,
            ServerCredentials credentials,
            BindableService service,
            SagaServerInterceptor sagaServerInterceptor) {
        io.grpc.Channel channel;
        channel = ClientInterceptors.intercept(plain, sagaClientInterceptor);
        return new Channels(
                channel,
                Grpc.newServerBuilderForPort(port, credentials)
                        .addService(ServerInterceptors.intercept(service, sagaServerInterceptor)));
    }

    record Channels(io.grpc.Channel channel, ServerBuilder<?> server) {}
}
