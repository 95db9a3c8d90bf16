package io.alphaomega.server.http;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One event of a saga's journal, as JSON.
 *
 * @param at null if the event cannot be read
 * @param type the event's name in the journal
 * @param text a sentence for people
 * @param payloadBytes size of the arguments or the result that came with it
 */
public record HistoryEntry(
        long sequence,
        @Nullable Instant at,
        String type,
        @Nullable String branch,
        String text,
        @Nullable Integer payloadBytes) {}
