package io.alphaomega.server.turn;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that talk to the omegas and, where its driver is of netty, to the store, and that do what is between that
 * and the sagas. A store's answer that is read by the thread that has the saga's stream wakes nobody. Nothing here waits.
 */
public final class EventLoops implements AutoCloseable {
    /** An input takes some microseconds of one; more than half of the cores would only take them from the sagas. */
    private static final int LOOPS = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);

    private final boolean epoll = Epoll.isAvailable();
    private final EventLoopGroup all;

    /** Starts its threads when they are needed. */
    public EventLoops() {
        IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        all = new MultiThreadIoEventLoopGroup(LOOPS, new DefaultThreadFactory("alpha-stream"), handlers);
    }

    public EventLoopGroup all() {
        return all;
    }

    /** One of them. */
    public EventLoop next() {
        return all.next();
    }

    /** What listens there, not bound yet. */
    public ServerChannel serverChannel() {
        return epoll ? new EpollServerSocketChannel() : new NioServerSocketChannel();
    }

    @Override
    public String toString() {
        return epoll ? "epoll" : "NIO";
    }

    @Override
    public void close() {
        boolean ended = all.shutdownGracefully(0, CLOSED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSED_WITHIN.toMillis());
        if (!ended) LOG.warn("Netty's threads did not end within {}; they end with the process.", CLOSED_WITHIN);
    }
}
