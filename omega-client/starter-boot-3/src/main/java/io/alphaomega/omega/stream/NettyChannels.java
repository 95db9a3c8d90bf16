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
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2SecurityUtil;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolNames;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections over the network, and the one thread that they share with the client. By a Netty of gRPC's own: the one
 * that Boot 3 manages is older, and the service's to choose.
 */
final class NettyChannels implements AlphaChannels {
    /** What a silent connection costs, against how long a dead one stays unnoticed. Alpha permits it. */
    private static final long KEEPALIVE_SECONDS = 30;

    private static final long KEEPALIVE_ANSWER_SECONDS = 10;

    private static final ApplicationProtocolConfig HTTP_2 = new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Class<? extends Channel> type;
    private final @Nullable Supplier<AlphaTls> tls;

    /**
     * By the groups that are in Netty 4.1 as well: a service may pin a gRPC that has that.
     *
     * @param tls null for none
     */
    @SuppressWarnings("deprecation")
    NettyChannels(String threadName, @Nullable Supplier<AlphaTls> tls) {
        this.tls = tls;
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
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(socket)
                .eventLoopGroup(group)
                .channelType(type, InetSocketAddress.class)
                .directExecutor()
                .userAgent("omega/" + (omegaVersion.isBlank() ? "unknown" : omegaVersion))
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_ANSWER_SECONDS, TimeUnit.SECONDS);
        if (tls == null)
            return builder.usePlaintext().overrideAuthority(authority).build();
        AlphaTls now = tls.get();
        return builder.sslContext(context(now))
                .overrideAuthority(now.authority(authority))
                .build();
    }

    /** TLS as Netty has it; gRPC has alpha's certificate compared with the authority. */
    private static SslContext context(AlphaTls tls) {
        List<String> ciphers = tls.ciphers().isEmpty() ? Http2SecurityUtil.CIPHERS : tls.ciphers();
        String[] protocols = tls.protocols().isEmpty() ? null : tls.protocols().toArray(String[]::new);
        return new JdkSslContext(
                tls.context(),
                true,
                ciphers,
                SupportedCipherSuiteFilter.INSTANCE,
                HTTP_2,
                ClientAuth.NONE,
                protocols,
                false);
    }
}
