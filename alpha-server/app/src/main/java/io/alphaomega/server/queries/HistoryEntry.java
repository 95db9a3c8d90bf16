package io.alphaomega.server.queries;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One event of a saga's journal, as JSON.
 *
 * @param sequence its number in the journal, from 1
 * @param at null if the event cannot be read
 * @param type the event's name in the journal
 * @param branch the branch that it happened to, if it did to one
 * @param text a sentence for people
 * @param payloadBytes size of the arguments or the result that came with it; null without any
 */
public record HistoryEntry(
        long sequence,
        @Nullable Instant at,
        String type,
        @Nullable String branch,
        String text,
        @Nullable Integer payloadBytes) {}
