package io.alphaomega.server.queries;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.wire.WireAnswers;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One saga in a list, as JSON.
 *
 * @param id the saga's
 * @param state ACTIVE until it is decided, then CONFIRMING or COMPENSATING; SUSPENDED while it waits for a person;
 *     COMMITTED or COMPENSATED once it has ended
 * @param service that began it
 * @param operation that it began with
 * @param businessKey what it is about, as its service says; may be empty
 * @param services those that take part, with the one that began it
 * @param branchCount how many branches it has
 * @param reason a sentence: why it was aborted or is suspended; empty otherwise
 * @param manual whether a person had to end it
 * @param begunAt null if nothing of it can be read
 * @param updatedAt when something last happened to it
 * @param endedAt null while it has not ended
 * @param wakeUpAt when alpha looks at it again by itself; null if it need not
 */
public record SagaRow(
        String id,
        SagaSummary.State state,
        String service,
        String operation,
        String businessKey,
        List<String> services,
        int branchCount,
        String reason,
        boolean manual,
        @Nullable Instant begunAt,
        @Nullable Instant updatedAt,
        @Nullable Instant endedAt,
        @Nullable Instant wakeUpAt) {

    /** What {@link #reason} begins with when the journal cannot be read, and the reason in a problem. */
    public static final String JOURNAL_UNREADABLE = WireAnswers.JOURNAL_UNREADABLE;

    static SagaRow of(SagaSummary summary) {
        return new SagaRow(
                summary.id().value(),
                summary.state(),
                summary.service(),
                summary.operation(),
                summary.businessKey(),
                summary.services().stream().sorted().toList(),
                summary.branches(),
                summary.reason(),
                summary.manual(),
                summary.begunAt(),
                summary.updatedAt(),
                summary.endedAt().orElse(null),
                summary.wakeUpAt().orElse(null));
    }

    /** Of a saga of which nothing can be read. */
    static SagaRow unknown(String id) {
        return new SagaRow(
                id, SagaSummary.State.SUSPENDED, "", "", "", List.of(), 0, "", false, null, null, null, null);
    }

    /** The same saga, which waits for a person because its journal cannot be read. */
    SagaRow unreadable(String sentence) {
        return new SagaRow(
                id,
                SagaSummary.State.SUSPENDED,
                service,
                operation,
                businessKey,
                services,
                branchCount,
                JOURNAL_UNREADABLE + ": " + sentence,
                manual,
                begunAt,
                updatedAt,
                null,
                null);
    }
}
