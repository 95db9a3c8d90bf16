package io.alphaomega.server.queries;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.server.properties.ConsoleProperties;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one saga, as JSON: the fields of its row, and these.
 *
 * @param sequence how many events its journal has; what an order refers to
 * @param instance of the service that began it
 * @param attributes what its service says of it besides, for search
 * @param deadline when it is aborted unless it has ended; null if it is prepared, since then only its parent aborts it
 * @param abort the decision to undo it, if it was taken
 * @param suspension what it waits for, if it waits for a person
 * @param logUrl where is shown what services have logged of it, if alpha.console.log-url says so
 * @param parent where it is nested, if it is
 * @param prepared whether it is nested and done, and its parent decides
 * @param nested the first of the sagas that are nested in it, in the order in which they began
 * @param branches in the order in which they began
 * @param history every event of its journal
 */
public record SagaDetail(
        @JsonUnwrapped SagaRow row,
        long sequence,
        String instance,
        Map<String, String> attributes,
        @Nullable Instant deadline,
        @Nullable AbortDetail abort,
        @Nullable SuspensionDetail suspension,
        @Nullable String logUrl,
        @Nullable ParentDetail parent,
        boolean prepared,
        List<NestedDetail> nested,
        List<BranchDetail> branches,
        List<HistoryEntry> history) {

    /** With the addresses that {@code links} knows. */
    SagaDetail linked(ConsoleProperties links) {
        return new SagaDetail(
                row,
                sequence,
                instance,
                attributes,
                deadline,
                abort,
                suspension,
                links.log(row.id()).orElse(null),
                parent,
                prepared,
                nested,
                branches.stream().map(branch -> branch.linked(links)).toList(),
                history);
    }

    SagaDetail with(List<NestedDetail> found) {
        return new SagaDetail(
                row,
                sequence,
                instance,
                attributes,
                deadline,
                abort,
                suspension,
                logUrl,
                parent,
                prepared,
                found,
                branches,
                history);
    }

    /**
     * Where a saga is nested.
     *
     * @param saga the one that it is a part of
     * @param branch that it is there
     */
    public record ParentDetail(String saga, String branch) {}

    /**
     * A saga that is nested in this one.
     *
     * @param branch that it is here
     * @param saga its id
     * @param state as of its row; null before it has begun
     * @param prepared whether it is done and waits for the decision of this one
     */
    public record NestedDetail(
            String branch, String saga, @Nullable State state, boolean prepared) {}

    /**
     * Why it was decided to undo the saga.
     *
     * @param cause BRANCH_FAILED, BRANCH_TIMED_OUT, SAGA_TIMED_OUT, INITIATOR, OPERATOR or PARENT
     * @param branch the branch to blame, if one is
     * @param text a sentence
     * @param at when it was decided
     */
    public record AbortDetail(String cause, @Nullable String branch, String text, Instant at) {}

    /**
     * What a suspended saga waits for.
     *
     * @param reason machine-readable
     * @param branch that holds it up, if one does
     * @param service whose people must act
     * @param attempts at its callback
     * @param lastError of the last attempt
     * @param since when alpha gave up; null if that cannot be read
     * @param runbook the path at which alpha shows the paragraph of its documentation that says what to do
     */
    public record SuspensionDetail(
            String reason,
            @Nullable String branch,
            String service,
            int attempts,
            String lastError,
            @Nullable Instant since,
            String runbook) {
        SuspensionDetail(
                String reason,
                @Nullable String branch,
                String service,
                int attempts,
                String lastError,
                @Nullable Instant since) {
            this(reason, branch, service, attempts, lastError, since, runbook(reason));
        }

        public static String runbook(String reason) {
            return "/docs/operating/runbook#" + reason.toLowerCase(Locale.ROOT);
        }
    }
}
