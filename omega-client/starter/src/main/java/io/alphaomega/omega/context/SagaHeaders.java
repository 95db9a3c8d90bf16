package io.alphaomega.omega.context;

import com.google.protobuf.InvalidProtocolBufferException;
import io.alphaomega.omega.transport.http.SagaCalls;
import io.alphaomega.protocol.v1.CallReports;
import java.net.URI;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The HTTP headers in which a saga travels; the first two are also ServiceComb Pack's. */
public final class SagaHeaders {
    public static final String SAGA = "X-Pack-Global-Transaction-Id";

    /** The caller's branch; the saga's id again if it calls from the top of the saga. */
    public static final String BRANCH = "X-Pack-Local-Transaction-Id";

    /** Names the call: a repetition of it, beneath its caller or of the call that it is made in, carries the same one. */
    public static final String CALL = "X-Omega-Call-Id";

    /**
     * The caller's own key for a call, unique within the call that it is made in: two requests with one key are one call.
     * It is put on the request and never sent, so that nobody can copy it from one that came in.
     */
    public static final String KEY = "X-Omega-Call-Key";

    /** What alpha may not have been told yet, with a call and with its answer: {@link CallReports}, in base64 for URLs. */
    public static final String CARRIED = "X-Omega-Carried";

    /** Those that are about one call, and hidden from the service that is called. */
    public static final List<String> OF_ONE_CALL = List.of(BRANCH, CALL, CARRIED);

    static final String TRACEPARENT = "traceparent";

    /** As alpha's limit on ids. */
    private static final int ID_CHARS = 64;

    /** As alpha's limit on names; a W3C trace parent has 55 characters. */
    private static final int TRACEPARENT_CHARS = 256;

    private SagaHeaders() {}

    /**
     * The headers to send along with a call that is about to be made, for clients that {@link SagaCalls} does not know;
     * empty outside sagas. To be asked once for each call: a repetition beneath carries the same headers, a further call
     * has others.
     *
     * @param method as in {@code POST}
     */
    public static Map<String, String> forCall(String method, URI uri) {
        return SagaContext.current()
                .filter(SagaContext::isForward)
                .map(saga -> forCall(saga, OutgoingCall.target(method, uri)))
                .orElse(Map.of());
    }

    private static Map<String, String> forCall(SagaContext saga, String target) {
        Map<String, String> headers = new HashMap<>();
        headers.put(SAGA, saga.saga());
        headers.put(BRANCH, branch(saga));
        String call = saga.nextCall(target);
        headers.put(CALL, call);
        CallReports carried = saga.reportsFor(call, false);
        if (carried != null) headers.put(CARRIED, encoded(carried));
        return Map.copyOf(headers);
    }

    /** What to write into {@link #CARRIED}. */
    public static String encoded(CallReports reports) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(reports.toByteArray());
    }

    /** What {@link #CARRIED} says; null if that cannot be read. */
    public static @Nullable CallReports decoded(String header) {
        try {
            CallReports reports = CallReports.parseFrom(Base64.getUrlDecoder().decode(header));
            return reports.getReports().getEndedList().stream().allMatch(SagaHeaders::isId) ? reports : null;
        } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
            return null;
        }
    }

    /** What {@link #BRANCH} says in a call that is made there. */
    static String branch(SagaContext caller) {
        return caller.branch().isEmpty() ? caller.saga() : caller.branch();
    }

    public static boolean isId(String value) {
        if (value.isEmpty() || value.length() > ID_CHARS) return false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean allowed = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-_.:".indexOf(c) >= 0;
            if (!allowed) return false;
        }
        return true;
    }

    static boolean isTraceparent(String value) {
        return value.length() <= TRACEPARENT_CHARS;
    }
}
