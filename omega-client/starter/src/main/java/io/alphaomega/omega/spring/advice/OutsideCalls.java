package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.OutsideSaga;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.UnenteredSaga;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.observe.OmegaMetrics;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls of {@link Compensable} methods outside a saga, mostly by a client or an executor that has not taken it along. */
public final class OutsideCalls {
    private static final Logger log = LoggerFactory.getLogger(OutsideCalls.class);

    private final @Nullable OutsideSaga configured;
    private final OmegaMetrics tally;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** @param configured what becomes of those that leave it to the service; null if the service does not say either */
    public OutsideCalls(@Nullable OutsideSaga configured, OmegaMetrics tally) {
        this.configured = configured;
        this.tally = tally;
    }

    /**
     * Such a call is about to run; returns if it may.
     *
     * @throws SagaException if it may not
     */
    public void called(BranchDefinition definition) {
        tally.outside(definition.operation());
        switch (chosen(definition)) {
            case REJECT ->
                throw new SagaException(definition.operation() + " is " + definition.annotation()
                        + " but was called outside a saga, it did not run. " + OutsideReason.here()
                        + " If it is meant to run outside, say " + definition.annotation() + "(outside = RUN).");
            case WARN -> {
                if (!warned.add(definition.operation())) return;
                log.warn(
                        "{} is {} but was called outside a saga: it runs as an ordinary method, which nobody"
                                + " undoes. {} If that is meant, say {}(outside = RUN). Further such calls are only"
                                + " counted.",
                        definition.operation(),
                        definition.annotation(),
                        OutsideReason.here(),
                        definition.annotation());
            }
            default -> {}
        }
    }

    /** Nobody undoes what a saga has asked for and runs outside of it, so that is refused unless the service says otherwise. */
    private OutsideSaga chosen(BranchDefinition definition) {
        if (definition.outside() != OutsideSaga.AS_CONFIGURED) return definition.outside();
        if (configured != null) return configured;
        return UnenteredSaga.sentence() == null ? OutsideSaga.WARN : OutsideSaga.REJECT;
    }
}
