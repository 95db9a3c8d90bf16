package io.alphaomega.omega.transport.grpc;

import io.alphaomega.omega.context.OutgoingCall;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.CallReports;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Sends the saga of the calling thread along with calls of gRPC. What a channel sends again beneath, by its retry policy or as
 * a hedge, is the same call. Of a call that fails, its server reports by itself.
 */
public final class SagaClientInterceptor implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        OutgoingCall call = OutgoingCall.here("GRPC " + next.authority() + "/" + method.getFullMethodName());
        return new ForwardingClientCall.SimpleForwardingClientCall<>(next.newCall(method, options)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                if (call == null) {
                    OutgoingCall.settleOutside(new GrpcCarrier(headers));
                    super.start(listener, headers);
                    return;
                }
                CallReports sent = call.settle(new GrpcCarrier(headers), true);
                super.start(new Answered<>(listener, call, sent), headers);
            }
        };
    }

    /** Before the caller hears of the end: whatever he does next takes along what the answer has brought. */
    private static final class Answered<A> extends ForwardingClientCallListener.SimpleForwardingClientCallListener<A> {
        private final OutgoingCall call;
        private final @Nullable CallReports sent;

        Answered(ClientCall.Listener<A> listener, OutgoingCall call, @Nullable CallReports sent) {
            super(listener);
            this.call = call;
            this.sent = sent;
        }

        @Override
        public void onClose(Status status, @Nullable Metadata trailers) {
            String brought = trailers == null ? null : new GrpcCarrier(trailers).get(SagaHeaders.CARRIED);
            if (brought != null && sent != null) call.answered(sent, brought);
            call.heard(status.isOk());
            super.onClose(status, trailers);
        }
    }
}
