package io.alphaomega.server.console;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.server.queries.SagaList;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sagas by what they have in common.
 *
 * @param given what the form was filled in with, by the names of its fields
 * @param next where the next page is; empty if there is none
 * @param refusal why nothing was looked for; empty if it was
 */
record SagasPage(
        Instant now, SagaList list, Set<State> states, Map<String, String> given, String next, String refusal) {
    /** Asked for less often. */
    private static final List<String> FURTHER = List.of(
            "operation",
            "attribute",
            "reason",
            "olderThan",
            "youngerThan",
            "from",
            "to",
            "longerThan",
            "changedSince",
            "id");

    static List<State> allStates() {
        return List.of(State.values());
    }

    /** Whether the store has none, rather than none like this. */
    boolean hasNone() {
        return given.isEmpty() && refusal.isEmpty() && list.sagas().isEmpty();
    }

    String given(String field) {
        return given.getOrDefault(field, "");
    }

    /** Whether a field that is folded away is filled in: what narrows the list is shown. */
    boolean isFurther() {
        return FURTHER.stream().anyMatch(given::containsKey);
    }
}
