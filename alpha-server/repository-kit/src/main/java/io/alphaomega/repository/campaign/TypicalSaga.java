package io.alphaomega.repository.campaign;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;

/** A saga that commits after some branches in three services: appends of one event each, as alpha makes them. */
public final class TypicalSaga {
    /** Of one with three branches. */
    public static final int APPENDS = 8;

    /** What alpha's events have on average, with small arguments. */
    private static final int EVENT_BYTES = 110;

    private static final Clock CLOCK = Clock.systemUTC();
    private static final Instant DAY = Instant.parse("2031-05-06T07:08:09.123Z");
    private static final List<String> SERVICES = List.of("flight", "hotel", "car");

    public final SagaId id = newId();
    private final SplittableRandom random;
    private final Instant begunAt;
    private final int appends;
    private int appended;
    private Version version = Version.NONE;

    public TypicalSaga(long number) {
        this(number, 3);
    }

    public TypicalSaga(long number, int branches) {
        random = new SplittableRandom(number);
        begunAt = DAY.plusMillis(number);
        appends = 2 + 2 * branches;
    }

    /** As an omega's: a UUID of version 7, which begins with the time, so that stores find those of today together. */
    private static SagaId newId() {
        UUID random = UUID.randomUUID();
        long time = CLOCK.millis() << 16;
        return new SagaId(
                new UUID(time | 0x7000L | (random.getMostSignificantBits() & 0x0FFFL), random.getLeastSignificantBits())
                        .toString());
    }

    public boolean isOver() {
        return appended == appends;
    }

    public void appended(Version now) {
        version = now;
        appended++;
    }

    /** What comes next: the begin, then each branch's begin and end, then the end. */
    public Append next() {
        Instant now = begunAt.plusMillis(5L * appended);
        boolean over = appended == appends - 1;
        int branches = Math.min((appends - 2) / 2, (appended + 1) / 2);
        Set<String> services = new TreeSet<>(Set.of("booking"));
        services.addAll(SERVICES.subList(0, Math.min(SERVICES.size(), branches)));
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
                over ? Optional.empty() : Optional.of((branchRuns ? now : begunAt).plus(timeout)),
                Map.of(),
                Optional.empty());
        byte[] bytes = new byte[EVENT_BYTES];
        random.nextBytes(bytes);
        StoredEvent event = StoredEvent.of("branch.began.v1", bytes);
        return new Append(id, version, List.of(event), summary);
    }
}
