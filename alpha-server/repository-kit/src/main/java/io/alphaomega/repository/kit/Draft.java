package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A saga that a test is about to append: an active one of one service, until it says otherwise. Each setter returns a copy. */
final class Draft {
    private SagaId id;
    private State state;
    private String service;
    private String operation;
    private String businessKey;
    private Set<String> services;
    private final int branches;
    private String reason;
    private final boolean manual;
    private Instant begunAt;
    private Instant updatedAt;
    private Optional<Instant> endedAt;
    private Optional<Instant> wakeUpAt;
    private Map<String, String> attributes;
    private Optional<Instant> orderedAt;

    Draft(SagaSummary saga) {
        id = saga.id();
        state = saga.state();
        service = saga.service();
        operation = saga.operation();
        businessKey = saga.businessKey();
        services = saga.services();
        branches = saga.branches();
        reason = saga.reason();
        manual = saga.manual();
        begunAt = saga.begunAt();
        updatedAt = saga.updatedAt();
        endedAt = saga.endedAt();
        wakeUpAt = saga.wakeUpAt();
        attributes = saga.attributes();
        orderedAt = saga.orderedAt();
    }

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
                Optional.empty(),
                Map.of(),
                Optional.empty()));
    }

    SagaSummary summary() {
        return new SagaSummary(
                id,
                state,
                service,
                operation,
                businessKey,
                services,
                branches,
                reason,
                manual,
                begunAt,
                updatedAt,
                endedAt,
                wakeUpAt,
                attributes,
                orderedAt);
    }

    private Draft with(Consumer<Draft> change) {
        Draft copy = new Draft(summary());
        change.accept(copy);
        return copy;
    }

    SagaId id() {
        return id;
    }

    Draft id(SagaId id) {
        return with(saga -> saga.id = id);
    }

    Draft operation(String operation) {
        return with(saga -> saga.operation = operation);
    }

    Draft businessKey(String businessKey) {
        return with(saga -> saga.businessKey = businessKey);
    }

    Draft attributes(Map<String, String> attributes) {
        return with(saga -> saga.attributes = attributes);
    }

    Draft reason(String reason) {
        return with(saga -> saga.reason = reason);
    }

    Draft services(String... services) {
        return with(saga -> saga.services = Set.of(services));
    }

    Draft state(State state) {
        return with(saga -> saga.state = state);
    }

    Draft ended(State state, Instant at) {
        return with(saga -> {
            saga.state = state;
            saga.endedAt = Optional.of(at);
            saga.wakeUpAt = Optional.empty();
        });
    }

    Draft begunAt(Instant begunAt) {
        return with(saga -> saga.begunAt = begunAt);
    }

    Draft wakeUpAt(Instant wakeUpAt) {
        return with(saga -> saga.wakeUpAt = Optional.of(wakeUpAt));
    }

    Draft neverWakeUp() {
        return with(saga -> saga.wakeUpAt = Optional.empty());
    }

    Draft updatedAt(Instant updatedAt) {
        return with(saga -> saga.updatedAt = updatedAt);
    }

    Draft orderedAt(Instant orderedAt) {
        return with(saga -> saga.orderedAt = Optional.of(orderedAt));
    }

    Append after(Version expected, StoredEvent... events) {
        return new Append(id(), expected, List.of(events), summary());
    }
}
