package io.alphaomega.server.console;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.server.http.SagaList;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Sagas by what they have in common.
 *
 * @param next where the next page is; empty if there is none
 * @param refusal why nothing was looked for; empty if it was
 */
record SagasPage(
        Instant now,
        SagaList list,
        Set<State> states,
        String service,
        String text,
        String from,
        String to,
        String next,
        String refusal) {

    static List<State> allStates() {
        return List.of(State.values());
    }
}
