package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A saga that a test is about to append: an active one of one service, until it says otherwise. Each setter returns a copy. */
record Draft(SagaSummary summary) {

    static Draft of(SagaId id, String service, Instant begunAt) {
        return new Draft(new SagaSummary(
                id,
                State.ACTIVE,
                service,
                "book",
                "",
                Set.of(service),
                0,
                "",
                false,
                begunAt,
                begunAt,
                Optional.empty(),
                Optional.empty()));
    }

    SagaId id() {
        return summary.id();
    }

    Draft id(SagaId id) {
        SagaSummary s = summary;
        return new Draft(new SagaSummary(
                id,
                s.state(),
                s.service(),
                s.operation(),
                s.businessKey(),
                s.services(),
                s.branches(),
                s.reason(),
                s.manual(),
                s.begunAt(),
                s.updatedAt(),
                s.endedAt(),
                s.wakeUpAt()));
    }

    Draft operation(String operation) {
        return text(operation, summary.businessKey(), summary.reason());
    }

    Draft businessKey(String businessKey) {
        return text(summary.operation(), businessKey, summary.reason());
    }

    Draft reason(String reason) {
        return text(summary.operation(), summary.businessKey(), reason);
    }

    Draft services(String... services) {
        SagaSummary s = summary;
        return new Draft(new SagaSummary(
                s.id(),
                s.state(),
                s.service(),
                s.operation(),
                s.businessKey(),
                Set.of(services),
                s.branches(),
                s.reason(),
                s.manual(),
                s.begunAt(),
                s.updatedAt(),
                s.endedAt(),
                s.wakeUpAt()));
    }

    Draft state(State state) {
        return times(state, summary.begunAt(), summary.endedAt(), summary.wakeUpAt());
    }

    Draft ended(State state, Instant at) {
        return times(state, summary.begunAt(), Optional.of(at), Optional.empty());
    }

    Draft begunAt(Instant begunAt) {
        return times(summary.state(), begunAt, summary.endedAt(), summary.wakeUpAt());
    }

    Draft wakeUpAt(Instant wakeUpAt) {
        return times(summary.state(), summary.begunAt(), summary.endedAt(), Optional.of(wakeUpAt));
    }

    Draft neverWakeUp() {
        return times(summary.state(), summary.begunAt(), summary.endedAt(), Optional.empty());
    }

    Draft updatedAt(Instant updatedAt) {
        SagaSummary s = summary;
        return new Draft(new SagaSummary(
                s.id(),
                s.state(),
                s.service(),
                s.operation(),
                s.businessKey(),
                s.services(),
                s.branches(),
                s.reason(),
                s.manual(),
                s.begunAt(),
                updatedAt,
                s.endedAt(),
                s.wakeUpAt()));
    }

    Append after(Version expected, StoredEvent... events) {
        return new Append(id(), expected, List.of(events), summary);
    }

    private Draft text(String operation, String businessKey, String reason) {
        SagaSummary s = summary;
        return new Draft(new SagaSummary(
                s.id(),
                s.state(),
                s.service(),
                operation,
                businessKey,
                s.services(),
                s.branches(),
                reason,
                s.manual(),
                s.begunAt(),
                s.updatedAt(),
                s.endedAt(),
                s.wakeUpAt()));
    }

    private Draft times(State state, Instant begunAt, Optional<Instant> endedAt, Optional<Instant> wakeUpAt) {
        SagaSummary s = summary;
        return new Draft(new SagaSummary(
                s.id(),
                state,
                s.service(),
                s.operation(),
                s.businessKey(),
                s.services(),
                s.branches(),
                s.reason(),
                s.manual(),
                begunAt,
                s.updatedAt(),
                endedAt,
                wakeUpAt));
    }
}
