package io.alphaomega.server.bench;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** The sagas of a busy month, each a function of its number: nearly all committed, a few open, each with a key of its own. */
record Population(int size) {
    static final String EVERYWHERE = "booking";
    static final String RARE_SERVICE = "insurance";
    static final String OPERATION = "Trips.book";
    static final String RARE_OPERATION = "Trips.refund";
    static final Attribute RARE_ATTRIBUTE = new Attribute("tenant", "acme");
    static final String RARE_REASON = "of hotel is on strike";

    private static final Instant FIRST = Instant.parse("2026-10-25T00:00:00Z");
    private static final Duration MONTH = Duration.ofDays(30);
    private static final List<String> OPERATIONS = List.of(
            OPERATION, "Trips.bookAll", OPERATION, "Trips.move", OPERATION, "Orders.place", OPERATION, "Orders.pay");
    private static final byte[] EVENTS = new byte[1_000];

    SagaSummary any(Random random) {
        return saga(random.nextInt(size));
    }

    SagaSummary last() {
        return saga(size - 1);
    }

    /** Stored by one append: how a saga came about makes no difference to who looks for it. */
    Append append(int number) {
        SagaSummary saga = saga(number);
        return new Append(saga.id(), Version.NONE, List.of(StoredEvent.of("all of them", EVENTS)), saga);
    }

    SagaSummary saga(int number) {
        Random random = new Random(number * 0x9E3779B97F4A7C15L);
        Instant begun = FIRST.plusMillis(MONTH.toMillis() / size * number);
        State state = state(number, random);
        long took = random.nextInt(2_000) == 0 ? 600_000 + random.nextInt(600_000) : 20 + random.nextInt(500);
        Optional<Instant> ended = state.isEnded() ? Optional.of(begun.plusMillis(took)) : Optional.empty();
        return new SagaSummary(
                id(begun, random),
                state,
                EVERYWHERE,
                random.nextInt(1_000) == 0 ? RARE_OPERATION : OPERATIONS.get(number % OPERATIONS.size()),
                "order-%09d".formatted(random.nextInt(1_000_000_000)),
                random.nextInt(1_000) == 0
                        ? Set.of(EVERYWHERE, RARE_SERVICE)
                        : Set.of(EVERYWHERE, "hotel", number % 2 == 0 ? "car" : "flight"),
                3,
                reason(state, random),
                false,
                begun,
                ended.orElse(begun.plusMillis(20)),
                ended,
                state.isEnded() || state == State.SUSPENDED ? Optional.empty() : Optional.of(begun.plus(MONTH)),
                random.nextInt(1_000) == 0 ? Map.of(RARE_ATTRIBUTE.name(), RARE_ATTRIBUTE.value()) : Map.of(),
                Optional.empty());
    }

    private State state(int number, Random random) {
        int chance = random.nextInt(10_000);
        if (chance < 200) return State.COMPENSATED;
        if (chance < 202) return State.SUSPENDED;
        if (chance < 203) return State.COMPENSATING;
        return number > size - 500 ? State.ACTIVE : State.COMMITTED;
    }

    private static String reason(State state, Random random) {
        return switch (state) {
            case ACTIVE, CONFIRMING, COMMITTED -> "";
            case COMPENSATING, COMPENSATED, SUSPENDED ->
                random.nextInt(200) == 0
                        ? "BRANCH_FAILED: Rooms.reserve " + RARE_REASON
                        : "BRANCH_FAILED: Cars.book of car failed: none left of class " + random.nextInt(9);
        };
    }

    /** Begins with the time, as an omega's does. */
    private static SagaId id(Instant begun, Random random) {
        long high = begun.toEpochMilli() << 16 | 0x7000L | random.nextInt(0x1000);
        return new SagaId(new UUID(high, random.nextLong() >>> 2 | Long.MIN_VALUE).toString());
    }
}
