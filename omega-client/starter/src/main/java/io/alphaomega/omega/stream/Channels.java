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

/** Makes the connections to alphas; they share the client's thread. */
final class Channels {
    /** What a silent connection costs, against how long a dead one stays unnoticed. Alpha permits it. */
    private static final long KEEPALIVE_SECONDS = 30;

    private static final long KEEPALIVE_ANSWER_SECONDS = 10;

    private final EventLoopGroup group;
    private final Class<? extends Channel> type;

    Channels(EventLoopGroup group) {
        this.group = group;
        type = Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /**
     * A channel for one attempt to connect: gRPC would wait ever longer before it tries again on the same one.
     *
     * @param authority the address as configured
     */
    ManagedChannel open(InetSocketAddress socket, String authority, String omegaVersion) {
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
