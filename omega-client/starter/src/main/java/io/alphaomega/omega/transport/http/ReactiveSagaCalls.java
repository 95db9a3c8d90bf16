package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.HandedOver;
import io.alphaomega.omega.context.OutgoingCall;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.protocol.v1.CallReports;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Sends the saga of whoever subscribes to its answer along with a {@link WebClient}'s request, to whichever host it goes:
 * the saga of the subscriber's context, else that of the thread that subscribes, else that of the thread that made the
 * request.
 *
 * <p>A request is one call however often its answer is subscribed to in one call, as {@code retry()} does.
 */
public final class ReactiveSagaCalls {
    private static final String REQUEST = Request.class.getName();
    private static final ExchangeFilterFunction FILTER = ReactiveSagaCalls::exchange;

    private ReactiveSagaCalls() {}

    /** Has a client send the saga along; a second time does nothing. */
    public static void from(WebClient.Builder client) {
        client.filters(filters -> {
            if (filters.contains(FILTER)) return;
            filters.add(FILTER);
            client.defaultRequest(spec ->
                    spec.attribute(REQUEST, new Request(SagaContext.current().orElse(null))));
        });
    }

    /** Whether the clients that it builds send the saga along. */
    public static boolean areMadeBy(WebClient.Builder client) {
        boolean[] found = new boolean[1];
        client.filters(filters -> found[0] = filters.contains(FILTER));
        return found[0];
    }

    /** Whether the client sends the saga along. */
    public static boolean areMadeBy(WebClient client) {
        return areMadeBy(client.mutate());
    }

    private static Mono<ClientResponse> exchange(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(view -> {
            Request made = (Request) request.attributes().get(REQUEST);
            SagaContext caller = caller(view, made);
            if (caller == null || !caller.isForward()) {
                return next.exchange(ClientRequest.from(request)
                        .headers(headers -> OutgoingCall.settleOutside(headers, caller != null))
                        .build());
            }
            String target = OutgoingCall.target(request.method().name(), request.url());
            OutgoingCall call = made == null ? new OutgoingCall(caller, target) : caller.outgoing(made, target);
            @Nullable CallReports[] sent = new CallReports[1];
            ClientRequest settled = ClientRequest.from(request)
                    .headers(headers -> sent[0] = call.settle(headers, true))
                    .build();
            CallReports goes = sent[0];
            Mono<ClientResponse> answer = waitedFor(heard(next.exchange(settled), call), caller, target);
            return goes == null
                    ? answer
                    : answer.doOnNext(
                            response -> call.answered(goes, response.headers().asHttpHeaders()));
        });
    }

    /** Who cancels it before there is an answer, as a time limit does, has heard nothing. */
    private static Mono<ClientResponse> heard(Mono<ClientResponse> answer, OutgoingCall call) {
        AtomicBoolean answered = new AtomicBoolean();
        return answer.doOnNext(response -> {
                    answered.set(true);
                    call.heard(!response.statusCode().isError());
                })
                .doOnError(failure -> call.heard(false))
                .doOnCancel(() -> {
                    if (!answered.get()) call.heard(false);
                });
    }

    /** By the end of the saga, if nobody else waits for it. */
    private static Mono<ClientResponse> waitedFor(Mono<ClientResponse> answer, SagaContext caller, String target) {
        HandedOver.Task task = caller.untold().handedOver().add(target);
        return answer.doOnTerminate(task::enter).doFinally(last -> task.over());
    }

    private static @Nullable SagaContext caller(ContextView view, @Nullable Request made) {
        SagaContext subscriber = view.getOrDefault(SagaContextAccessor.KEY, null);
        if (subscriber != null) return subscriber;
        return SagaContext.current().orElse(made == null ? null : made.madeIn());
    }

    /** One request that somebody has written, which may be sent more than once. */
    private static final class Request {
        private final @Nullable SagaContext madeIn;

        Request(@Nullable SagaContext madeIn) {
            this.madeIn = madeIn;
        }

        @Nullable
        SagaContext madeIn() {
            return madeIn;
        }
    }
}
