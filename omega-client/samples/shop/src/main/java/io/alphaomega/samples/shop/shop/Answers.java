package io.alphaomega.samples.shop.shop;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.samples.shop.RefusedException;
import org.springframework.core.NestedRuntimeException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.kafka.KafkaException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.reactive.function.client.WebClientException;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.server.ServerWebInputException;

/** What went wrong with an order, as a problem detail (RFC 9457) with a sentence for the customer. */
@RestControllerAdvice
class Answers {
    @ExceptionHandler({RefusedException.class, SagaAbortedException.class})
    ProblemDetail calledOff(RuntimeException cause) {
        return problem(HttpStatus.CONFLICT, "" + cause.getMessage());
    }

    @ExceptionHandler
    ProblemDetail unreadable(ServerWebInputException cause) {
        Throwable specific = cause.getMostSpecificCause();
        return problem(
                HttpStatus.BAD_REQUEST,
                specific instanceof IllegalArgumentException
                        ? "" + specific.getMessage()
                        : "The body is not the JSON that is expected here.");
    }

    @ExceptionHandler
    ProblemDetail away(AlphaUnavailableException cause) {
        return problem(HttpStatus.SERVICE_UNAVAILABLE, "" + cause.getMessage());
    }

    /** It may be placed or not: alpha knows, or will. Never tell the customer more than that. */
    @ExceptionHandler
    ProblemDetail unknown(SagaOutcomeUnknownException cause) {
        return problem(HttpStatus.GATEWAY_TIMEOUT, "" + cause.getMessage());
    }

    @ExceptionHandler({WebClientException.class, KafkaException.class})
    ProblemDetail failed(NestedRuntimeException cause) {
        String sentence = cause instanceof WebClientRequestException request
                ? "%s %s has no answer, %s"
                        .formatted(request.getMethod(), request.getUri(), request.getMostSpecificCause())
                : "" + cause.getMessage();
        return problem(HttpStatus.BAD_GATEWAY, "A service failed, the order is called off: " + sentence);
    }

    private static ProblemDetail problem(HttpStatus status, String sentence) {
        return ProblemDetail.forStatusAndDetail(status, sentence);
    }
}
