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
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Connections over the network, and the one thread that they share with the client. */
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

    /** @param tls null for none */
    NettyChannels(String threadName, @Nullable Supplier<AlphaTls> tls) {
        this.tls = tls;
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
