package io.alphaomega.repository.redis;

import io.lettuce.core.resource.EventLoopGroupProvider;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** All connections live on one event loop, which is somebody else's and outlives them. */
record OneLoop(EventLoop loop) implements EventLoopGroupProvider {
    @Override
    @SuppressWarnings("unchecked") // Whatever kind of group Lettuce asks for, it only registers channels with it.
    public <T extends EventLoopGroup> T allocate(Class<T> type) {
        return (T) loop;
    }

    @Override
    public int threadPoolSize() {
        return 1;
    }

    @Override
    public Future<Boolean> release(EventExecutorGroup group, long quiet, long timeout, TimeUnit unit) {
        return loop.newSucceededFuture(true);
    }

    @Override
    public Future<Boolean> shutdown(long quiet, long timeout, TimeUnit unit) {
        return loop.newSucceededFuture(true);
    }
}
