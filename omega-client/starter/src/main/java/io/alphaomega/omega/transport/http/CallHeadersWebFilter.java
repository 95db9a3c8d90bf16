package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.SagaHeaders;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.PriorityOrdered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** As {@link CallHeadersFilter}, in WebFlux. It is in priority, and so outside of every filter that may remember headers. */
public final class CallHeadersWebFilter implements WebFilter, PriorityOrdered {
    /** Under which they are kept with the exchange. */
    private static final String HIDDEN = CallHeadersWebFilter.class.getName();

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        Map<String, String> hidden = new HashMap<>();
        for (String name : SagaHeaders.OF_ONE_CALL) {
            String value = headers.getFirst(name);
            if (value != null) hidden.put(name, value);
        }
        if (hidden.isEmpty()) return chain.filter(exchange);
        exchange.getAttributes().put(HIDDEN, hidden);
        return chain.filter(
                exchange.mutate().request(new Hiding(exchange.getRequest())).build());
    }

    /** What the request says in that header, hidden or not. */
    static @Nullable String value(ServerWebExchange exchange, String header) {
        Map<String, String> hidden = exchange.getAttributeOrDefault(HIDDEN, Map.of());
        String value = hidden.get(header);
        return value == null ? exchange.getRequest().getHeaders().getFirst(header) : value;
    }

    private static final class Hiding extends ServerHttpRequestDecorator {
        private final HttpHeaders shown = new HttpHeaders();

        Hiding(ServerHttpRequest request) {
            super(request);
            shown.putAll(request.getHeaders());
            SagaHeaders.OF_ONE_CALL.forEach(shown::remove);
        }

        @Override
        public HttpHeaders getHeaders() {
            return HttpHeaders.readOnlyHttpHeaders(shown);
        }
    }
}
