package io.alphaomega.omega.context;

import io.alphaomega.omega.SagaAbortedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls listeners of messages, whatever brings these, in the sagas that the messages name. */
public final class Deliveries {
    private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

    /** The batch that this thread's listener has got. */
    private static final ThreadLocal<@Nullable Batch> BATCH = new ThreadLocal<>();

    private final Supplier<SagaCarrier> carrier;
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** @param carrier looked up at the first message, when everything it needs is there */
    public Deliveries(Supplier<SagaCarrier> carrier) {
        this.carrier = carrier;
    }

    /**
     * Has the listener handle a message. A message whose saga is aborted is done with: what it asks for is not wanted any
     * more, and what its saga did is undone. So the listener's exception that says so ends here.
     *
     * @param id names the message if its headers do not
     * @return whether its saga is not aborted, so far as the listener has noticed
     * @throws MalformedSagaHeadersException if the headers cannot be read; the listener is not called
     */
    public boolean handle(MethodInvocation listener, Function<String, @Nullable String> headers, String id)
            throws Throwable {
        return handle(carrier.get(), headers, id, listener::proceed);
    }

    /** As {@link #handle(MethodInvocation, Function, String)}, with whatever handles the message. */
    public static boolean handle(
            SagaCarrier carrier,
            Function<String, @Nullable String> headers,
            String id,
            SagaCarrier.Work<@Nullable Object, Throwable> work)
            throws Throwable {
        String saga = headers.apply(SagaHeaders.SAGA);
        try {
            carrier.receive(headers, id, work);
            return true;
        } catch (Throwable thrown) {
            SagaAbortedException aborted = aborted(thrown, saga);
            if (aborted == null) throw thrown;
            log.info("A message is not handled, and does not come again: {}", aborted.getMessage());
            return false;
        }
    }

    /** What to tell people and the broker's clients of that. */
    public static String sentence(MalformedSagaHeadersException malformed) {
        return malformed.getMessage() + "; the message was not handled.";
    }

    /** That the message's saga is aborted, if that is what the listener has failed of. */
    private static @Nullable SagaAbortedException aborted(Throwable thrown, @Nullable String saga) {
        if (saga == null) return null;
        Throwable each = thrown;
        for (int depth = 0; each != null && depth < 50; depth++, each = each.getCause()) {
            if (each instanceof SagaAbortedException aborted && aborted.saga().equals(saga)) return aborted;
        }
        return null;
    }

    /**
     * A listener gets several messages at once: they may be of several sagas, so it runs outside of them, and must have each
     * handled in its own. If it has done so with none, the log says so once.
     *
     * @param name the listener, for people
     */
    public @Nullable Object batch(MethodInvocation listener, Supplier<String> name, boolean hasSagas) throws Throwable {
        if (!hasSagas) return listener.proceed();
        Batch batch = new Batch();
        BATCH.set(batch);
        try {
            return listener.proceed();
        } finally {
            BATCH.remove();
            if (!batch.received) warn(name.get());
        }
    }

    /** Whether this thread is in a listener that got messages of sagas in a batch, and handles none of them by itself. */
    static boolean isInBatch() {
        return BATCH.get() != null;
    }

    /** Does the work of one message, in the saga that it names or in none: what the batch has besides does not matter to it. */
    static <T extends @Nullable Object, X extends Throwable> T one(SagaCarrier.Work<T, X> work) throws X {
        Batch batch = BATCH.get();
        if (batch == null) return work.run();
        batch.received = true;
        BATCH.remove();
        try {
            return work.run();
        } finally {
            BATCH.set(batch);
        }
    }

    private void warn(String listener) {
        if (!warned.add(listener)) return;
        log.warn(
                "{} takes messages in batches and got some of sagas. It runs outside of them, and nobody undoes what it"
                        + " does for them: handle each by SagaRecords or SagaMessages.handle(…), or let the listener take one"
                        + " message at a time.",
                listener);
    }

    private static final class Batch {
        private boolean received;
    }
}
