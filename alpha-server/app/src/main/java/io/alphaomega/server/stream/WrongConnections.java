package io.alphaomega.server.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log who connects in the wrong way, with TLS or without: gRPC only closes the connection. Each address is
 * named once in a while, however often it tries. Who connects and says nothing, as many a health check, is not named.
 */
@ChannelHandler.Sharable
final class WrongConnections extends ChannelInboundHandlerAdapter {
    /** Omegas try again every few seconds, until somebody has changed something. */
    static final Duration SILENCE = Duration.ofMinutes(10);

    /** Of the addresses that were named last. */
    private static final int REMEMBERED = 1_000;

    /** What a TLS client says first begins with this byte; what an HTTP/2 client says, with a letter. */
    private static final int TLS_HANDSHAKE = 22;

    /** TLS's alert "unexpected message", so that who speaks otherwise sees to whom; netty would close without it. */
    private static final byte[] UNEXPECTED = {21, 3, 3, 0, 2, 2, 10};

    /** How the JDK calls a client without a certificate. */
    private static final String NO_CERTIFICATE = "Empty client certificate chain";

    /** How it says what the other side has found. */
    private static final Pattern ALERT = Pattern.compile("Received fatal alert: (\\w+)");

    private static final Logger LOG = LoggerFactory.getLogger(GrpcServer.class);

    private final boolean tls;
    private final Clock clock;
    private final Map<String, Instant> named = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** @param tls whether it is asked for */
    WrongConnections(boolean tls, Clock clock) {
        this.tls = tls;
        this.clock = clock;
    }

    /** A connection. */
    @Override
    public void channelRead(ChannelHandlerContext listening, Object connection) {
        ((Channel) connection).pipeline().addFirst(new First());
        listening.fireChannelRead(connection);
    }

    /** Looks at the first bytes of a connection, before whoever decodes them. */
    private final class First extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext connection, Object message) {
            if (message instanceof ByteBuf bytes && bytes.isReadable()) {
                boolean encrypted = bytes.getUnsignedByte(bytes.readerIndex()) == TLS_HANDSHAKE;
                look(connection, encrypted);
                connection.pipeline().remove(this);
            }
            connection.fireChannelRead(message);
        }
    }

    private void look(ChannelHandlerContext connection, boolean encrypted) {
        Channel channel = connection.channel();
        if (encrypted && !tls) {
            name(
                    channel,
                    "wants TLS, but alpha.grpc.ssl.bundle is not set. Set it here, or omega.alpha.ssl.enabled=false there.");
        } else if (!encrypted && tls) {
            Future<?> unused = connection.writeAndFlush(Unpooled.wrappedBuffer(UNEXPECTED));
            name(
                    channel,
                    "connects without TLS, but alpha.grpc.ssl.bundle asks for it. An omega needs omega.alpha.ssl.bundle or"
                            + " omega.alpha.ssl.enabled=true.");
        } else if (tls) {
            SslHandler handler = connection.pipeline().get(SslHandler.class);
            if (handler != null) handler.handshakeFuture().addListener(done -> agreed(channel, handler, done));
        }
    }

    private void agreed(Channel channel, SslHandler handler, Future<?> done) {
        if (!done.isSuccess()) {
            name(channel, whyNot(done.cause()));
        } else if (!ApplicationProtocolNames.HTTP_2.equals(handler.applicationProtocol())) {
            name(
                    channel,
                    "speaks TLS, but does not ask for HTTP/2 by ALPN (h2), which gRPC needs. A balancer may be in between.");
        }
    }

    private static String whyNot(Throwable failure) {
        String found = rootOf(failure);
        if (found.contains(NO_CERTIFICATE)) {
            return "shows no certificate of an authority that alpha trusts, but alpha.grpc.ssl.client-auth=need wants one."
                    + " An omega needs a keystore in the bundle of omega.alpha.ssl.bundle.";
        }
        Matcher alert = ALERT.matcher(found);
        if (alert.find()) {
            return "does not accept alpha's certificate, or TLS as alpha offers it (%s). Its own log says why."
                    .formatted(alert.group(1));
        }
        return "does not come to terms with alpha about TLS: %s.".formatted(found.replaceFirst("[.]$", ""));
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) root = root.getCause();
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    private void name(Channel channel, String what) {
        String who = addressOf(channel.remoteAddress());
        if (isDue(who)) LOG.warn("{} {} It is refused, and said again after {} at the earliest.", who, what, SILENCE);
    }

    private synchronized boolean isDue(String who) {
        Instant now = clock.instant();
        Instant last = named.get(who);
        if (last != null && last.plus(SILENCE).isAfter(now)) return false;
        named.put(who, now);
        return true;
    }

    private static String addressOf(SocketAddress peer) {
        return peer instanceof InetSocketAddress inet ? inet.getAddress().getHostAddress() : String.valueOf(peer);
    }
}
