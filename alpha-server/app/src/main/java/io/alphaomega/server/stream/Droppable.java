package io.alphaomega.server.stream;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;

/**
 * Calls that can be dropped with what has been written to them, for peers that do not read. A server of gRPC can only end
 * a call behind that. But it drops those whose deadline has passed; and a deadline is a context that is cancelled.
 */
final class Droppable extends ServerStreamTracer.Factory {
    private static final Context.Key<Context.CancellableContext> CALL = Context.key("alpha-call");

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new ServerStreamTracer() {
            @Override
            public Context filterContext(Context context) {
                Context.CancellableContext call = context.withCancellation();
                return call.withValue(CALL, call);
            }
        };
    }

    /** What drops the call that is being opened now. */
    static Runnable current() {
        Context.CancellableContext call = CALL.get();
        return () -> {
            if (call != null) call.cancel(Status.DEADLINE_EXCEEDED.asException());
        };
    }
}
