package io.alphaomega.server.saga;

import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators see of one saga's dealings with the store: metrics, traces and the log. */
final class StoreObservations {
    /** The actor's, whose dealings these are. */
    private static final Logger LOG = LoggerFactory.getLogger(SagaActor.class);

    private final SagaId id;
    private final SagaActor.Shared shared;

    /** Whether this owner stored the saga's first event: only then has it seen all of the time. */
    private boolean whole;

    private long nanos;

    StoreObservations(SagaId id, SagaActor.Shared shared) {
        this.id = id;
        this.shared = shared;
    }

    /** So long has a load, or an append, been waited for. */
    void waited(long waited) {
        nanos += waited;
    }

    void stored(DecisionBatch batch) {
        if (batch.begins()) whole = true;
        if (whole && batch.ends()) shared.metrics().waitedForStore(nanos);
    }

    /** It was stored after all: its senders are answered as of a repeat, which counts for nothing. */
    void storedAfterAll(DecisionBatch batch) {
        stored(batch);
        shared.metrics().stored(batch);
        shared.traces().stored(batch);
    }

    void forestalled(Version actual, Version expected) {
        shared.metrics().conflict();
        shared.ownership().forestalled();
        LOG.info(
                "Saga {} is at event {}, expected {}: another node appended; reloading.",
                id,
                actual.sequence(),
                expected.sequence());
    }

    void lost(Version actual, Version acknowledged) {
        shared.metrics().lost();
        LOG.error(
                "Saga {} is at event {}, but {} were stored and acknowledged: the store has lost writes.",
                id,
                actual.sequence(),
                acknowledged.sequence());
    }

    void outcomeUnknown(Throwable failure) {
        LOG.debug("Saga {}: it is unknown whether the append is stored; reloading. {}", id, failure.toString());
        shared.metrics().unknownOutcome();
    }

    /** The repository logs its outages, each once; a line for each saga would bury that. */
    void notLoaded(Throwable failure) {
        LOG.debug("Saga {} was not loaded: {}", id, failure.toString());
    }

    void unreadable(String text) {
        LOG.atError().addKeyValue("sagaId", id).log(text);
    }
}
