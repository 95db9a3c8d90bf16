package io.alphaomega.samples.shop;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What went wrong in a service of Spring MVC, as a problem detail (RFC 9457): no is 409, not now is 503. */
@RestControllerAdvice
public class Problems {
    @ExceptionHandler({RefusedException.class, SagaAbortedException.class})
    ProblemDetail refused(RuntimeException cause) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, "" + cause.getMessage());
    }

    @ExceptionHandler({SagaException.class, DataAccessException.class, TransactionException.class})
    ProblemDetail away(RuntimeException cause) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "" + cause.getMessage());
    }
}
