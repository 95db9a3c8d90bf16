package io.alphaomega.server.http;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.server.saga.SagaUnavailableException;
import io.alphaomega.server.saga.SagaUnreadableException;
import java.time.Duration;
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
                HttpStatus.BAD_REQUEST,
                "BAD_PARAMETER",
                "The parameter '%s' must be %s but was '%s'.".formatted(name, expected, found));
        problem.setProperty("parameter", name);
        return new ErrorResponseException(HttpStatus.BAD_REQUEST, problem, null);
    }

    static ErrorResponseException badField(String name, String expected) {
        ProblemDetail problem =
                problem(HttpStatus.BAD_REQUEST, "BAD_FIELD", "The field '%s' must be %s.".formatted(name, expected));
        problem.setProperty("field", name);
        return new ErrorResponseException(HttpStatus.BAD_REQUEST, problem, null);
    }

    public static ErrorResponseException unknownSaga(String id) {
        return new ErrorResponseException(
                HttpStatus.NOT_FOUND,
                problem(HttpStatus.NOT_FOUND, "UNKNOWN_SAGA", "There is no saga '%s'.".formatted(id)),
                null);
    }

    static ErrorResponseException unknownBulk(String id) {
        return new ErrorResponseException(
                HttpStatus.NOT_FOUND,
                problem(HttpStatus.NOT_FOUND, "UNKNOWN_BULK_RETRY", "There is no bulk retry '%s'.".formatted(id)),
                null);
    }

    /** It was there, and will not be again. */
    static ErrorResponseException purgedSaga(String id, SagaSummary.State ended) {
        ProblemDetail problem = problem(
                HttpStatus.GONE,
                "SAGA_PURGED",
                "Saga '%s' ended as %s; its history is older than alpha.retention.ended and no longer stored."
                        .formatted(id, ended));
        problem.setProperty("state", ended);
        return new ErrorResponseException(HttpStatus.GONE, problem, null);
    }

    static ErrorResponseException sequenceRequired(String id) {
        ProblemDetail problem = problem(
                HttpStatus.PRECONDITION_REQUIRED,
                "SEQUENCE_REQUIRED",
                "The order must have the field 'sequence', which GET /api/v1/sagas/%s shows, so that it is carried out on the saga that you saw: alpha.orders.require-sequence is true here."
                        .formatted(id));
        problem.setProperty("field", "sequence");
        return new ErrorResponseException(HttpStatus.PRECONDITION_REQUIRED, problem, null);
    }

    static ErrorResponseException refused(String reason, String text) {
        return new ErrorResponseException(
                HttpStatus.CONFLICT, problem(HttpStatus.CONFLICT, reason, sentence(text)), null);
    }

    public static ErrorResponseException notServing(String text, Duration retryAfter) {
        ErrorResponseException notNow = new ErrorResponseException(
                HttpStatus.SERVICE_UNAVAILABLE, problem(HttpStatus.SERVICE_UNAVAILABLE, "UNAVAILABLE", text), null);
        notNow.getHeaders().set(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.toSeconds()));
        return notNow;
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
        return ResponseEntity.of(problem(
                        HttpStatus.CONFLICT,
                        SagaRow.JOURNAL_UNREADABLE,
                        sentence(String.valueOf(unreadable.getMessage()))))
                .build();
    }

    /** A bug, so it is logged with its stack trace; the caller learns no more than that. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(Exception bug, WebRequest request) {
        LOG.error("{} failed: this is a bug.", request.getDescription(false), bug);
        return ResponseEntity.of(problem(
                        HttpStatus.INTERNAL_SERVER_ERROR,
                        "BUG",
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
                HttpStatus.BAD_REQUEST,
                "BAD_BODY",
                "The body must be a JSON object with the fields of this request, and no others: "
                        + said.lines().findFirst().orElse(""));
        return handleExceptionInternal(unreadable, problem, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException missing, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = problem(
                HttpStatus.NOT_FOUND,
                "NOTHING_HERE",
                "There is nothing at /%s; GET / says what there is.".formatted(missing.getResourcePath()));
        return handleExceptionInternal(missing, problem, headers, status, request);
    }

    private static ResponseEntity<ProblemDetail> unavailable(String text, Duration retryAfter) {
        long seconds = Math.max(1, retryAfter.toSeconds());
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))
                .body(problem(HttpStatus.SERVICE_UNAVAILABLE, "UNAVAILABLE", sentence(text)));
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
