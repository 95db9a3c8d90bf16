package io.alphaomega.omega.context;

import io.alphaomega.omega.SagaException;
import io.alphaomega.protocol.v1.CallReports;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets sagas travel by what omega has nothing of its own for: messages, sockets, calls of any protocol that has headers. A
 * bean to be injected.
 */
public final class SagaCarrier {
    private final ReceivedCall.@Nullable Receiver receiver;

    /**
     * For the auto-configuration.
     *
     * @param sagaTimeout how long a saga begun elsewhere is believed to take at most, from now, if its begin does not say
     * @param holder tells alpha what answers cannot bring
     */
    public SagaCarrier(Duration sagaTimeout, PendingReports.Holder holder) {
        this.receiver = new ReceivedCall.Receiver(sagaTimeout, holder);
    }

    private SagaCarrier() {
        this.receiver = null;
    }

    /** Where omega is switched off: sagas neither leave nor come in. */
    public static SagaCarrier switchedOff() {
        return new SagaCarrier();
    }

    /** The headers of a call or message, in whatever way it has them. */
    public interface Headers {
        @Nullable
        String get(String name);

        /** Puts it in the place of every value that is there. */
        void set(String name, String value);

        void remove(String name);

        /** Of a call that has its headers in a map, by names as {@link SagaHeaders} has them. */
        static Headers of(Map<String, String> headers) {
            return new Headers() {
                @Override
                public @Nullable String get(String name) {
                    return headers.get(name);
                }

                @Override
                public void set(String name, String value) {
                    headers.put(name, value);
                }

                @Override
                public void remove(String name) {
                    headers.remove(name);
                }
            };
        }
    }

    /** What is done for a call or message. */
    public interface Work<T extends @Nullable Object, X extends Throwable> {
        T run() throws X;
    }

    /** A call that is about to be made, or is under way. */
    public static final class Call {
        private final @Nullable OutgoingCall call;
        private volatile @Nullable CallReports sent;

        private Call(@Nullable OutgoingCall call) {
            this.call = call;
        }

        /**
         * Writes the saga's headers, and takes out what others have copied there. To be asked each time the call is sent,
         * on any thread, when its other headers are there: each time it is the same call.
         */
        public void inject(Headers headers) {
            if (call == null) OutgoingCall.settleOutside(headers);
            else sent = call.settle(headers, true);
        }

        /**
         * Takes the reports that the answer brings. What answers bring is missed at the end of the saga if nobody calls
         * this, so it is to be called before the caller goes on.
         *
         * @param headers the value of a header of the answer by its name, null if it is not there
         */
        public void answered(Function<String, @Nullable String> headers) {
            CallReports went = sent;
            String brought = headers.apply(SagaHeaders.CARRIED);
            if (call != null && went != null && brought != null) call.answered(went, brought);
        }
    }

    /**
     * A call from this thread that will be answered, and whose answer has headers. To be asked once for each call; what is
     * sent again beneath is the same call.
     *
     * @param target what is called, such as {@code GET /stock}. A call's name is a hash of the call that it is made in, this,
     *     and its number among the calls of this, so that a repetition makes the same calls again: nothing that differs from
     *     one run to the next
     */
    public Call call(String target) {
        return new Call(OutgoingCall.here(target));
    }

    /**
     * Writes the saga's headers into a message that nobody answers, or a call whose answer has no headers, and takes out what
     * others have copied there. To be asked once for each message, on the thread that is in the saga.
     *
     * @param target where it is sent, as in {@link #call}
     */
    public void send(String target, Headers headers) {
        OutgoingCall.send(target, headers);
    }

    /**
     * Does the work of a message, or of a call whose answer has no headers, in the saga that its headers name: outside of
     * sagas if they name none. Branches report by themselves how they end. What alpha did not let begin, as it was away, has not
     * failed behind a fence: it is for whoever delivers to do so again, or the branch's time runs out.
     *
     * @param headers the value of a header by its name, null if it is not there
     * @param id names the message if its headers do not, the same for each delivery of it
     * @throws MalformedSagaHeadersException if the headers cannot be read; the work is not done
     * @throws SagaException if the work, in a saga, returns a future or a publisher: it must be done when it returns
     */
    public <T extends @Nullable Object, X extends Throwable> T receive(
            Function<String, @Nullable String> headers, String id, Work<T, X> work) throws X {
        return serve(headers, () -> id, null, work);
    }

    /**
     * Does the work of a call in the saga that its headers name: outside of sagas if they name none.
     *
     * @param headers the value of a header by its name, null if it is not there
     * @param answer sets a header of the answer, in the place of what was set before. It is called until the work is done, on
     *     this thread, so the answer must not leave before that. If the work throws, the answer is not believed to arrive
     * @throws MalformedSagaHeadersException if the headers cannot be read; the work is not done
     * @throws SagaException if the work, in a saga, returns a future or a publisher: it must be done when it returns
     */
    public <T extends @Nullable Object, X extends Throwable> T serve(
            Function<String, @Nullable String> headers, BiConsumer<String, String> answer, Work<T, X> work) throws X {
        return serve(headers, () -> UUID.randomUUID().toString(), new OpenAnswer(answer), work);
    }

    private <T extends @Nullable Object, X extends Throwable> T serve(
            Function<String, @Nullable String> headers,
            Supplier<String> otherwise,
            @Nullable OpenAnswer answer,
            Work<T, X> work)
            throws X {
        return Deliveries.one(() -> {
            ReceivedCall call = receiver == null ? null : ReceivedCall.from(headers, otherwise, receiver, answer);
            return serve(call, answer, work);
        });
    }

    private static <T extends @Nullable Object, X extends Throwable> T serve(
            @Nullable ReceivedCall call, @Nullable OpenAnswer answer, Work<T, X> work) throws X {
        if (call == null) return work.run();
        SagaContext.Scope scope = call.context().open();
        boolean failed = true;
        try {
            T result = work.run();
            requireDone(call.context(), result);
            call.owe();
            failed = false;
            return result;
        } finally {
            scope.close();
            if (failed) call.oweAfterFailure();
            if (answer != null) answer.closed = true;
            call.untold().served(failed);
        }
    }

    /** Nobody here would wait for the rest, which would run when the saga's call is over. */
    private static void requireDone(SagaContext saga, @Nullable Object result) {
        if (result == null || !Promises.are(result.getClass())) return;
        throw new SagaException(
                "What is done in %s returned a %s, for which nothing here would wait. Let the work wait, and return the plain value."
                        .formatted(saga, result.getClass().getSimpleName()));
    }

    private static final class OpenAnswer implements PendingReports.Answer {
        private final BiConsumer<String, String> headers;
        private final Thread serving = Thread.currentThread();
        private volatile boolean closed;

        OpenAnswer(BiConsumer<String, String> headers) {
            this.headers = headers;
        }

        @Override
        public boolean isOpen() {
            return !closed && Thread.currentThread().equals(serving);
        }

        @Override
        public void bring(CallReports reports) {
            headers.accept(SagaHeaders.CARRIED, SagaHeaders.encoded(reports));
        }
    }
}
