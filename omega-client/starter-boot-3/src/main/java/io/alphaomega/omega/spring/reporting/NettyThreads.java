package io.alphaomega.omega.spring.reporting;

import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;
import org.springframework.util.ClassUtils;

/** The event loops of Netty: those of omega's connections, on a Netty of gRPC's own, and the service's, if it has any. */
final class NettyThreads {
    private static final boolean SERVICE =
            ClassUtils.isPresent("io.netty.channel.EventLoop", NettyThreads.class.getClassLoader());

    private NettyThreads() {}

    static boolean isHere() {
        return io.grpc.netty.shaded.io.netty.util.internal.ThreadExecutorMap.currentExecutor()
                        instanceof io.grpc.netty.shaded.io.netty.channel.EventLoop
                || (SERVICE && OfService.isHere());
    }

    /** Loaded only where the service has Netty. */
    private static final class OfService {
        static boolean isHere() {
            return ThreadExecutorMap.currentExecutor() instanceof EventLoop;
        }
    }
}
