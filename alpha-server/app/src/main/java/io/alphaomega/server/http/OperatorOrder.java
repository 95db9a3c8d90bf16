package io.alphaomega.server.http;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.Parameters;
import org.jspecify.annotations.Nullable;

/**
 * What a person wants done, as JSON.
 *
 * @param operator who orders it; absent for whom the header {@code X-Operator} says, which takes Latin letters only
 * @param reason journaled with the order
 * @param branch which to skip
 * @param outcome how to resolve
 * @param sequence the saga's, as the person saw it; absent for the saga as it is now, so that an order that comes
 *     again is another one
 */
record OperatorOrder(
        @Nullable String operator,
        @Nullable String reason,
        @Nullable String branch,
        @Nullable String outcome,
        @Nullable Long sequence) {

    /** @param header whom the header says */
    Operator operator(String header) {
        String who = operator == null || operator.isBlank() ? header : operator;
        if (reason == null || reason.isBlank()) throw Problems.badField("reason", "why you order this");
        try {
            return new Operator(who, reason);
        } catch (IllegalArgumentException e) {
            throw Problems.badParameter(OrdersController.OPERATOR, "the name of a person, not blank and short", who);
        }
    }

    BranchId branchId() {
        try {
            if (branch != null) return new BranchId(branch);
        } catch (IllegalArgumentException e) {
            // Refused below, like none.
        }
        throw Problems.badField("branch", "the id of the branch to skip");
    }

    Outcome wantedOutcome() {
        return Parameters.outcome(outcome);
    }
}
