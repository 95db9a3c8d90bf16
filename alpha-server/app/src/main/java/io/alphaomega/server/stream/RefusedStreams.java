package io.alphaomega.server.stream;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.concurrent.FastThreadLocal;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a connection whose streams are refused from opening more. A client may come again at once, with each of a hundred
 * streams, and every one of them costs the event loop a call that comes to nothing. So alpha lowers how many streams the
 * connection may have (SETTINGS_MAX_CONCURRENT_STREAMS, RFC 9113, 5.1.2): clients of HTTP/2 wait for that by themselves,
 * and who does not is refused by the decoder. The streams that there are go on. For the server channel's pipeline.
 */
@Sharable
final class RefusedStreams extends ChannelInboundHandlerAdapter {
    /** Of one connection within {@link #COUNTED_WITHIN}: who has one stream and tries now and then never meets the limit. */
    static final int REFUSED_MOST = 5;

    static final Duration COUNTED_WITHIN = Duration.ofMinutes(1);

    /** Without new streams. A connection that has none at all is closed after twice as long. */
    static final Duration REST = Duration.ofSeconds(5);

    /** What this loop is reading. */
    private final FastThreadLocal<@Nullable Limit> reading = new FastThreadLocal<>();

    /** A connection. */
    @Override
    public void channelRead(ChannelHandlerContext listening, Object connection) {
        Channel accepted = (Channel) connection;
        accepted.pipeline().addFirst(new Limit(accepted));
        listening.fireChannelRead(connection);
    }

    /** A stream of the connection that is being read has been refused. */
    void refused() {
        Limit now = reading.get();
        if (now != null) now.refused();
    }

    /** A stream of the connection that is being read has been opened. */
    void opened() {
        Limit now = reading.get();
        if (now != null) now.opened();
    }

    /** How many streams one connection may have. */
    private final class Limit extends ChannelInboundHandlerAdapter {
        private final Channel connection;
        private State state = State.FREE;
        private int refused;
        private long firstRefused;
        private @Nullable Future<?> next;

        Limit(Channel connection) {
            this.connection = connection;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            reading.set(this);
            try {
                context.fireChannelRead(message);
            } finally {
                reading.remove();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (next != null) next.cancel(false);
            context.fireChannelInactive();
        }

        private void refused() {
            if (state == State.TRYING || (state == State.FREE && isOneTooMany())) rest();
        }

        private boolean isOneTooMany() {
            long now = connection.eventLoop().ticker().nanoTime();
            if (refused == 0 || now - firstRefused > COUNTED_WITHIN.toNanos()) {
                refused = 0;
                firstRefused = now;
            }
            return ++refused == REFUSED_MOST;
        }

        private void opened() {
            if (state == State.TRYING) oneMore();
        }

        private void rest() {
            state = State.RESTING;
            limit(0);
            later(this::tryAgain);
        }

        /** Not all at once: whatever waits in the client would come together. */
        private void tryAgain() {
            if (!isHeeded()) {
                later(this::tryAgain);
                return;
            }
            state = State.TRYING;
            oneMore();
            later(this::free);
        }

        private void free() {
            state = State.FREE;
            refused = 0;
            limit(GrpcServer.CONNECTION_STREAMS);
        }

        private void later(Runnable step) {
            if (next != null) next.cancel(false);
            next = connection.eventLoop().schedule(step, REST.toMillis(), TimeUnit.MILLISECONDS);
        }

        private void oneMore() {
            Http2ConnectionHandler http = http();
            if (http == null) return;
            int open = http.connection().remote().numActiveStreams();
            limit(Math.min(open + 1, GrpcServer.CONNECTION_STREAMS));
        }

        /** Whether the client has acknowledged that it may open none. Each word that it does not would be kept for it. */
        private boolean isHeeded() {
            Http2ConnectionHandler http = http();
            return http != null && http.connection().remote().maxActiveStreams() == 0;
        }

        private void limit(int streams) {
            Http2ConnectionHandler http = http();
            if (http == null) return;
            ChannelHandlerContext context = connection.pipeline().context(http);
            Http2Settings settings = new Http2Settings().maxConcurrentStreams(streams);
            Future<?> unused = http.encoder().writeSettings(context, settings, context.newPromise());
            context.flush();
        }

        /** Null once the connection is closed. */
        private @Nullable Http2ConnectionHandler http() {
            return connection.pipeline().get(Http2ConnectionHandler.class);
        }
    }

    private enum State {
        /** As many as there may be. */
        FREE,
        /** None besides those that there are. */
        RESTING,
        /** One more than there are. */
        TRYING
    }
}
