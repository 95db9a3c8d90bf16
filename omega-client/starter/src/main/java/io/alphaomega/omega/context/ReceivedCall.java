package io.alphaomega.omega.context;

import io.alphaomega.omega.SagaException;
import io.alphaomega.protocol.v1.CallReports;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call or message that came in with a saga.
 *
 * @param untold what came along; to be told when the call has been served
 */
public record ReceivedCall(SagaContext context, PendingReports untold) {

    /** What everybody who receives calls needs: of the service, not of one call. */
    public record Receiver(Duration sagaTimeout, PendingReports.Holder holder) {}

    /**
     * What the headers say.
     *
     * @param headers the value of a header by its name, null if it is not there
     * @param otherwise names the call if the headers do not: the same for a repetition, if that is known
     * @param answer where reports are left, if the caller will look at them; null if there is none, as to a message
     * @return null if they name no saga
     * @throws MalformedSagaHeadersException if they cannot be read
     */
    public static @Nullable ReceivedCall from(
            Function<String, @Nullable String> headers,
            Supplier<String> otherwise,
            Receiver receiver,
            PendingReports.@Nullable Answer answer) {
        String saga = headers.apply(SagaHeaders.SAGA);
        if (saga == null) return null;
        for (String header : new String[] {SagaHeaders.SAGA, SagaHeaders.BRANCH, SagaHeaders.CALL}) {
            String value = headers.apply(header);
            if (value != null && !SagaHeaders.isId(value)) {
                throw new MalformedSagaHeadersException(header, "1 to 64 characters of A-Z a-z 0-9 - _ . :");
            }
        }
        String carried = headers.apply(SagaHeaders.CARRIED);
        CallReports reports = carried == null ? CallReports.getDefaultInstance() : SagaHeaders.decoded(carried);
        if (reports == null) throw new MalformedSagaHeadersException(SagaHeaders.CARRIED, "what an omega has written");
        String call = headers.apply(SagaHeaders.CALL);
        boolean brings = reports.getTakesEnds() && reports.getCall().equals(call);
        PendingReports untold =
                PendingReports.received(saga, reports, receiver.holder(), brings ? answer : null, answer == null);
        String branch = headers.apply(SagaHeaders.BRANCH);
        String trace = headers.apply(SagaHeaders.TRACEPARENT);
        long now = System.nanoTime();
        SagaContext context = SagaContext.received(
                        saga,
                        branch == null || branch.equals(saga) ? "" : branch,
                        call == null ? otherwise.get() : call,
                        now
                                + untold.timeLeft()
                                        .map(left -> left.plus(SagaContext.DECISION_GRACE))
                                        .orElse(receiver.sagaTimeout())
                                        .toNanos(),
                        trace == null || !SagaHeaders.isTraceparent(trace) ? "" : trace,
                        untold)
                .repeating(reports.getRepeats());
        long outermost = reports.getOutermostTimeoutMillis();
        if (outermost == 0) return new ReceivedCall(context, untold);
        Duration left = PendingReports.timeout(outermost).plus(SagaContext.DECISION_GRACE);
        return new ReceivedCall(context.outermostBy(now + left.toNanos()), untold);
    }

    /**
     * Has the end of the saga wait for what the call has handed over to other threads, before its caller is answered.
     *
     * @throws SagaException if alpha does not hear of it: then the call has failed
     */
    public void owe() {
        HandedOver.await(untold.owe(context), context);
    }

    /** As {@link #owe}, but no thread waits. */
    public CompletableFuture<Void> oweLater() {
        return untold.owe(context);
    }

    /** As {@link #owe}, of a call that has failed. Its caller may swallow that and end the saga, so it hears of it after alpha. */
    public void oweAfterFailure() {
        try {
            owe();
        } catch (SagaException nobodyHears) {
            return; // The caller hears of what has failed before.
        }
    }

    /** As {@link #oweAfterFailure}, but no thread waits. */
    public CompletableFuture<Void> oweLaterAfterFailure() {
        return oweLater().exceptionally(nobodyHears -> null);
    }

    /** Names a call that its caller has not named, as ServiceComb Pack's omega does not. */
    public static String anonymous() {
        return UUID.randomUUID().toString();
    }
}
