package io.alphaomega.server.changes;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.server.queries.HistoryEntry;
import io.alphaomega.server.queries.SagaDetail;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a saga stands after something happened to it, as JSON.
 *
 * @param id the saga's
 * @param state as in the list of sagas
 * @param sequence how many events its journal has
 * @param reason a sentence: why it was aborted or is suspended; empty otherwise
 * @param endedAt null while it has not ended
 * @param suspension what it waits for, if it waits for a person
 * @param history what happened since the event before, none left out
 */
record SagaChange(
        String id,
        State state,
        long sequence,
        String reason,
        @Nullable Instant endedAt,
        SagaDetail.@Nullable SuspensionDetail suspension,
        List<HistoryEntry> history) {
    /** @param told the sequence that the reader knows */
    static SagaChange of(SagaDetail saga, long told) {
        return new SagaChange(
                saga.row().id(),
                saga.row().state(),
                saga.sequence(),
                saga.row().reason(),
                saga.row().endedAt(),
                saga.suspension(),
                saga.history().stream().filter(entry -> entry.sequence() > told).toList());
    }
}
