package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.SagaHeaders;
import java.nio.charset.StandardCharsets;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** As {@link SagaProblemResolver}, in WebFlux: between the handlers of the service and that of Spring Boot. */
public final class SagaProblemHandler implements WebExceptionHandler, Ordered {
    /** As Spring Boot's, whose bean is defined later. */
    private static final int ORDER = -1;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted() || CallHeadersWebFilter.value(exchange, SagaHeaders.SAGA) == null) {
            return Mono.error(thrown);
        }
        SagaProblem problem = SagaProblem.of(thrown);
        if (problem == null) return Mono.error(thrown);
        ServerHttpRequest request = exchange.getRequest();
        problem.log(request.getMethod().name(), request.getPath().value(), thrown);
        return write(response, problem);
    }

    static Mono<Void> write(ServerHttpResponse response, SagaProblem problem) {
        response.setStatusCode(HttpStatusCode.valueOf(problem.status()));
        response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        response.getHeaders().remove(HttpHeaders.CONTENT_LENGTH);
        byte[] bytes = problem.json().getBytes(StandardCharsets.UTF_8);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(bytes)));
    }
}
