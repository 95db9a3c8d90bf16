package io.alphaomega.omega.transport.rabbit;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.SagaRepeatedException;
import io.alphaomega.omega.context.Deliveries;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;

/** Handles RabbitMQ's messages one by one, in listeners that take several at a time. */
public final class SagaMessages {
    /** What may go well when it comes again: if alpha is back, or as another saga that begins here. */
    private static final List<Class<? extends SagaException>> MAY_PASS = List.of(
            AlphaUnavailableException.class,
            SagaAbortedException.class,
            SagaOutcomeUnknownException.class,
            SagaPendingException.class,
            SagaRepeatedException.class);

    private SagaMessages() {}

    /**
     * Does the work of one message in the saga that its headers name: outside of sagas if they name none. A message that is
     * delivered again is the same call, and its branches are the same ones. If its saga is aborted, it is done with: this
     * returns, and the log says so.
     *
     * @throws AmqpRejectAndDontRequeueException if the headers cannot be read, or the saga takes no branches any more.
     *     RabbitMQ's container rejects the whole batch, so a listener that wants the others catches this
     * @throws SagaException if the work, in a saga, returns a future or a publisher: it must be done when it returns
     */
    public static <X extends Throwable> void handle(
            SagaCarrier sagas, Message message, SagaCarrier.Work<? extends @Nullable Object, X> work) throws X {
        handle(message, headers -> Deliveries.handle(sagas, headers::get, id(message), work::run));
    }

    /** As long as a message is handled. */
    interface Handling {
        boolean handle(RabbitCarrier headers) throws Throwable;
    }

    /** Has the broker not deliver again what would fail again of the same. */
    static <X extends Throwable> void handle(Message message, Handling handling) throws X {
        RabbitCarrier headers = new RabbitCarrier(message.getMessageProperties());
        try {
            boolean unused = handling.handle(headers);
        } catch (MalformedSagaHeadersException malformed) {
            throw new AmqpRejectAndDontRequeueException(Deliveries.sentence(malformed), true, malformed);
        } catch (Throwable thrown) {
            SagaException refused = headers.get(SagaHeaders.SAGA) == null ? null : refused(thrown);
            // The broker would deliver it again at once, and again.
            if (refused != null) throw new AmqpRejectAndDontRequeueException(refused.getMessage(), true, thrown);
            throw SagaMessages.<X>asIs(thrown);
        }
    }

    /** What the message is known by if its headers do not name its call; without that, each delivery is another call. */
    static String id(Message message) {
        String id = message.getMessageProperties().getMessageId();
        return id == null ? UUID.randomUUID().toString() : id;
    }

    /** Whether it would fail again of the same: not if alpha is away, and not if a saga that began here has failed. */
    private static @Nullable SagaException refused(Throwable thrown) {
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < 50; depth++, each = each.getCause()) {
            if (each instanceof SagaException refused
                    && MAY_PASS.stream().noneMatch(type -> type.isInstance(refused))) {
                return refused;
            }
        }
        return null;
    }

    /** The work has thrown it, or it is unchecked. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Throwable> X asIs(Throwable thrown) {
        return (X) thrown;
    }
}
