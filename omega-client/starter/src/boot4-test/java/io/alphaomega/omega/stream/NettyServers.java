package io.alphaomega.omega.stream;

import io.grpc.ServerBuilder;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The Netty that omega has, as a server. */
final class NettyServers {
    private NettyServers() {}

    static ServerBuilder<?> at(InetSocketAddress address) {
        return NettyServerBuilder.forAddress(address).permitKeepAliveTime(20, TimeUnit.SECONDS);
    }
}
