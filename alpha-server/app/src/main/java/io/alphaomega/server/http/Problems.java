package io.alphaomega.server.http;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Refusal;
import io.alphaomega.server.saga.SagaUnavailableException;
import io.alphaomega.server.saga.SagaUnreadableException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/**
 * Every error as a problem (RFC 9457): {@code detail} is a sentence, {@code reason} is for programs. Spring's own errors,
 * such as a method that is not allowed, keep Spring's detail.
 */
@RestControllerAdvice
public class Problems extends ResponseEntityExceptionHandler {
    /** A store that comes back does so within seconds; asking more often only adds to its load. */
    private static final Duration RETRY_STORE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    public static ErrorResponseException badParameter(String name, String expected, String found) {
        ProblemDetail problem = problem(
                ProblemReason.BAD_PARAMETER,
                "The parameter '%s' must be %s but was '%s'.".formatted(name, expected, found));
        problem.setProperty("parameter", name);
        return exception(problem);
    }

    static ErrorResponseException badField(String name, String expected) {
        ProblemDetail problem =
                problem(ProblemReason.BAD_FIELD, "The field '%s' must be %s.".formatted(name, expected));
        problem.setProperty("field", name);
        return exception(problem);
    }

    public static ErrorResponseException unknownSaga(String id) {
        return exception(problem(ProblemReason.UNKNOWN_SAGA, "There is no saga '%s'.".formatted(id)));
    }

    static ErrorResponseException unknownBulk(String id) {
        return exception(problem(ProblemReason.UNKNOWN_BULK_ORDER, "There is no bulk order '%s'.".formatted(id)));
    }

    static ErrorResponseException moreMeant(long meant, long expected) {
        return exception(problem(
                ProblemReason.MORE_MEANT,
                "The order would be for %d sagas, more than the %d that were expected: nothing is ordered. Look at them again with dryRun, and at what has changed."
                        .formatted(meant, expected)));
    }

    static ErrorResponseException notAllCounted(long counted) {
        return exception(problem(
                ProblemReason.MORE_MEANT,
                "The order would be for %d sagas and perhaps for others, because there are more than alpha looks at: nothing is ordered. Retry what can be retried first; of active sagas, abort the oldest first, with 'before'."
                        .formatted(counted)));
    }

    static ErrorResponseException olderNodes(List<String> nodes) {
        return exception(problem(
                ProblemReason.OLDER_NODES,
                "Nodes of an older alpha do not know this order, and one of them may have to carry it out: %s. Give it once all nodes are updated."
                        .formatted(nodes.isEmpty() ? "one that has not answered now" : String.join(", ", nodes))));
    }

    static ErrorResponseException silentNodes(List<String> nodes) {
        return notServing(
                "Nodes do not answer, and one that does not know this order may have to carry it out: %s. Nothing is ordered. Order it again once they answer, or have left the cluster."
                        .formatted(String.join(", ", nodes)),
                RETRY_STORE);
    }

    /** It was there, and will not be again. */
    static ErrorResponseException purgedSaga(String id, SagaSummary.State ended) {
        ProblemDetail problem = problem(
                ProblemReason.SAGA_PURGED,
                "Saga '%s' ended as %s; its history is older than alpha.retention.ended and no longer stored."
                        .formatted(id, ended));
        problem.setProperty("state", ended);
        return exception(problem);
    }

    static ErrorResponseException sequenceRequired(String id) {
        ProblemDetail problem = problem(
                ProblemReason.SEQUENCE_REQUIRED,
                "The order must have the field 'sequence', which GET /api/v1/sagas/%s shows, so that it is carried out on the saga that you saw: alpha.orders.require-sequence is true here."
                        .formatted(id));
        problem.setProperty("field", "sequence");
        return exception(problem);
    }

    static ErrorResponseException noIndex() {
        return exception(
                problem(ProblemReason.NO_INDEX, "There is no search index: alpha.search.type is journal here."));
    }

    /** What the rules refuse. */
    static ErrorResponseException unreadable(String text) {
        return exception(problem(ProblemReason.JOURNAL_UNREADABLE, sentence(text)));
    }

