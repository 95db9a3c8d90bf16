package io.alphaomega.omega.context;

import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends the saga of the calling thread along with an HTTP request, to whichever host it goes. A request that has a call
 * id keeps it: it is a repetition, or its caller gave a key.
 */
public final class SagaHeadersInterceptor implements ClientHttpRequestInterceptor {

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        SagaContext.current().filter(SagaContext::isForward).ifPresent(saga -> put(request.getHeaders(), saga));
        return execution.execute(request, body);
    }

    private static void put(HttpHeaders headers, SagaContext context) {
        headers.set(SagaHeaders.SAGA, context.saga());
        headers.set(SagaHeaders.BRANCH, context.branch().isEmpty() ? context.saga() : context.branch());
        if (headers.getFirst(SagaHeaders.CALL) == null) headers.set(SagaHeaders.CALL, SagaContext.newCallId());
    }
}
