package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaSummary.State;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** How states are stored: as a digit, also in the name of an index. */
final class States {
    /** Of the states that newer versions may add. They are shown as suspended. */
    private static final List<Character> UNKNOWN = List.of('7', '8', '9');

    private States() {}

    static char code(State state) {
        return switch (state) {
            case ACTIVE -> '1';
            case CONFIRMING -> '2';
            case COMPENSATING -> '3';
            case SUSPENDED -> '4';
            case COMMITTED -> '5';
            case COMPENSATED -> '6';
        };
    }

    /** Empty for one that a newer version has stored, or that is damaged. */
    static Optional<State> of(char code) {
        for (State state : State.values()) {
            if (code(state) == code) return Optional.of(state);
        }
        return Optional.empty();
    }

    /** Of the sagas that are shown in one of the states. */
    static List<Character> codes(Collection<State> states) {
        TreeSet<Character> codes = new TreeSet<>();
        for (State state : states) {
            codes.add(code(state));
            if (state == State.SUSPENDED) codes.addAll(UNKNOWN);
        }
        return List.copyOf(codes);
    }
}
