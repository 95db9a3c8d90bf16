package io.alphaomega.omega.stream;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Connections over the network, and the one thread that they share with the client. */
final class NettyChannels implements AlphaChannels {
    /** What a silent connection costs, against how long a dead one stays unnoticed. Alpha permits it. */
    private static final long KEEPALIVE_SECONDS = 30;

    private static final long KEEPALIVE_ANSWER_SECONDS = 10;

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Class<? extends Channel> type;

    NettyChannels(String threadName) {
        group = new MultiThreadIoEventLoopGroup(
                1,
                DaemonThreads.named(threadName),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        loop = group.next();
        type = Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    ScheduledExecutorService thread() {
        return loop;
    }

    /** Whether this is that thread. */
    boolean isHere() {
        return loop.inEventLoop();
    }

    void close() {
        Future<?> unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Override
    public ManagedChannel open(InetSocketAddress socket, String authority, String omegaVersion) {
        return NettyChannelBuilder.forAddress(socket)
                .eventLoopGroup(group)
                .channelType(type, InetSocketAddress.class)
                .directExecutor()
                .usePlaintext()
                .overrideAuthority(authority)
                .userAgent("omega/" + (omegaVersion.isBlank() ? "unknown" : omegaVersion))
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_ANSWER_SECONDS, TimeUnit.SECONDS)
                .build();
    }
}
