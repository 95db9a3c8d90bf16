package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.SagaAbortedEvent;
import io.alphaomega.omega.SagaCommittedEvent;
import io.alphaomega.omega.SagaDecidedEvent;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.BeginSaga;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Tells listeners of the application how sagas were decided, outside of the saga; what they throw is logged. */
public final class SagaEvents {
    private static final Logger log = LoggerFactory.getLogger(SagaEvents.class);

    /** For whoever does not end the saga: it is told of by the one that does. */
    static final SagaEvents UNTOLD = new SagaEvents(event -> {});

    private final ApplicationEventPublisher publisher;

    public SagaEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    void committed(SagaContext saga) {
        BeginSaga begin = saga.untold().begin();
        publish(new SagaCommittedEvent(saga.saga(), begin.getOperation(), begin.getBusinessKey()));
    }

    /** @param text why */
    void aborted(SagaContext saga, String text) {
        BeginSaga begin = saga.untold().begin();
        publish(new SagaAbortedEvent(saga.saga(), begin.getOperation(), begin.getBusinessKey(), text));
    }

    private void publish(SagaDecidedEvent event) {
        SagaContext.Scope outside = SagaContext.outside();
        try {
            publisher.publishEvent(event);
        } catch (RuntimeException e) {
            log.warn("A listener threw at {}; the saga stays as it is decided.", event, e);
        } finally {
            outside.close();
        }
    }
}
