package io.alphaomega.omega.transport.kafka;

import io.alphaomega.omega.context.Deliveries;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.SagaCarrier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;

/** Handles Kafka's records one by one, in listeners that take several at a time. */
public final class SagaRecords {
    private SagaRecords() {}

    /**
     * Does the work of one record in the saga that its headers name: outside of sagas if they name none. A record that comes
     * again is the same call, and its branches are the same ones. If its saga is aborted, it is done with: this returns, and
     * the log says so.
     *
     * @throws BatchListenerFailedException of whatever the work throws, and if the headers cannot be read: it names the
     *     record, so that Spring's error handler takes those before it for handled, and tries it and those after it again, or
     *     gives it to its recoverer
     */
    public static void handle(
            SagaCarrier sagas,
            ConsumerRecord<?, ?> record,
            SagaCarrier.Work<? extends @Nullable Object, ? extends Throwable> work) {
        String position = SagaRecordAdvice.position(record);
        try {
            boolean unused = Deliveries.handle(sagas, new KafkaCarrier(record.headers())::get, position, work::run);
        } catch (MalformedSagaHeadersException malformed) {
            throw failed(position, SagaRecordAdvice.refusal(malformed), record);
        } catch (Error error) {
            throw error;
        } catch (Throwable thrown) {
            throw failed(position, thrown, record);
        }
    }

    private static BatchListenerFailedException failed(String position, Throwable cause, ConsumerRecord<?, ?> record) {
        return new BatchListenerFailedException(
                "Record %s is not handled: %s".formatted(position, cause.getMessage()), cause, record);
    }
}
