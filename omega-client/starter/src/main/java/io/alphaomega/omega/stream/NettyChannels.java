package io.alphaomega.omega.stream;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Connections over the network; they share the client's thread. */
final class NettyChannels implements AlphaChannels {
    /** What a silent connection costs, against how long a dead one stays unnoticed. Alpha permits it. */
    private static final long KEEPALIVE_SECONDS = 30;

    private static final long KEEPALIVE_ANSWER_SECONDS = 10;

    private final EventLoopGroup group;
    private final Class<? extends Channel> type;

    NettyChannels(EventLoopGroup group) {
        this.group = group;
        type = Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
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
