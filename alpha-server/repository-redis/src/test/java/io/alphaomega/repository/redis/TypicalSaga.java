package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/** A saga that commits after three branches in three services: eight appends of one event, as alpha makes them. */
final class TypicalSaga {
    static final int APPENDS = 8;

    /** What alpha's events have on average, with small arguments. */
    private static final int EVENT_BYTES = 110;

    private static final Instant DAY = Instant.parse("2031-05-06T07:08:09.123Z");
    private static final List<String> SERVICES = List.of("flight", "hotel", "car");

    final SagaId id = new SagaId(UUID.randomUUID().toString());
    private final Instant begunAt;
    private int appended;
    private Version version = Version.NONE;

    TypicalSaga(long number) {
        begunAt = DAY.plusMillis(number);
    }

    boolean isOver() {
        return appended == APPENDS;
    }

    void appended(Version now) {
        version = now;
        appended++;
    }

    /** What comes next: the begin, then each branch's begin and end, then the end. */
    Append next() {
        Instant now = begunAt.plusMillis(5L * appended);
        boolean over = appended == APPENDS - 1;
        int branches = Math.min(3, (appended + 1) / 2);
        Set<String> services = new TreeSet<>(Set.of("booking"));
        services.addAll(SERVICES.subList(0, branches));
        boolean branchRuns = appended % 2 == 1 && !over;
        Duration timeout = branchRuns ? Duration.ofSeconds(30) : Duration.ofMinutes(5);
        SagaSummary summary = new SagaSummary(
                id,
                over ? State.COMMITTED : State.ACTIVE,
                "booking",
                "Trips.book",
                "",
                services,
                branches,
                "",
                false,
                begunAt,
                now,
                over ? Optional.of(now) : Optional.empty(),
                over ? Optional.empty() : Optional.of((branchRuns ? now : begunAt).plus(timeout)));
        StoredEvent event = StoredEvent.of("branch.began.v1", new byte[EVENT_BYTES]);
        return new Append(id, version, List.of(event), summary);
    }
}
