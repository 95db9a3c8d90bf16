package io.alphaomega.server.http;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
 * @param deadline when it is aborted unless it has ended
 * @param abort the decision to undo it, if it was taken
 * @param suspension what it waits for, if it waits for a person
 */
public record SagaDetail(
        @JsonUnwrapped SagaRow row,
        long sequence,
        String instance,
        Map<String, String> attributes,
        @Nullable Instant deadline,
        @Nullable AbortDetail abort,
        @Nullable SuspensionDetail suspension,
        List<BranchDetail> branches,
        List<HistoryEntry> history) {

    /**
     * Why it was decided to undo the saga.
     *
     * @param branch the branch to blame, if one is
     */
    public record AbortDetail(String cause, @Nullable String branch, String text, Instant at) {}

    /**
     * What a suspended saga waits for.
     *
     * @param reason machine-readable
     * @param service whose people must act
     * @param runbook where alpha shows the paragraph of its documentation that says what to do
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
            return "/docs/operating#" + reason.toLowerCase(Locale.ROOT);
        }
    }
}
