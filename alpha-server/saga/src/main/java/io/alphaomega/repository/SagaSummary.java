package io.alphaomega.repository;

import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * One row of the saga list. Computed by the server, stored verbatim by the plugin, replaced by each append. Instants are
 * in whole milliseconds.
 *
 * @param service the initiator's
 * @param services every service that takes part, the initiator's included
 * @param reason why it aborted or is suspended; empty otherwise
 * @param manual whether a person had to end it
 * @param wakeUpAt when the saga wants to be looked at without being asked; the due-time index
 */
public record SagaSummary(
        SagaId id,
        State state,
        String service,
        String operation,
        String businessKey,
        Set<String> services,
        int branches,
        String reason,
        boolean manual,
        Instant begunAt,
        Instant updatedAt,
        Optional<Instant> endedAt,
        Optional<Instant> wakeUpAt) {
    public SagaSummary {
        services = Set.copyOf(services);
    }

    /** The states as the API shows them. */
    public enum State {
        ACTIVE,
        CONFIRMING,
        COMPENSATING,
        SUSPENDED,
        COMMITTED,
        COMPENSATED;

        public boolean isEnded() {
            return this == COMMITTED || this == COMPENSATED;
        }
    }
}