    static ErrorResponseException refused(Refusal reason, String text) {
        return exception(problem(HttpStatus.CONFLICT, reason.name(), sentence(text)));
    }

    public static ErrorResponseException notServing(String text, Duration retryAfter) {
        return notNow(ProblemReason.UNAVAILABLE, text, retryAfter);
    }

    public static ErrorResponseException tooManyWatchers(int max, Duration retryAfter) {
        return notNow(
                ProblemReason.TOO_MANY_WATCHERS,
                "%d streams of changes are read from this alpha node, which is as many as it allows; come again, or ask another node."
                        .formatted(max),
                retryAfter);
    }

    private static ErrorResponseException notNow(ProblemReason reason, String text, Duration retryAfter) {
        ErrorResponseException notNow = exception(problem(reason, text));
        notNow.getHeaders().set(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.toSeconds()));
        return notNow;
    }

    /** The same as an answer would say, for those who are told in the middle of one. */
    public static ProblemDetail of(RepositoryUnavailableException unavailable) {
        return problem(ProblemReason.UNAVAILABLE, sentence(String.valueOf(unavailable.getMessage())));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(SagaUnavailableException unavailable) {
        return unavailable(String.valueOf(unavailable.getMessage()), unavailable.retryAfter());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(RepositoryUnavailableException unavailable) {
        return unavailable(String.valueOf(unavailable.getMessage()), RETRY_STORE);
    }

    @ExceptionHandler({SagaUnreadableException.class, CorruptJournalException.class})
    ResponseEntity<ProblemDetail> handleUnreadable(RuntimeException unreadable) {
        return ResponseEntity.of(
                        problem(ProblemReason.JOURNAL_UNREADABLE, sentence(String.valueOf(unreadable.getMessage()))))
                .build();
    }

    /** A bug, so it is logged with its stack trace; the caller learns no more than that. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(Exception bug, WebRequest request) {
        LOG.error("{} failed: this is a bug.", request.getDescription(false), bug);
        return ResponseEntity.of(problem(
                        ProblemReason.BUG,
                        "Alpha failed to answer; its log says why. Nothing that was acknowledged is lost."))
                .build();
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        String said = String.valueOf(unreadable.getMostSpecificCause().getMessage());
        ProblemDetail problem = problem(
                ProblemReason.BAD_BODY,
                "The body must be a JSON object with the fields of this request, and no others: "
                        + said.lines().findFirst().orElse(""));
        return handleExceptionInternal(unreadable, problem, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException missing, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = problem(
                ProblemReason.NOTHING_HERE,
                "There is nothing at /%s; GET / says what there is.".formatted(missing.getResourcePath()));
        return handleExceptionInternal(missing, problem, headers, status, request);
    }

    /** What Spring refuses by itself: its status is the reason. */
    @Override
    protected ResponseEntity<Object> createResponseEntity(
            @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (body instanceof ProblemDetail problem) {
            Stream.of(
                            ProblemReason.METHOD_NOT_ALLOWED,
                            ProblemReason.NOT_ACCEPTABLE,
                            ProblemReason.UNSUPPORTED_MEDIA_TYPE)
                    .filter(reason -> reason.status().isSameCodeAs(status))
                    .forEach(reason -> problem.setProperty("reason", reason.name()));
        }
        return super.createResponseEntity(body, headers, status, request);
    }

    private static ResponseEntity<ProblemDetail> unavailable(String text, Duration retryAfter) {
        long seconds = Math.max(1, retryAfter.toSeconds());
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))
                .body(problem(ProblemReason.UNAVAILABLE, sentence(text)));
    }

    private static ErrorResponseException exception(ProblemDetail problem) {
        return new ErrorResponseException(HttpStatus.valueOf(problem.getStatus()), problem, null);
    }

    private static ProblemDetail problem(ProblemReason reason, String detail) {
        return problem(reason.status(), reason.name(), detail);
    }

    private static ProblemDetail problem(HttpStatus status, String reason, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setProperty("reason", reason);
        return problem;
    }

    static String sentence(String text) {
        String capital = text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return capital.endsWith(".") ? capital : capital + ".";
    }
}
