package io.alphaomega.omega.transport.http;

import io.alphaomega.omega.context.OutgoingCall;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.CallReports;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInitializer;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Sends the saga of the calling thread along with HTTP requests, to whichever host they go.
 *
 * <p>A call is named where its request is made: outside of interceptors, so before a load balancer puts an address in the
 * place of a name, and before anything that sends a request twice. The name is written when all other headers are there.
 * Nothing is an interceptor here, because a client that has one holds every request's body in memory.
 */
public final class SagaCalls {
    /** Under which the call travels with its request, through interceptors too. */
    private static final String CALL = OutgoingCall.class.getName();

    private static final ClientHttpRequestInitializer NAMING = SagaCalls::name;

    private SagaCalls() {}

    /**
     * Has a client send the saga along; a second time does nothing. To be called when the builder has its request factory:
     * with another one that it gets later, answers bring no reports, and participants report by themselves.
     */
    public static void from(RestClient.Builder client) {
        client.requestInitializers(initializers -> {
            if (initializers.contains(NAMING)) return;
            initializers.add(NAMING);
            client.defaultRequest(spec -> spec.httpRequest(request -> {
                Sent unused = settle(request, false);
            }));
        });
        ClientHttpRequestFactory factory = factoryOf(client);
        if (factory != null && !(factory instanceof SettlingRequestFactory)) {
            client.requestFactory(new SettlingRequestFactory(factory));
        }
    }

    /**
     * The factory that the builder has been given, which only its field tells. Null if there is none, or no such field:
     * then nobody looks at answers first, and they bring no reports.
     */
    private static @Nullable ClientHttpRequestFactory factoryOf(RestClient.Builder client) {
        Field field = ReflectionUtils.findField(client.getClass(), "requestFactory", ClientHttpRequestFactory.class);
        if (field == null) return null;
        ReflectionUtils.makeAccessible(field);
        return (ClientHttpRequestFactory) ReflectionUtils.getField(field, client);
    }

    /** Has a client send the saga along; a second time does nothing. */
    public static void from(RestTemplate client) {
        List<ClientHttpRequestInitializer> initializers = client.getClientHttpRequestInitializers();
        if (!initializers.contains(NAMING)) initializers.add(NAMING);
        List<ClientHttpRequestInterceptor> interceptors = new ArrayList<>(client.getInterceptors());
        client.setInterceptors(List.of()); // With them it hides its own factory.
        if (!(client.getRequestFactory() instanceof SettlingRequestFactory)) {
            client.setRequestFactory(new SettlingRequestFactory(client.getRequestFactory()));
        }
        client.setInterceptors(interceptors);
    }

    /** Whether the clients that it builds send the saga along. */
    public static boolean areMadeBy(RestClient.Builder client) {
        boolean[] found = new boolean[1];
        client.requestInitializers(initializers -> found[0] = initializers.contains(NAMING));
        return found[0];
    }

    /** Whether the client sends the saga along. */
    public static boolean areMadeBy(RestTemplate client) {
        return client.getClientHttpRequestInitializers().contains(NAMING);
    }

    private static void name(ClientHttpRequest request) {
        OutgoingCall call = call(request);
        if (call != null) call.announce(request.getHeaders());
    }

    /** Writes the headers, and returns what is to be told of the answer. */
    static Sent settle(ClientHttpRequest request, boolean answerIsRead) {
        OutgoingCall call = call(request);
        if (call == null) {
            OutgoingCall.settleOutside(
                    request.getHeaders(), SagaContext.current().isPresent());
            return new Sent(null, null);
        }
        return new Sent(call, call.settle(request.getHeaders(), answerIsRead));
    }

    /**
     * A request that has its headers.
     *
     * @param call null outside sagas
     * @param reports what goes along; null if nothing does
     */
    record Sent(@Nullable OutgoingCall call, @Nullable CallReports reports) {
        void answered(HttpHeaders headers, boolean success) {
            if (call == null) return;
            call.heard(success);
            if (reports != null) call.answered(reports, headers);
        }

        void failed() {
            if (call != null) call.heard(false);
        }
    }

    /** The call that the request is for; null outside sagas. */
    private static @Nullable OutgoingCall call(HttpRequest request) {
        Object named = request.getAttributes().get(CALL);
        if (named != null) return (OutgoingCall) named;
        SagaContext caller =
                SagaContext.current().filter(SagaContext::isForward).orElse(null);
        if (caller == null) return null;
        OutgoingCall call =
                new OutgoingCall(caller, OutgoingCall.target(request.getMethod().name(), request.getURI()));
        request.getAttributes().put(CALL, call);
        return call;
    }
}
