package io.alphaomega.omega.context;

import feign.Capability;
import feign.Client;
import feign.InvocationHandlerFactory;
import feign.InvocationHandlerFactory.MethodHandler;
import feign.Request;
import feign.Response;
import io.alphaomega.protocol.v1.CallReports;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Has Feign's clients send the saga of the calling thread along. A call is one invocation of a client's method, however often
 * Feign's retryer, a load balancer or anything else beneath sends its request. Spring Cloud OpenFeign takes a bean of it;
 * without Spring it is added to the builder. Clients of {@code AsyncFeign} send no saga along.
 */
public final class SagaCapability implements Capability {
    /** What this thread invokes. */
    private static final ThreadLocal<@Nullable Invocation> INVOCATION = new ThreadLocal<>();

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
        OutgoingCall call = call(request);
        Map<String, Collection<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(request.headers());
        CallReports sent = null;
        if (call == null) OutgoingCall.settleOutside(new FeignCarrier(headers));
        else sent = call.settle(new FeignCarrier(headers), true);
        Response response = client.execute(
                Request.create(
                        request.httpMethod(),
                        request.url(),
                        headers,
                        request.body(),
                        request.charset(),
                        request.requestTemplate()),
                options);
        if (call != null && sent != null) {
            for (String brought : response.headers().getOrDefault(SagaHeaders.CARRIED, List.of())) {
                call.answered(sent, brought);
            }
        }
        return response;
    }

    private @Nullable OutgoingCall call(Request request) {
        Invocation here = INVOCATION.get();
        if (here != null && here.call != null) return here.call;
        OutgoingCall call =
                OutgoingCall.here(OutgoingCall.target(request.httpMethod().name(), URI.create(request.url())));
        if (here != null) here.call = call;
        return call;
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
