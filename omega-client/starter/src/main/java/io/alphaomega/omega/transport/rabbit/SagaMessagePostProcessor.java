package io.alphaomega.omega.transport.rabbit;

import io.alphaomega.omega.context.OutgoingCall;
import io.alphaomega.omega.context.SagaContext;
import java.lang.ref.WeakReference;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Correlation;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;

/**
 * Sends the saga of the calling thread along with messages to RabbitMQ. A template calls it right before it publishes, and
 * once more for each retry of its own: that is the same call. It has no order, so it stands behind those that have one and
 * sees what they have written.
 */
public final class SagaMessagePostProcessor implements MessagePostProcessor {
    private static final SagaMessagePostProcessor INSTANCE = new SagaMessagePostProcessor();

    /** What this thread has published last, or tried to, and whether it tries again. */
    private static final ThreadLocal<Publishing> PUBLISHING = ThreadLocal.withInitial(Publishing::new);

    private SagaMessagePostProcessor() {}

    private static final class Publishing {
        private WeakReference<MessageProperties> last = new WeakReference<>(null);
        private boolean again;
    }

    /**
     * Has a template send the saga along; a second time does nothing. To be called when it has its retry template: with one
     * that it gets later, a retry is another call.
     */
    public static void addTo(RabbitTemplate template) {
        if (isIn(template)) return;
        template.addBeforePublishPostProcessors(INSTANCE);
        RabbitRetries.listen(template, again -> PUBLISHING.get().again = again);
    }

    /** Whether the template sends the saga along. */
    public static boolean isIn(RabbitTemplate template) {
        Collection<MessagePostProcessor> processors = template.getBeforePublishPostProcessors();
        return processors != null && processors.contains(INSTANCE);
    }

    @Override
    public Message postProcessMessage(Message message) {
        return postProcessMessage(message, null, "", "");
    }

    @Override
    public Message postProcessMessage(
            Message message, @Nullable Correlation correlation, String exchange, String routingKey) {
        MessageProperties properties = message.getMessageProperties();
        Publishing here = PUBLISHING.get();
        boolean same = here.again && here.last.refersTo(properties);
        here.again = false;
        if (same || (SagaContext.current().isEmpty() && isForwarded(properties))) return message;
        here.last = new WeakReference<>(properties);
        OutgoingCall.send("SEND rabbit/" + exchange + "/" + routingKey, new RabbitCarrier(properties));
        return message;
    }

    /** What a listener's container has put aside is still the message it was. */
    private static boolean isForwarded(MessageProperties properties) {
        return properties.getHeaders().containsKey(RepublishMessageRecoverer.X_ORIGINAL_EXCHANGE);
    }
}
