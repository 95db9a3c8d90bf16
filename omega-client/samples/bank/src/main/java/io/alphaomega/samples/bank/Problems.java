package io.alphaomega.samples.bank;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPendingException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.client.RestClientException;

/** What went wrong, as a problem detail (RFC 9457) with a sentence for the customer. */
@RestControllerAdvice
public class Problems {
    @ExceptionHandler({
        RefusedException.class,
        SagaException.class,
        RestClientException.class,
        DataAccessException.class,
        TransactionException.class
    })
    ProblemDetail handle(RuntimeException cause) {
        return of(cause);
    }

    /** Throws what is not one of these: that is a bug, not an answer. */
    public static ProblemDetail of(RuntimeException cause) {
        String sentence = "" + cause.getMessage();
        return switch (cause) {
            case RefusedException refused -> problem(HttpStatus.CONFLICT, "Refused", sentence);
            case SagaAbortedException aborted ->
                about(aborted.saga(), problem(HttpStatus.CONFLICT, "Called off", sentence));
            case AlphaUnavailableException away ->
                problem(HttpStatus.SERVICE_UNAVAILABLE, "Alpha is not available", sentence);
            // The money may have moved or not: alpha knows, or will. Never tell the customer more than that.
            case SagaOutcomeUnknownException unknown ->
                about(unknown.saga(), problem(HttpStatus.GATEWAY_TIMEOUT, "Outcome unknown", sentence));
            case SagaPendingException pending ->
                about(pending.saga(), problem(HttpStatus.ACCEPTED, "Not decided yet", sentence));
            case RestClientException failed ->
                problem(HttpStatus.BAD_GATEWAY, "A service failed", "The transfer is called off: " + sentence);
            case DataAccessException failed -> databaseFailed();
            case TransactionException failed -> databaseFailed();
            default -> throw cause;
        };
    }

    private static ProblemDetail databaseFailed() {
        return problem(
                HttpStatus.INTERNAL_SERVER_ERROR, "A database failed", "What was asked for is undone, or never begun.");
    }

    private static ProblemDetail about(String saga, ProblemDetail problem) {
        problem.setProperty("saga", saga);
        return problem;
    }

    private static ProblemDetail problem(HttpStatus status, String title, String sentence) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, sentence);
        problem.setTitle(title);
        return problem;
    }
}
