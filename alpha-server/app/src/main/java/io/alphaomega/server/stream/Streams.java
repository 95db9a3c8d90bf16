package io.alphaomega.server.stream;

import akka.actor.typed.ActorRef;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.server.epoch.StoreEpoch;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens the streams of a node, as many as its {@link Budget} has room for; everything else is the connection's. */
final class Streams {
    /** A client knows who it is. */
    private static final Duration HELLO_WITHIN = Duration.ofSeconds(10);

    private final ActorRef<OmegaConnections.Command> connections;
    private final EventLoopGroup loops;
    private final RefusedStreams refused;
    private final Clock clock;
    private final Budget budget;
    private final StreamMetrics metrics;
    private final StoreEpoch epoch;
    private final Map<EventLoop, FairShare> shares = new ConcurrentHashMap<>();
    private final AtomicInteger open = new AtomicInteger();

    Streams(
            ActorRef<OmegaConnections.Command> connections,
            GrpcPort port,
            Clock clock,
            Budget budget,
            StreamMetrics metrics,
            StoreEpoch epoch) {
        this.connections = connections;
        this.loops = port.loops();
        this.refused = port.refused();
        this.clock = clock;
        this.budget = budget;
        this.metrics = metrics;
        this.epoch = epoch;
    }

    StreamObserver<FromOmega> open(StreamObserver<ToOmega> out) {
        int streams = open.incrementAndGet();
        EventLoop here = here();
        FairShare share = shares.computeIfAbsent(here, this::share);
        OmegaCall wire = new OmegaCall(
                (ServerCallStreamObserver<ToOmega>) out,
                here,
                share,
                // Nobody is called back over the stream before it is known what its peer has seen of the store.
                (hello, said) ->
                        epoch.heard(hello).thenRun(() -> connections.tell(new OmegaConnections.Open(hello, said))),
                open::decrementAndGet);
        if (streams > budget.streams()) {
            metrics.streamRefused();
            refused.refused();
            share.crowded();
            wire.expire(Status.RESOURCE_EXHAUSTED.withDescription(
                    "This alpha node has %d streams, as many as its heap has room for; connect to another, or later."
                            .formatted(budget.streams())));
        } else {
            refused.opened();
            Status late = Status.DEADLINE_EXCEEDED.withDescription(
                    "The stream said no Hello within %s; it is closed.".formatted(HELLO_WITHIN));
            wire.schedule(() -> wire.expire(late), HELLO_WITHIN.toMillis());
        }
        return wire;
    }

    private FairShare share(EventLoop loop) {
        return new FairShare(
                metrics::heldBack, clock::millis, (task, delay) -> OmegaCall.schedule(loop, task, delay.toMillis()));
    }

    /** The event loop that calls, which is the one of the stream's connection. */
    private EventLoop here() {
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) return (EventLoop) loop;
        }
        throw new IllegalStateException(
                "A stream is opened by " + Thread.currentThread() + ", which is no event loop.");
    }
}
