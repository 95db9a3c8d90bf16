package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.AlphaHosts;
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
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Makes a lane's connections, which all live on its one thread. */
final class Channels {
    private static final long KEEPALIVE_SECONDS = 30;
    private static final long KEEPALIVE_ANSWER_SECONDS = 10;

    private final EventLoopGroup group;
    private final Class<? extends Channel> type;

    Channels(int lane) {
        boolean epoll = Epoll.isAvailable();
        group = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("benchmark-lane-" + lane, true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        type = epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    EventLoop loop() {
        return group.next();
    }

    /** A connection of its own, as each omega has. */
    ManagedChannel open(String address) {
        return NettyChannelBuilder.forAddress(AlphaHosts.nameless(address))
                .eventLoopGroup(group)
                .channelType(type, InetSocketAddress.class)
                .directExecutor()
                .usePlaintext()
                .overrideAuthority(address)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_ANSWER_SECONDS, TimeUnit.SECONDS)
                .build();
    }

    void close() {
        Future<?> unused = group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
