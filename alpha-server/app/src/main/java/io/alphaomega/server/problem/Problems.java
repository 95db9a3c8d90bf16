package io.alphaomega.server.problem;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Refusal;
import java.time.Duration;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** Why a request is refused, as problems (RFC 9457): {@code detail} is a sentence, {@code reason} is for programs. */
public final class Problems {
    /** A store that comes back does so within seconds; asking more often only adds to its load. */
    public static final Duration RETRY_STORE = Duration.ofSeconds(5);

    private Problems() {}

    public static ErrorResponseException badParameter(String name, String expected, String found) {
        ProblemDetail problem = problem(
                ProblemReason.BAD_PARAMETER,
                "The parameter '%s' must be %s but was '%s'.".formatted(name, expected, found));
        problem.setProperty("parameter", name);
        return exception(problem);
    }

    public static ErrorResponseException badField(String name, String expected) {
        ProblemDetail problem =
                problem(ProblemReason.BAD_FIELD, "The field '%s' must be %s.".formatted(name, expected));
        problem.setProperty("field", name);
        return exception(problem);
    }

    public static ErrorResponseException unknownSaga(String id) {
        return exception(problem(ProblemReason.UNKNOWN_SAGA, "There is no saga '%s'.".formatted(id)));
    }

    public static ErrorResponseException unknownBulk(String id) {
        return exception(problem(ProblemReason.UNKNOWN_BULK_ORDER, "There is no bulk order '%s'.".formatted(id)));
    }

    public static ErrorResponseException moreMeant(long meant, long expected) {
        return exception(problem(
                ProblemReason.MORE_MEANT,
                "The order would be for %d sagas, more than the %d that were expected: nothing is ordered. Look at them again with dryRun, and at what has changed."
                        .formatted(meant, expected)));
    }

    public static ErrorResponseException notAllCounted(long counted) {
        return exception(problem(
                ProblemReason.MORE_MEANT,
                "The order would be for %d sagas and perhaps for others, because there are more than alpha looks at: nothing is ordered. Retry what can be retried first; of active sagas, abort the oldest first, with 'before'."
                        .formatted(counted)));
    }

    public static ErrorResponseException olderNodes(List<String> nodes) {
        return exception(problem(
                ProblemReason.OLDER_NODES,
                "Nodes of an older alpha do not know this order, and one of them may have to carry it out: %s. Give it once all nodes are updated."
                        .formatted(nodes.isEmpty() ? "one that has not answered now" : String.join(", ", nodes))));
    }

    public static ErrorResponseException silentNodes(List<String> nodes) {
        return notServing(
                "Nodes do not answer, and one that does not know this order may have to carry it out: %s. Nothing is ordered. Order it again once they answer, or have left the cluster."
                        .formatted(String.join(", ", nodes)),
                RETRY_STORE);
    }

    /** It was there, and will not be again. */
    public static ErrorResponseException purgedSaga(String id, SagaSummary.State ended) {
        ProblemDetail problem = problem(
                ProblemReason.SAGA_PURGED,
                "Saga '%s' ended as %s; its history is older than alpha.retention.ended and no longer stored."
                        .formatted(id, ended));
        problem.setProperty("state", ended);
        return exception(problem);
    }

    public static ErrorResponseException sequenceRequired(String id) {
        ProblemDetail problem = problem(
                ProblemReason.SEQUENCE_REQUIRED,
                "The order must have the field 'sequence', which GET /api/v1/sagas/%s shows, so that it is carried out on the saga that you saw: alpha.orders.require-sequence is true here."
                        .formatted(id));
        problem.setProperty("field", "sequence");
        return exception(problem);
    }

    public static ErrorResponseException noIndex() {
        return exception(
                problem(ProblemReason.NO_INDEX, "There is no search index: alpha.search.type is journal here."));
    }

    public static ErrorResponseException unreadable(String text) {
        return exception(problem(ProblemReason.JOURNAL_UNREADABLE, sentence(text)));
    }

    /** What the rules refuse. */
    public static ErrorResponseException refused(Refusal reason, String text) {
        return exception(problem(HttpStatus.CONFLICT, reason.name(), sentence(text)));
    }

    public static ErrorResponseException notServing(String text, Duration retryAfter) {
        return notNow(ProblemReason.UNAVAILABLE, text, retryAfter);
    }

    public static ErrorResponseException tooManyWatchers(int max, Duration retryAfter) {
        return notNow(
                ProblemReason.TOO_MANY_WATCHERS,
                "%d streams of changes are read from this alpha node, which is as many as it allows; retry later, or ask another node."
                        .formatted(max),
                retryAfter);
    }

    private static ErrorResponseException notNow(ProblemReason reason, String text, Duration retryAfter) {
        ErrorResponseException notNow = exception(problem(reason, text));
        notNow.getHeaders().set(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.toSeconds()));
        return notNow;
    }

    /** The same as an answer would say, for a reader in the middle of one. */
    public static ProblemDetail of(RepositoryUnavailableException unavailable) {
        return problem(ProblemReason.UNAVAILABLE, sentence(String.valueOf(unavailable.getMessage())));
    }

    private static ErrorResponseException exception(ProblemDetail problem) {
        return new ErrorResponseException(HttpStatus.valueOf(problem.getStatus()), problem, null);
    }

    public static ProblemDetail problem(ProblemReason reason, String detail) {
        return problem(reason.status(), reason.name(), detail);
    }

    private static ProblemDetail problem(HttpStatus status, String reason, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setProperty("reason", reason);
        return problem;
    }

    public static String sentence(String text) {
        String capital = text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return capital.endsWith(".") ? capital : capital + ".";
    }
}
