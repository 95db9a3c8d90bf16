package io.alphaomega.server.sweep;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;

/**
 * A saga that is stuck, for a list.
 *
 * @param sequence how many events its journal had; what an order refers to
 * @param initiator the service that began it
 */
public record StuckSaga(
        SagaId id,
        long sequence,
        SagaSummary.State state,
        String initiator,
        String operation,
        String businessKey,
        Stuck stuck) {}
