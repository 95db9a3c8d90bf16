package io.alphaomega.repository;

import io.alphaomega.saga.Saga;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.Stuck;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One row of the saga list. Computed by the server, stored verbatim by the plugin, replaced by each append. Instants are
 * in whole milliseconds.
 *
 * @param service the initiator's
 * @param businessKey the initiator's; empty if there is none, or while the initiator is unknown; then always the same
 * @param services every service that takes part, the initiator's included
 * @param reason why it aborted or is suspended; empty otherwise
 * @param manual whether a person had to end it
 * @param wakeUpAt when the saga wants to be looked at without being asked; the due-time index
 * @param attributes the initiator's, like the business key
 * @param orderedAt when the last order of an operator took effect
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
        Optional<Instant> wakeUpAt,
        Map<String, String> attributes,
        Optional<Instant> orderedAt) {
    public SagaSummary {
        services = Set.copyOf(services);
        attributes = Map.copyOf(attributes);
    }

    /** The summary of a saga as its journal tells it, the last event of which was journaled at {@code updatedAt}. */
    public static SagaSummary of(SagaState.Known state, Instant updatedAt) {
        Saga saga = state.saga();
        return new SagaSummary(
                saga.id(),
                State.of(state),
                saga.initiator().service(),
                saga.initiator().operation(),
                saga.initiator().businessKey(),
                saga.services(),
                saga.branches().size(),
                reason(state),
                state instanceof SagaState.Ended ended && ended.manual(),
                saga.begunAt(),
                updatedAt,
                state instanceof SagaState.Ended ended ? Optional.of(ended.at()) : Optional.empty(),
                SagaRules.wakeUpAt(state),
                saga.initiator().attributes(),
                saga.orders().isEmpty()
                        ? Optional.empty()
                        : Optional.of(saga.orders().getLast().event().at()));
    }

    private static String reason(SagaState.Known state) {
        if (state instanceof SagaState.Suspended suspended) {
            return suspended.suspension().reason() + ": "
                    + suspended.suspension().lastError();
        }
        if (state instanceof SagaState.Held held) return Stuck.RESTORED + ": " + held.why();
        return state.abort().map(abort -> abort.cause() + ": " + abort.text()).orElse("");
    }

    /** The states as the API shows them. */
    public enum State {
        ACTIVE,
        CONFIRMING,
        COMPENSATING,
        SUSPENDED,
        COMMITTED,
        COMPENSATED;

        static State of(SagaState.Known state) {
            return switch (state) {
                case SagaState.Active active -> ACTIVE;
                case SagaState.Prepared prepared -> ACTIVE;
                case SagaState.Confirming confirming -> CONFIRMING;
                case SagaState.Compensating compensating -> COMPENSATING;
                case SagaState.Suspended suspended -> SUSPENDED;
                case SagaState.Held held -> SUSPENDED;
                case SagaState.Ended ended ->
                    switch (ended.outcome()) {
                        case COMMITTED -> COMMITTED;
                        case COMPENSATED -> COMPENSATED;
                    };
            };
        }

        public boolean isEnded() {
            return this == COMMITTED || this == COMPENSATED;
        }
    }
}
