package io.alphaomega.server.http;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.server.problem.ProblemReason;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.saga.SagaUnavailableException;
import io.alphaomega.server.saga.SagaUnreadableException;
import java.time.Duration;
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
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Answers each error as a problem. Spring's own errors, such as a method that is not allowed, keep Spring's detail. */
@RestControllerAdvice
class ProblemHandler extends ResponseEntityExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(SagaUnavailableException unavailable) {
        return unavailable(String.valueOf(unavailable.getMessage()), unavailable.retryAfter());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(RepositoryUnavailableException unavailable) {
        return unavailable(String.valueOf(unavailable.getMessage()), Problems.RETRY_STORE);
    }

    @ExceptionHandler({SagaUnreadableException.class, CorruptJournalException.class})
    ResponseEntity<ProblemDetail> handleUnreadable(RuntimeException unreadable) {
        return ResponseEntity.of(Problems.problem(
                        ProblemReason.JOURNAL_UNREADABLE, Problems.sentence(String.valueOf(unreadable.getMessage()))))
                .build();
    }

    /** A bug, so it is logged with its stack trace; the caller learns no more than that. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> handle(Exception bug, WebRequest request) {
        LOG.error("{} failed: this is a bug.", request.getDescription(false), bug);
        return ResponseEntity.of(Problems.problem(
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
        ProblemDetail problem = Problems.problem(
                ProblemReason.BAD_BODY,
                "The body must be a JSON object with the fields of this request, and no others: "
                        + said.lines().findFirst().orElse(""));
        return handleExceptionInternal(unreadable, problem, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException missing, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = Problems.problem(
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
                .body(Problems.problem(ProblemReason.UNAVAILABLE, Problems.sentence(text)));
    }
}
