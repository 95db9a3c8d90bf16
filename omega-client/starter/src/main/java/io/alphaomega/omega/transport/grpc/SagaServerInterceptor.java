package io.alphaomega.omega.transport.grpc;

import io.alphaomega.omega.context.AnswerOfThread;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.ReceivedCall;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import io.grpc.ForwardingServerCall;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Puts the threads that serve a call of gRPC into the saga that its metadata name. Reports travel back in the trailers of a
 * call that succeeds and is closed on the thread that serves it. Malformed metadata are {@code INVALID_ARGUMENT}.
 */
public final class SagaServerInterceptor implements ServerInterceptor {
    private static final Status NOT_OWED = Status.UNAVAILABLE.withDescription(
            "alpha does not answer, and would not wait for what the call has handed over to other threads");

    private final ReceivedCall.Receiver receiver;

    /**
     * @param sagaTimeout how long a saga begun elsewhere is believed to take at most, from now, if its begin does not say
     * @param holder tells alpha what answers cannot bring
     */
    public SagaServerInterceptor(Duration sagaTimeout, PendingReports.Holder holder) {
        this.receiver = new ReceivedCall.Receiver(sagaTimeout, holder);
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        AnswerOfThread trailers = new AnswerOfThread();
        GrpcCarrier carrier = new GrpcCarrier(headers);
        ReceivedCall received;
        try {
            received = ReceivedCall.from(carrier::get, () -> UUID.randomUUID().toString(), receiver, trailers);
        } catch (MalformedSagaHeadersException malformed) {
            String sentence = malformed.getMessage() + "; the call was not served.";
            call.close(Status.INVALID_ARGUMENT.withDescription(sentence), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        // What is about this call is nobody else's: who copies what he was called with would make one call of several.
        carrier.remove(SagaHeaders.BRANCH);
        carrier.remove(SagaHeaders.CALL);
        carrier.remove(SagaHeaders.CARRIED);
        if (received == null) return next.startCall(call, headers);
        Serving<Q, A> serving = new Serving<>(call, received, trailers);
        Runnable leave = serving.enter();
        try {
            return serving.listener(next.startCall(serving, headers));
        } finally {
            leave.run();
        }
    }

    private static final class Serving<Q, A> extends ForwardingServerCall.SimpleForwardingServerCall<Q, A> {
        private final ReceivedCall received;
        private final AnswerOfThread trailers;

        Serving(ServerCall<Q, A> call, ReceivedCall received, AnswerOfThread trailers) {
            super(call);
            this.received = received;
            this.trailers = trailers;
        }

        /** This thread serves the call, until it runs what is returned. */
        Runnable enter() {
            SagaContext.Scope scope = received.context().open();
            trailers.serveHere();
            return () -> {
                trailers.serveNowhere();
                scope.close();
            };
        }

        @Override
        public void close(Status status, Metadata metadata) {
            boolean failed = !status.isOk() || !trailers.isOpen() || isCancelled();
            boolean unused = trailers.close();
            CompletableFuture<Void> owed = received.oweLater();
            CompletableFuture<Void> unusedToo =
                    owed.whenComplete((nothing, untold) -> close(status, metadata, failed, owed));
        }

        private void close(Status status, Metadata metadata, boolean failed, CompletableFuture<Void> owed) {
            boolean lost = failed || owed.isCompletedExceptionally();
            String brought = trailers.brought();
            if (!lost && brought != null) new GrpcCarrier(metadata).set(SagaHeaders.CARRIED, brought);
            super.close(lost && !failed ? NOT_OWED : status, metadata);
            received.untold().served(lost);
        }

        ServerCall.Listener<Q> listener(ServerCall.Listener<Q> listener) {
            return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(listener) {
                @Override
                public void onMessage(Q message) {
                    within(() -> super.onMessage(message));
                }

                @Override
                public void onHalfClose() {
                    within(super::onHalfClose);
                }

                @Override
                public void onReady() {
                    within(super::onReady);
                }

                @Override
                public void onComplete() {
                    within(super::onComplete);
                }

                @Override
                public void onCancel() {
                    within(super::onCancel);
                    broken();
                }
            };
        }

        private void within(Runnable served) {
            Runnable leave = enter();
            boolean returned = false;
            try {
                served.run();
                returned = true;
            } finally {
                leave.run();
                if (!returned) broken(); // gRPC closes the call then, and tells nobody.
            }
        }

        /** The caller hears nothing of what the call would have brought. */
        private void broken() {
            if (trailers.close()) received.untold().served(true);
        }
    }
}
