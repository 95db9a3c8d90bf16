package io.alphaomega.omega.transport.dubbo;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.OutgoingCall;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.CallReports;
import java.util.Arrays;
import java.util.Set;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.InvokeMode;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.cluster.filter.ClusterFilter;
import org.apache.dubbo.rpc.support.RpcUtils;

/**
 * Sends the saga of the calling thread along with calls of Dubbo, which finds this filter by itself. It stands outside of
 * Dubbo's clusters: what a cluster sends again, to the same provider or to another one, is the same call. It is the last of
 * such filters, and has the last word on the attachments.
 */
@Activate(group = CommonConstants.CONSUMER, order = Integer.MAX_VALUE)
public final class SagaClusterFilter implements ClusterFilter {
    private static final String CLUSTER = "cluster";
    private static final String MERGER = "merger";

    /** Those that make several calls of one, or one call when its caller has gone on. */
    private static final Set<String> REFUSED = Set.of("broadcast", "forking", "mergeable", "failback");

    /** @throws SagaException in a saga, if the cluster is none that calls one provider; nothing was sent */
    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        invocation.put(SagaClusterFilter.class, true);
        return send(invoker, invocation);
    }

    /** Whether such a filter has seen the call. */
    static boolean hasSent(Invocation invocation) {
        return invocation.get(SagaClusterFilter.class) != null;
    }

    static Result send(Invoker<?> invoker, Invocation invocation) {
        String method = RpcUtils.getMethodName(invocation);
        OutgoingCall call = OutgoingCall.here("DUBBO " + invocation.getTargetServiceUniqueName() + "." + method);
        DubboCarrier headers = new DubboCarrier(invocation);
        if (call == null) {
            OutgoingCall.settleOutside(headers);
            return invoker.invoke(invocation);
        }
        requireOneProvider(invoker, invocation, method);
        boolean answers = isAwaited(invoker, invocation);
        CallReports sent = call.settle(headers, answers);
        Result result;
        try {
            result = invoker.invoke(invocation);
        } catch (RuntimeException e) {
            call.heard(false);
            throw e;
        }
        if (!answers) return result;
        return result.whenCompleteWithContext((answer, thrown) -> {
            call.heard(thrown == null && !answer.hasException());
            if (sent == null) return;
            String brought = thrown == null ? answer.getAttachment(DubboCarrier.small(SagaHeaders.CARRIED)) : null;
            if (brought != null) call.answered(sent, brought);
        });
    }

    /**
     * Whether the caller goes on only when the reports are taken: a future may be complete before, and a stream brings no
     * attachments.
     */
    private static boolean isAwaited(Invoker<?> invoker, Invocation invocation) {
        return !RpcUtils.isOneway(invoker.getUrl(), invocation)
                && RpcUtils.getInvokeMode(invoker.getUrl(), invocation) == InvokeMode.SYNC
                && Arrays.stream(invocation.getArguments()).noneMatch(StreamObserver.class::isInstance);
    }

    private static void requireOneProvider(Invoker<?> invoker, Invocation invocation, String method) {
        String cluster = invoker.getUrl().getMethodParameter(method, CLUSTER, "");
        // With several groups, Dubbo merges without saying so there.
        boolean merges =
                !invoker.getUrl().getMethodParameter(method, MERGER, "").isEmpty();
        if (!merges && !REFUSED.contains(cluster)) return;
        throw new SagaException(
                "%s.%s is called in a saga by Dubbo's cluster '%s', which does not send one call to one provider and wait for it; nothing was sent. Use failover, failfast or failsafe, or make the calls one by one."
                        .formatted(invocation.getServiceName(), method, merges ? "mergeable" : cluster));
    }
}
