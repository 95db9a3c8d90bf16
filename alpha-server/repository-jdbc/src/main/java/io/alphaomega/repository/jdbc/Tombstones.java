package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaSummary.State;
import java.util.Arrays;
import java.util.Optional;

/** What a row of the table {@code sagas} is after its saga was purged: a state of its own says how that ended. */
public final class Tombstones {
    private static final String PREFIX = "PURGED_";

    /** A condition on rows {@code s}. */
    static final String NONE = "s.buried_at IS NULL";

    /** A condition on the column {@code state} alone, which spares the index a look at tombstones. */
    static final String NO_STATE = "(state < '%s' OR state >= '%s')".formatted(PREFIX, "PURGED`"); // Next after "_".

    private Tombstones() {}

    static String state(String ended) {
        return PREFIX + ended;
    }

    public static boolean is(String stored) {
        return stored.startsWith(PREFIX);
    }

    /** How the saga ended; empty if the row is of one that was not purged. */
    public static Optional<State> ended(String stored) {
        return Arrays.stream(State.values())
                .filter(State::isEnded)
                .filter(state -> stored.equals(state(state.name())))
                .findFirst();
    }
}
