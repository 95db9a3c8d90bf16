package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaRepository;
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
import java.util.UUID;

/** Sagas to try things with. */
final class Samples {
    static final Instant BEGUN = Instant.parse("2031-05-06T07:08:09.123Z");

    private Samples() {}

    static SagaId newId() {
        return new SagaId(UUID.randomUUID().toString());
    }

    static SagaSummary summary(SagaId id, State state, String reason, Optional<Instant> endedAt) {
        return new SagaSummary(
                id,
                state,
                "booking",
                "trips/book",
                "order 4711",
                Set.of("booking", "hotel"),
                1,
                reason,
                false,
                BEGUN,
                BEGUN,
                endedAt,
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }

    /** A committed one with an attribute, {@code tenant=acme}, and an order. */
    static SagaSummary marked(SagaId id) {
        SagaSummary saga = summary(id, State.COMMITTED, "", Optional.of(BEGUN));
        return new SagaSummary(
                id,
                saga.state(),
                saga.service(),
                saga.operation(),
                saga.businessKey(),
                saga.services(),
                saga.branches(),
                saga.reason(),
                true,
                saga.begunAt(),
                saga.updatedAt(),
                saga.endedAt(),
                saga.wakeUpAt(),
                Map.of("tenant", "acme"),
                Optional.of(BEGUN));
    }

    static SagaSummary active(SagaId id) {
        return summary(id, State.ACTIVE, "", Optional.empty());
    }

    static Append append(SagaId id, Version expected, int bytes) {
        return new Append(id, expected, List.of(StoredEvent.of("saga.begun.v1", new byte[bytes])), active(id));
    }

    static Append begin(SagaId id) {
        return append(id, Version.NONE, 100);
    }

    static Version appended(SagaRepository repository, Append item) {
        return ((Appended) repository.append(List.of(item)).getFirst()).version();
    }
}
