package io.alphaomega.server.stream;

import akka.Done;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.AskPattern;
import io.alphaomega.protocol.v1.Limits;
import io.alphaomega.protocol.v1.Shards;
import io.alphaomega.protocol.v1.Welcome;
import io.alphaomega.saga.Policy;
import io.alphaomega.server.cluster.SagaCluster;
import io.alphaomega.server.epoch.StoreEpoch;
import io.alphaomega.server.process.Release;
import io.alphaomega.server.saga.SagaSharding;
import io.alphaomega.server.saga.Sagas;
import io.grpc.Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Where omegas connect: {@code alpha.v1.Alpha} over HTTP/2. */
public final class GrpcServer implements SmartLifecycle {
    /** After the cluster is up, before HTTP; the other way round at the end. */
    public static final int PHASE = SagaCluster.PHASE + 1_000;

    /** The largest input, or a window of ordinary ones; omega cuts its batches accordingly. Each stream may be amid one. */
    static final int MESSAGE_BYTES = 128 * 1024;

    /** gRPC cuts off what is larger without saying why; up to here the sender gets a sentence. */
    private static final int READ_BYTES = 2 * MESSAGE_BYTES;

    /**
     * What a peer may send before it is read. Fixed: to find the best one gRPC would send a ping with nearly every
     * message. There and back within a millisecond, this makes a gigabit a second.
     */
    private static final int READ_AHEAD_BYTES = 128 * 1024;

    /** Of one connection, as many as HTTP/2 wants at least: an omega has one, and proxies open further connections. */
    static final int CONNECTION_STREAMS = 100;

    /** A connection without a stream is of no use to anybody for longer, and nothing else bounds how many there are. */
    static final Duration CONNECTION_IDLE = Duration.ofSeconds(10);

    /** A dead peer is noticed, and its callbacks asked elsewhere, within this and {@link #ALIVE_WITHIN}. */
    private static final Duration ALIVE_EVERY = Duration.ofSeconds(10);

    private static final Duration ALIVE_WITHIN = Duration.ofSeconds(5);

    /** Clients that ask more often are cut off. */
    private static final Duration CLIENT_ALIVE_EVERY = Duration.ofSeconds(5);

    /**
     * All have been told within 3 s, and what is read is answered within the time one append takes; a peer that does not
     * read is not waited for.
     */
    private static final Duration DRAINED_WITHIN = Duration.ofSeconds(7);

    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(GrpcServer.class);

    private final GrpcPort port;
    private final Policy defaults;
    private final SagaCluster cluster;
    private final Sagas sagas;
    private final Clock clock;
    private final Budget budget;
    private final StreamMetrics metrics;
    private final Instances instances;
    private final Rehearsal rehearsal;
    private final StoreEpoch epoch;
    private volatile @Nullable Running running;

    private record Running(Server server, ActorSystem<Void> system, ActorRef<OmegaConnections.Command> connections) {}

    GrpcServer(
            GrpcPort port,
            Policy defaults,
            SagaCluster cluster,
            Sagas sagas,
            Clock clock,
            Budget budget,
            StreamMetrics metrics,
            Instances instances,
            Rehearsal rehearsal,
            StoreEpoch epoch) {
        this.port = port;
        this.defaults = defaults;
        this.cluster = cluster;
        this.sagas = sagas;
        this.clock = clock;
        this.budget = budget;
        this.metrics = metrics;
        this.instances = instances;
        this.rehearsal = rehearsal;
        this.epoch = epoch;
    }

    @Override
    public void start() {
        ActorSystem<Void> system = cluster.system();
        Connection.Shared shared = new Connection.Shared(
                sagas, cluster.participants(), clock, defaults, welcome(system), budget, metrics, instances, rehearsal);
        ActorRef<OmegaConnections.Command> connections =
                system.systemActorOf(OmegaConnections.create(shared), "connections", Props.empty());
        epoch.onMark(mark -> connections.tell(new OmegaConnections.Marked(mark)));
        cluster.onDeparture(() -> connections.tell(new OmegaConnections.TellAgain()));
        Server server = port.server()
                .directExecutor() // Nothing that comes in is waited for: it goes to its saga's actor.
                .flowControlWindow(READ_AHEAD_BYTES)
                .maxInboundMessageSize(READ_BYTES)
                .maxConcurrentCallsPerConnection(CONNECTION_STREAMS)
                .maxConnectionIdle(CONNECTION_IDLE.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTime(ALIVE_EVERY.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(ALIVE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(CLIENT_ALIVE_EVERY.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addStreamTracerFactory(new Droppable())
                .addService(ToOmega.service(new Streams(connections, port, clock, budget, metrics, epoch)::open))
                .build();
        try {
            server.start();
        } catch (IOException e) {
            // Netty's own exception says so in words only.
            BindException unbound = new BindException("gRPC cannot listen on " + port.address());
            unbound.initCause(e);
            throw new UncheckedIOException(unbound);
        }
        running = new Running(server, system, connections);
        LOG.info("gRPC on {}:{} by {}", port.address().getHostString(), server.getPort(), port);
    }

    private static Welcome welcome(ActorSystem<Void> system) {
        return Welcome.newBuilder()
                .setNode(system.address().getHost().orElse("") + ":"
                        + system.address().getPort().orElse(0))
                .setVersion(Release.version())
                .setLimits(Limits.newBuilder()
                        .setPayloadBytes(io.alphaomega.saga.Limits.PAYLOAD_BYTES)
                        .setBranches(io.alphaomega.saga.Limits.BRANCHES)
                        .setUnansweredInputs(Admission.WINDOW)
                        .setMessageBytes(MESSAGE_BYTES))
                .build();
    }

    /** The port that is listened on; interesting if any free one was asked for. */
    public int port() {
        Running now = running;
        return now == null ? port.address().getPort() : now.server().getPort();
    }

    /** Tells the omegas which shards of the sagas this node has, so that they need no detour. */
    public void shards(Set<String> here) {
        Running now = running;
        if (now == null) return;
        Shards shards = Shards.newBuilder()
                .setCount(SagaSharding.SHARDS)
                .addAllHere(here.stream().map(Integer::valueOf).sorted().toList())
                .build();
        now.connections().tell(new OmegaConnections.Here(shards));
    }

    /** Asks so many omegas to connect to another node, those that have been here longest. */
    public void move(int count) {
        Running now = running;
        if (now != null) now.connections().tell(new OmegaConnections.Move(count));
    }

    @Override
    public void stop() {
        Running now = running;
        if (now == null) return;
        running = null;
        now.server().shutdown(); // No new streams; those there are go on.
        try {
            AskPattern.<OmegaConnections.Command, Done>ask(
                            now.connections(),
                            OmegaConnections.Drain::new,
                            DRAINED_WITHIN,
                            now.system().scheduler())
                    .toCompletableFuture()
                    .get(DRAINED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
            now.server().awaitTermination(CLOSED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.info(
                    "Some streams did not end within {} and are cut off; what was not answered is sent again.",
                    DRAINED_WITHIN);
        } finally {
            now.server().shutdownNow();
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
