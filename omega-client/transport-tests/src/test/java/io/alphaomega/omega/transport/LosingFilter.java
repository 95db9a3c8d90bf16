package io.alphaomega.omega.transport;

import org.apache.dubbo.rpc.Filter;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcException;

/** Loses the first answer of each call of Dubbo, beneath its cluster. Dubbo makes it for references that ask for it. */
public final class LosingFilter implements Filter {
    @Override
    public Result invoke(Invoker<?> invoker, Invocation invocation) {
        Result result = invoker.invoke(invocation);
        if (invocation.put(LosingFilter.class, true) != null) return result;
        throw new RpcException(RpcException.NETWORK_EXCEPTION, "The answer is lost.");
    }
}
