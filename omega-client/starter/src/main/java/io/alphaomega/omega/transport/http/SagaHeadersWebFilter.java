package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.ReceivedCall;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.CallReports;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Puts what serves a request into the saga that the request's headers name, by Reactor's context: WebClient and annotated
 * methods that return a {@code Mono} or a {@code Flux} find it there, and threads where the context is propagated to them.
 */
public final class SagaHeadersWebFilter implements WebFilter, Ordered {
    private final ReceivedCall.Receiver receiver;
    private final int order;

    /**
     * @param sagaTimeout how long a saga begun elsewhere is believed to take at most, from now, if its begin does not say
     * @param holder tells alpha what answers cannot bring
     */
    public SagaHeadersWebFilter(Duration sagaTimeout, PendingReports.Holder holder, int order) {
        this.receiver = new ReceivedCall.Receiver(sagaTimeout, holder);
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (CallHeadersWebFilter.value(exchange, SagaHeaders.SAGA) == null) return chain.filter(exchange);
        ServerHttpResponse response = exchange.getResponse();
        HttpAnswer answer = new HttpAnswer(response);
        ReceivedCall call;
        try {
            call = ReceivedCall.from(
                    header -> CallHeadersWebFilter.value(exchange, header), ReceivedCall::anonymous, receiver, answer);
        } catch (MalformedSagaHeadersException malformed) {
            return SagaProblemHandler.write(response, SagaProblem.of(malformed));
        }
        if (call == null) return chain.filter(exchange);
        PendingReports untold = call.untold();
        SagaContext saga = call.context();
        response.beforeCommit(() -> owed(call));
        return chain.filter(exchange)
                .then(Mono.defer(() -> owed(call)))
                .onErrorResume(thrown ->
                        Mono.fromFuture(call.oweLaterAfterFailure(), true).then(Mono.error(thrown)))
                .doOnCancel(() -> oweUnheard(call))
                .doOnSuccess(served -> untold.served(answer.isLost() || mayFail(response)))
                .doOnError(thrown -> served(untold, answer))
                .doOnCancel(() -> served(untold, answer))
                .contextWrite(context -> context.put(SagaContextAccessor.KEY, saga));
    }

    private static Mono<Void> owed(ReceivedCall call) {
        return Mono.defer(() -> Mono.fromFuture(call.oweLater(), true));
    }

    private static void oweUnheard(ReceivedCall call) {
        CompletableFuture<Void> unused = call.oweLaterAfterFailure();
    }

    /** Its caller may not come to see the answer: whoever handles the exception makes another one. */
    private static void served(PendingReports untold, HttpAnswer answer) {
        answer.withdraw();
        untold.served(true);
    }

    /** A client that is sent elsewhere may follow, and not show who sent it. */
    private static boolean mayFail(ServerHttpResponse response) {
        HttpStatusCode status = response.getStatusCode();
        return status != null && status.value() >= HttpStatus.MULTIPLE_CHOICES.value();
    }

    /**
     * An answer that takes what any thread brings until its headers are written, and writes that then, on the thread that
     * does.
     */
    private static final class HttpAnswer implements PendingReports.Answer {
        private final ServerHttpResponse response;
        private @Nullable String brought;
        private @Nullable String written;
        private boolean closed;

        HttpAnswer(ServerHttpResponse response) {
            this.response = response;
            response.beforeCommit(() -> Mono.fromRunnable(this::write));
        }

        @Override
        public synchronized boolean isOpen() {
            return !closed && !response.isCommitted();
        }

        @Override
        public synchronized void bring(CallReports reports) {
            brought = SagaHeaders.encoded(reports);
        }

        private synchronized void write() {
            if (closed) return;
            closed = true;
            written = brought;
            if (written != null) response.getHeaders().set(SagaHeaders.CARRIED, written);
        }

        /** Whether something was brought too late, or somebody has taken out what was, or put something else there. */
        synchronized boolean isLost() {
            if (!response.isCommitted()) write();
            closed = true;
            return brought != null
                    && (!brought.equals(written)
                            || !response.getHeaders()
                                    .getOrEmpty(SagaHeaders.CARRIED)
                                    .contains(brought));
        }

        synchronized void withdraw() {
            closed = true;
        }
    }
}
