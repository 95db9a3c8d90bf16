package io.alphaomega.omega.transport.feign;

import feign.AsyncClient;
import feign.Capability;
import feign.Client;
import feign.InvocationHandlerFactory;
import feign.InvocationHandlerFactory.MethodHandler;
import feign.Request;
import feign.RequestTemplate;
import feign.Response;
import io.alphaomega.omega.context.OutgoingCall;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.CallReports;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Has Feign's clients send the saga of the calling thread along. A call is one invocation of a client's method, however often
 * Feign's retryer, a load balancer or anything else beneath sends its request. Spring Cloud OpenFeign takes a bean of it;
 * without Spring it is added to the builder, of {@code Feign} or of {@code AsyncFeign}.
 */
public final class SagaCapability implements Capability {
    /** Of the statuses of HTTP. */
    private static final int FIRST_ERROR = 400;

    /** What this thread invokes. */
    private static final ThreadLocal<@Nullable Invocation> INVOCATION = new ThreadLocal<>();

    /** What clients of {@code AsyncFeign} invoke: by the template that all its requests are made of, on whatever thread. */
    private static final Map<RequestTemplate, Invocation> ASYNCHRONOUS =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** One invocation, which is one call once its first request is there. */
    private static final class Invocation {
        private @Nullable OutgoingCall call;
    }

    /** Outside of load balancers: the target has a service's name, not an address. */
    @Override
    public Client enrich(Client client) {
        return (request, options) -> send(client, request, options);
    }

    @Override
    public InvocationHandlerFactory enrich(InvocationHandlerFactory handlers) {
        return (target, methods) -> {
            Map<Method, MethodHandler> named = new HashMap<>();
            methods.forEach((method, handler) -> named.put(method, arguments -> invoke(handler, arguments)));
            return handlers.create(target, named);
        };
    }

    private Object invoke(MethodHandler handler, Object[] arguments) throws Throwable {
        Invocation outer = INVOCATION.get();
        INVOCATION.set(new Invocation());
        try {
            return handler.invoke(arguments);
        } finally {
            if (outer == null) INVOCATION.remove();
            else INVOCATION.set(outer);
        }
    }

    private Response send(Client client, Request request, Request.Options options) throws IOException {
        Sent sent = Sent.of(call(request), request);
        try {
            Response response = client.execute(sent.request(), options);
            sent.answered(response);
            return response;
        } catch (IOException | RuntimeException e) {
            sent.failed();
            throw e;
        }
    }

    /** A future that the caller gets is completed after the answer's reports are taken. */
    @Override
    public AsyncClient<Object> enrich(AsyncClient<Object> client) {
        return (request, options, context) -> {
            Sent sent = Sent.of(asynchronousCall(request), request);
            return client.execute(sent.request(), options, context).whenComplete((response, failure) -> {
                if (failure == null) sent.answered(response);
                else sent.failed();
            });
        };
    }

    private static @Nullable OutgoingCall call(Request request) {
        Invocation here = INVOCATION.get();
        if (here != null && here.call != null) return here.call;
        OutgoingCall call = here(request);
        if (here != null) here.call = call;
        return call;
    }

    /** The first request is sent on the caller's thread, and what the retryer sends again on that of the answer. */
    private static @Nullable OutgoingCall asynchronousCall(Request request) {
        RequestTemplate template = request.requestTemplate();
        if (template == null) return here(request);
        return ASYNCHRONOUS.computeIfAbsent(template, first -> {
                    Invocation invocation = new Invocation();
                    invocation.call = here(request);
                    return invocation;
                })
                .call;
    }

    private static @Nullable OutgoingCall here(Request request) {
        return OutgoingCall.here(OutgoingCall.target(request.httpMethod().name(), URI.create(request.url())));
    }

    /**
     * A request with its last headers.
     *
     * @param reports what goes along; null if nothing does
     */
    private record Sent(
            @Nullable OutgoingCall call,
            Request request,
            @Nullable CallReports reports) {
        static Sent of(@Nullable OutgoingCall call, Request request) {
            Map<String, Collection<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            headers.putAll(request.headers());
            CallReports reports = null;
            if (call == null) OutgoingCall.settleOutside(new FeignCarrier(headers));
            else reports = call.settle(new FeignCarrier(headers), true);
            Request settled = Request.create(
                    request.httpMethod(),
                    request.url(),
                    headers,
                    request.body(),
                    request.charset(),
                    request.requestTemplate());
            return new Sent(call, settled, reports);
        }

        void failed() {
            if (call != null) call.heard(false);
        }

        void answered(Response response) {
            if (call == null) return;
            call.heard(response.status() < FIRST_ERROR);
            if (reports == null) return;
            for (String brought : response.headers().getOrDefault(SagaHeaders.CARRIED, List.of())) {
                call.answered(reports, brought);
            }
        }
    }

    private record FeignCarrier(Map<String, Collection<String>> headers) implements SagaCarrier.Headers {
        @Override
        public @Nullable String get(String name) {
            return headers.getOrDefault(name, List.of()).stream().findFirst().orElse(null);
        }

        @Override
        public void set(String name, String value) {
            headers.put(name, List.of(value));
        }

        @Override
        public void remove(String name) {
            headers.remove(name);
        }
    }
}
