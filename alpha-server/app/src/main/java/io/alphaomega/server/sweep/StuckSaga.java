package io.alphaomega.server.sweep;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaState.Active;
import io.alphaomega.saga.SagaState.Held;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.saga.Stuck;
import java.util.Optional;

/**
 * A saga that is stuck, for a list.
 *
 * @param sequence how many events its journal had; what an order refers to
 * @param initiator the service that began it
 * @param decided how it will end, and its callers were told; empty if that is open or cannot be read
 */
public record StuckSaga(
        SagaId id,
        long sequence,
        SagaSummary.State state,
        String initiator,
        String operation,
        String businessKey,
        Stuck stuck,
        Optional<Outcome> decided) {

    /** How a saga that has not ended will. */
    public static Optional<Outcome> decided(Known saga) {
        if (saga instanceof Active || (saga instanceof Held held && !held.decided())) return Optional.empty();
        return Optional.of(saga.abort().isPresent() ? Outcome.COMPENSATED : Outcome.COMMITTED);
    }
}
