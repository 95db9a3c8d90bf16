package io.alphaomega.omega.stream;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Connections over the network, and the one thread that they share with the client. By a Netty of gRPC's own: the one
 * that Boot 3 manages is older, and the service's to choose.
 */
final class NettyChannels implements AlphaChannels {
    /** What a silent connection costs, against how long a dead one stays unnoticed. Alpha permits it. */
    private static final long KEEPALIVE_SECONDS = 30;

    private static final long KEEPALIVE_ANSWER_SECONDS = 10;

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Class<? extends Channel> type;

    /** By the groups that are in Netty 4.1 as well: a service may pin a gRPC that has that. */
    @SuppressWarnings("deprecation")
    NettyChannels(String threadName) {
        ThreadFactory threads = DaemonThreads.named(threadName);
        group = Epoll.isAvailable() ? new EpollEventLoopGroup(1, threads) : new NioEventLoopGroup(1, threads);
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
