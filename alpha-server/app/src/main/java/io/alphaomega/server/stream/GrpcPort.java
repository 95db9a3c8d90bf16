package io.alphaomega.server.stream;

import io.alphaomega.server.properties.GrpcProperties;
import io.alphaomega.server.turn.EventLoops;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** The socket that omegas connect to, with or without TLS, and the threads that read it. */
final class GrpcPort {
    private final GrpcProperties properties;
    private final EventLoops loops;
    private final @Nullable SslContext tls;
    private final WrongConnections wrong;
    private final RefusedStreams refused = new RefusedStreams();

    /** @param tls null for none */
    GrpcPort(GrpcProperties properties, EventLoops loops, @Nullable SslContext tls, Clock clock) {
        this.properties = properties;
        this.loops = loops;
        this.tls = tls;
        this.wrong = new WrongConnections(tls != null, clock);
    }

    /** As configured; looks the host up. */
    InetSocketAddress address() {
        return new InetSocketAddress(properties.host(), properties.port());
    }

    /** What keeps its connections from opening streams that are refused. */
    RefusedStreams refused() {
        return refused;
    }

    EventLoopGroup loops() {
        return loops.all();
    }

    NettyServerBuilder server() {
        NettyServerBuilder server = NettyServerBuilder.forAddress(address())
                .bossEventLoopGroup(loops.all())
                .workerEventLoopGroup(loops.all())
                .channelFactory(this::channel);
        return tls == null ? server : server.sslContext(tls);
    }

    private ServerChannel channel() {
        ServerChannel channel = loops.serverChannel();
        channel.pipeline().addFirst(wrong, refused);
        return channel;
    }

    @Override
    public String toString() {
        return loops + (tls == null ? ", without TLS" : ", with TLS");
    }
}
