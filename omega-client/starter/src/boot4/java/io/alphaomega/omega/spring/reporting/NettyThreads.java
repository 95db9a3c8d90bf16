package io.alphaomega.omega.spring.reporting;

import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;

/** The event loops of Netty, of which there is one in a service: omega's connections use it as well. */
final class NettyThreads {
    private NettyThreads() {}

    static boolean isHere() {
        return ThreadExecutorMap.currentExecutor() instanceof EventLoop;
    }
}
