package io.alphaomega.omega.context;

import io.alphaomega.protocol.v1.CallReports;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;

/** A call of another service that is about to be made: it gets its name once, however often its request is sent. */
public final class OutgoingCall {
    private static final Logger log = LoggerFactory.getLogger(OutgoingCall.class);

    private final SagaContext caller;
    private final String target;
    private @Nullable String id;
    private boolean keyed;

    /** The call of the same target before this one, if that has failed. */
    private @Nullable String failedBefore;

    public OutgoingCall(SagaContext caller, String target) {
        this.caller = caller;
        this.target = target;
    }

    /**
     * What calls are counted by: method, authority and path, because calls that are made side by side, in whatever order,
     * mostly differ in these, while a query may hold a nonce that makes a repeated call look like another one.
     */
    public static String target(String method, URI uri) {
        return method + " " + uri.getRawAuthority() + uri.getRawPath();
    }

    /** A call that is made on this thread; null outside sagas. */
    public static @Nullable OutgoingCall here(String target) {
        return SagaContext.current()
                .filter(SagaContext::isForward)
                .map(caller -> new OutgoingCall(caller, target))
                .orElse(null);
    }

    /** Writes the headers of what is sent from this thread, once, and not answered. */
    public static void send(String target, SagaCarrier.Headers headers) {
        OutgoingCall call = here(target);
        if (call == null) settleOutside(headers);
        else call.settle(headers, false);
    }

    /** Says which saga and branch it is made in, for whoever looks before all headers are there. */
    public void announce(HttpHeaders headers) {
        headers.set(SagaHeaders.SAGA, caller.saga());
        headers.set(SagaHeaders.BRANCH, SagaHeaders.branch(caller));
        carry(new HttpCarrier(headers), caller.reportsFor("", false));
    }

    private static void carry(SagaCarrier.Headers headers, @Nullable CallReports reports) {
        if (reports == null) headers.remove(SagaHeaders.CARRIED);
        else headers.set(SagaHeaders.CARRIED, SagaHeaders.encoded(reports));
    }

    public @Nullable CallReports settle(HttpHeaders headers, boolean answerIsRead) {
        return settle(new HttpCarrier(headers), answerIsRead);
    }

    /**
     * Has the last word on the headers: what others have copied there gives way.
     *
     * @param answerIsRead whether {@link #answered} will be told of the answer
     * @return what goes along; null if nothing does
     */
    public synchronized @Nullable CallReports settle(SagaCarrier.Headers headers, boolean answerIsRead) {
        String key = headers.get(SagaHeaders.KEY);
        headers.remove(SagaHeaders.KEY);
        if (id == null) id = name(key);
        headers.set(SagaHeaders.SAGA, caller.saga());
        headers.set(SagaHeaders.BRANCH, SagaHeaders.branch(caller));
        headers.set(SagaHeaders.CALL, id);
        CallReports goes = caller.reportsFor(id, answerIsRead);
        if (goes != null && failedBefore != null)
            goes = goes.toBuilder().setRepeats(failedBefore).build();
        carry(headers, goes);
        return goes;
    }

    private String name(@Nullable String key) {
        keyed = key != null;
        if (key != null) return caller.keyedCall(key);
        failedBefore = caller.failedCall(target);
        return caller.nextCall(target);
    }

    /**
     * What its caller hears of it. If the next call of the same target is made by a retry, the participant is to know.
     *
     * @param success false if it was not answered, or with a failure
     */
    public synchronized void heard(boolean success) {
        if (id == null || keyed) return;
        if (success) caller.succeeded(target, id);
        else caller.failed(target, id);
    }

    /**
     * Takes what the answer brings: more than once if a service on the way has copied what it was answered.
     *
     * @param sent what went along with the request
     */
    public void answered(CallReports sent, HttpHeaders headers) {
        headers.getOrEmpty(SagaHeaders.CARRIED).forEach(value -> answered(sent, value));
    }

    /** Takes what a header of the answer brings. */
    public void answered(CallReports sent, String brought) {
        CallReports reports = SagaHeaders.decoded(brought);
        if (reports != null) caller.untold().answered(sent, reports);
        else
            log.warn(
                    "Header {} in the answer of {} cannot be read; if a branch has ended there, alpha takes its end for unknown.",
                    SagaHeaders.CARRIED,
                    target);
    }

    /** Has the last word on the headers of a request that is made outside of every call. */
    public static void settleOutside(HttpHeaders headers) {
        settleOutside(headers, SagaContext.current().isPresent());
    }

    /**
     * Takes the headers of a saga off a call that is made outside of one.
     *
     * @param inCallback whether it is made in a callback
     */
    public static void settleOutside(HttpHeaders headers, boolean inCallback) {
        settleOutside(new HttpCarrier(headers), inCallback);
    }

    public static void settleOutside(SagaCarrier.Headers headers) {
        settleOutside(headers, SagaContext.current().isPresent());
    }

    private static void settleOutside(SagaCarrier.Headers headers, boolean inCallback) {
        headers.remove(SagaHeaders.KEY);
        headers.remove(SagaHeaders.CALL);
        headers.remove(SagaHeaders.CARRIED);
        if (!inCallback) return;
        headers.remove(SagaHeaders.SAGA); // A callback's calls are no part of its saga.
        headers.remove(SagaHeaders.BRANCH);
    }
}
