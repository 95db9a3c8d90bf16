package io.alphaomega.server.queries;

import io.alphaomega.repository.SagaSummary;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the orders that operators have given, as JSON. Those of one saga stand together.
 *
 * @param orders of the sagas of this page, the saga with the last order first; of one saga the last order first
 * @param next the cursor of the next page; null at the end
 */
public record OrderHistory(List<OrderRow> orders, @Nullable String next) {

    /** What was ordered. */
    public enum Kind {
        RETRY,
        SKIP,
        RESOLVE,
        ABORT
    }

    /**
     * One order that took effect.
     *
     * @param at when it was journaled
     * @param order RETRY, SKIP (of a branch), RESOLVE or ABORT
     * @param who ordered it, as was said with the order; of an abort up to the first colon
     * @param why as was said with the order
     * @param saga its id
     * @param sequence the number of the order's event in the saga's journal
     * @param branch that was skipped; null for other orders
     * @param branchName its service and operation; null for other orders
     * @param service that began the saga
     * @param operation that it began with
     * @param businessKey what it is about, as its service says; may be empty
     * @param state of the saga now
     */
    public record OrderRow(
            Instant at,
            Kind order,
            String who,
            String why,
            String saga,
            long sequence,
            @Nullable String branch,
            @Nullable String branchName,
            String service,
            String operation,
            String businessKey,
            SagaSummary.State state) {}
}
