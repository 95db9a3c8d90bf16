package io.alphaomega.samples.shop.campaign.hooks;

import io.alphaomega.omega.context.SagaHeaders;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.RecordInterceptor;

/** A planted bug: a record that comes again is another call. */
public final class NewCallEachTime implements RecordInterceptor<Object, Object> {
    @Override
    public ConsumerRecord<Object, Object> intercept(
            ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
        byte[] call = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
        record.headers().remove(SagaHeaders.CALL).add(SagaHeaders.CALL, call);
        return record;
    }
}
