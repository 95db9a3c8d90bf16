package io.alphaomega.omega.transport.dubbo;

import io.alphaomega.omega.context.AnswerOfThread;
import io.alphaomega.omega.context.MalformedSagaHeadersException;
import io.alphaomega.omega.context.ReceivedCall;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaHeaders;
import java.util.List;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.AsyncRpcResult;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.ApplicationModel;

/**
 * Puts the thread that serves a call of Dubbo, which finds this filter by itself, into the saga that its attachments name.
 * Reports of branches that end on this thread travel back in the attachments of an answer that is no exception, if the caller waits for it. Malformed
 * attachments are refused with an {@link RpcException}.
 */
@Activate(group = CommonConstants.PROVIDER, order = SagaProviderFilter.INSIDE_AUTHENTICATION)
public final class SagaProviderFilter implements Filter {
    /** Dubbo's stands at 0 and before: who may not call may not join a saga either. */
    static final int INSIDE_AUTHENTICATION = 1_000;

    private static final List<String> NAMES =
            List.of(SagaHeaders.SAGA, SagaHeaders.BRANCH, SagaHeaders.CALL, SagaHeaders.CARRIED);

    private final ApplicationModel application;

    /** For Dubbo. */
    public SagaProviderFilter(ApplicationModel application) {
        this.application = application;
    }

    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        DubboCarrier carrier = new DubboCarrier(invocation);
        if (carrier.get(SagaHeaders.SAGA) == null) {
            hide(carrier);
            return invoker.invoke(invocation);
        }
        DubboSagas omega = DubboSagas.of(application);
        if (omega == null) return refusal(DubboSagas.missing(application), invocation);
        ReceivedCall.Receiver receiver = omega.receiver();
        if (receiver == null) return invoker.invoke(invocation);
        AnswerOfThread answer = new AnswerOfThread();
        ReceivedCall received;
        try {
            received = ReceivedCall.from(carrier::get, ReceivedCall::anonymous, receiver, answer);
        } catch (MalformedSagaHeadersException malformed) {
            return refusal(malformed.getMessage() + "; the call was not served.", invocation);
        }
        hide(carrier);
        return received == null ? invoker.invoke(invocation) : serve(invoker, invocation, received, answer);
    }

    private static Result serve(
            Invoker<?> invoker, Invocation invocation, ReceivedCall received, AnswerOfThread answer) {
        SagaContext.Scope scope = received.context().open();
        answer.serveHere();
        Result result = null;
        try {
            Result answered = invoker.invoke(invocation);
            received.owe();
            result = answered;
        } finally {
            scope.close();
            boolean unused = answer.close();
            if (result == null) {
                received.oweAfterFailure();
                received.untold().served(true);
            }
        }
        return result.whenCompleteWithContext((end, thrown) -> {
            boolean failed = thrown != null || end.hasException();
            String brought = answer.brought();
            if (!failed && brought != null) end.setAttachment(DubboCarrier.small(SagaHeaders.CARRIED), brought);
            received.untold().served(failed);
        });
    }

    /**
     * What is about this call is nobody else's. Dubbo would attach what a service was called with to all that it calls, also
     * to what it calls outside of the saga.
     */
    private static void hide(DubboCarrier carrier) {
        for (String name : NAMES) {
            carrier.remove(name);
            RpcContext.getServerAttachment().removeAttachment(name);
            RpcContext.getServerAttachment().removeAttachment(DubboCarrier.small(name));
        }
    }

    /** As an answer: what is thrown here may be sent again by the caller's cluster. */
    private static Result refusal(String sentence, Invocation invocation) {
        return AsyncRpcResult.newDefaultAsyncResult(new RpcException(RpcException.BIZ_EXCEPTION, sentence), invocation);
    }
}
