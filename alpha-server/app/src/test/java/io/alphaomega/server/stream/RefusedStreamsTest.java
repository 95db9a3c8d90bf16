package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RefusedStreamsTest {
    private static final int ALL = GrpcServer.CONNECTION_STREAMS;

    private final RefusedStreams streams = new RefusedStreams();
    private final MockTicker ticker = Ticker.newMockTicker();
    private final Http2ConnectionHandler http = new Http2ConnectionHandlerBuilder()
            .server(true)
            .frameListener(new Http2FrameAdapter())
            .build();
    private final EmbeddedChannel connection = EmbeddedChannel.builder()
            .ticker(ticker)
            .handlers(new Reader(), http)
            .build();
    private int stream = 1;

    /** Does with what is read what gRPC does. */
    private static final class Reader extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((Runnable) message).run();
        }
    }

    @BeforeEach
    void accept() throws Http2Exception {
        new EmbeddedChannel(streams).writeInbound(connection);
        assertThat(told()).hasSize(1); // By HTTP/2 itself: what the server is set to.
    }

    @AfterEach
    void close() {
        connection.finishAndReleaseAll();
    }

    private void refuse(int count) {
        for (int i = 0; i < count; i++) connection.writeInbound((Runnable) streams::refused);
    }

    private void open() throws Http2Exception {
        http.connection().remote().createStream(stream, false);
        stream += 2;
        connection.writeInbound((Runnable) streams::opened);
    }

    private void pass(Duration time) {
        ticker.advance(time.toMillis(), TimeUnit.MILLISECONDS);
        connection.runScheduledPendingTasks();
    }

    /** How many streams the client was told since it was asked last that it may have; empty for settings of something else. */
    private List<Optional<Long>> told() throws Http2Exception {
        List<Optional<Long>> told = new ArrayList<>();
        DefaultHttp2FrameReader frames = new DefaultHttp2FrameReader();
        ChannelHandlerContext context = connection.pipeline().context(http);
        for (ByteBuf sent = connection.readOutbound(); sent != null; sent = connection.readOutbound()) {
            frames.readFrame(context, sent, new Http2FrameAdapter() {
                @Override
                public void onSettingsRead(ChannelHandlerContext client, Http2Settings settings) {
                    told.add(Optional.ofNullable(settings.maxConcurrentStreams()));
                }
            });
            sent.release();
        }
        return told;
    }

    /** That the client was told so, which acknowledges it. */
    private void assertTold(int... limits) throws Http2Exception {
        assertThat(told().stream()
                        .mapToInt(limit -> Math.toIntExact(limit.orElseThrow()))
                        .toArray())
                .containsExactly(limits);
        for (int limit : limits) http.connection().remote().maxActiveStreams(limit);
    }

    @Test
    void a_connection_opens_no_more_once_too_many_of_its_streams_were_refused() throws Http2Exception {
        refuse(RefusedStreams.REFUSED_MOST - 1);
        assertTold();

        refuse(1);

        assertTold(0);
        refuse(100); // Those on their way.
        assertTold();
    }

    @Test
    void then_it_tries_one_stream_after_the_other_until_none_was_refused_for_a_while() throws Http2Exception {
        open();
        open();
        refuse(RefusedStreams.REFUSED_MOST);
        assertTold(0);

        pass(RefusedStreams.REST);
        assertTold(3);
        open();
        assertTold(4);
        open();
        assertTold(5);
        pass(RefusedStreams.REST);

        assertTold(ALL);
        open();
        refuse(RefusedStreams.REFUSED_MOST - 1);
        assertTold();
    }

    @Test
    void when_the_one_that_it_tries_is_refused_it_waits_again() throws Http2Exception {
        refuse(RefusedStreams.REFUSED_MOST);
        assertTold(0);
        pass(RefusedStreams.REST);
        assertTold(1);

        pass(RefusedStreams.REST.dividedBy(2));
        refuse(1);
        assertTold(0);
        pass(RefusedStreams.REST.minusMillis(1));
        assertTold();
        pass(Duration.ofMillis(1));

        assertTold(1);
    }

    @Test
    void who_does_not_acknowledge_is_told_nothing_more() throws Http2Exception {
        refuse(RefusedStreams.REFUSED_MOST);
        assertThat(told()).hasSize(1);

        for (int i = 0; i < 100; i++) {
            pass(RefusedStreams.REST);
            refuse(1);
        }

        assertTold();
    }

    @Test
    void a_stream_refused_now_and_then_costs_nothing() throws Http2Exception {
        for (int i = 0; i < 100; i++) {
            refuse(RefusedStreams.REFUSED_MOST - 1);
            pass(RefusedStreams.COUNTED_WITHIN.plusMillis(1));
        }

        assertTold();
    }

    @Test
    void each_connection_is_told_for_itself_and_a_closed_one_no_more() throws Http2Exception {
        EmbeddedChannel other = new EmbeddedChannel(new Reader());
        new EmbeddedChannel(streams).writeInbound(other);
        for (int i = 0; i < 100; i++) other.writeInbound((Runnable) streams::refused);
        assertTold();

        refuse(RefusedStreams.REFUSED_MOST);
        assertTold(0);
        assertThat(connection.close().isSuccess()).isTrue();
        pass(RefusedStreams.REST);
        told();
        pass(RefusedStreams.REST);

        assertTold();
        streams.refused(); // Of no connection.
    }
}
