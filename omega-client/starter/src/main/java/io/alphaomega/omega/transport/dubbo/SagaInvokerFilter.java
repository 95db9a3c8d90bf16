package io.alphaomega.omega.transport.dubbo;

import io.alphaomega.omega.context.SagaHeaders;
import org.apache.dubbo.common.constants.CommonConstants;
import org.apache.dubbo.common.extension.Activate;
import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcContext;

/**
 * Does what {@link SagaClusterFilter} does, for references of Dubbo without a cluster ({@code mesh-enable} with
 * {@code unload-cluster-related}): what the mesh sends again is the same call. Dubbo finds this filter by itself.
 */
@Activate(group = CommonConstants.CONSUMER, order = Integer.MAX_VALUE)
public final class SagaInvokerFilter implements Filter {
    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        boolean alone = invoker.getUrl().getParameter(CommonConstants.UNLOAD_CLUSTER_RELATED, false);
        if (!alone || SagaClusterFilter.hasSent(invocation)) return invoker.invoke(invocation);
        // A cluster's first filter would have put it there.
        String key = RpcContext.getClientAttachment().getAttachment(SagaHeaders.KEY);
        if (key != null) invocation.setAttachment(SagaHeaders.KEY, key);
        return SagaClusterFilter.send(invoker, invocation);
    }
}
