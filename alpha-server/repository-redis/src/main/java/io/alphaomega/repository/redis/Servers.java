package io.alphaomega.repository.redis;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.channel.EventLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The Redis servers there are, and which of them has a bucket. */
final class Servers implements AutoCloseable {
    /** Lettuce wants two at least. */
    private static final int THREADS = 2;

    static final Duration CLOSED_WITHIN = Duration.ofSeconds(2);

    /** Which server has which bucket. */
    private record Routes(boolean clustered, Map<Bucket, Server> byBucket) {}

    private final Address address;
    private final ClientResources resources;
    private final RedisClient client;

    /** Those that were given and those that the cluster has told of; in the order in which they are asked. */
    private final Map<String, Server> known = new LinkedHashMap<>();

    /** Held while the routes are found out, and over {@code known}. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Routes routes;

    /**
     * Connects to nobody.
     *
     * @param loop where the connections live
     */
    Servers(Address address, Optional<Path> certificates, EventLoop loop) {
        this.address = address;
        ClientOptions options = options(certificates);
        resources = DefaultClientResources.builder()
                .eventLoopGroupProvider(new OneLoop(loop))
                .computationThreadPoolSize(THREADS)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
        client = RedisClient.create(resources);
        client.setOptions(options);
    }

    private static ClientOptions options(Optional<Path> certificates) {
        return ClientOptions.builder()
                // It would send again what was under way: see ServerConnection.
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .protocolVersion(ProtocolVersion.RESP2)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(ServerConnection.CONNECT_WITHIN)
                        .keepAlive(true)
                        .build())
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .sslOptions(certificates.map(Servers::trusting).orElseGet(SslOptions::create))
                .build();
    }

    private static SslOptions trusting(Path certificates) {
        if (!Files.isReadable(certificates)) {
            throw new IllegalStateException(
                    "%s cannot be read: it should have the certificates to trust, in PEM.".formatted(certificates));
        }
        return SslOptions.builder()
                .jdkSslProvider()
                .trustManager(certificates.toFile())
                .build();
    }

    String name() {
        return address.name();
    }

    /** The one server there is; null if there are several, or if that is not known yet. */
    @Nullable
    Server single() {
        Routes now = routes;
        return now == null || now.clustered() ? null : now.byBucket().get(Bucket.ALL.getFirst());
    }

    boolean isCluster(Operation operation) {
        return routes(operation).clustered();
    }

    /** Every server that has a bucket. */
    List<Server> primaries(Operation operation) {
        return List.copyOf(new LinkedHashSet<>(routes(operation).byBucket().values()));
    }

    Server of(Bucket bucket, Operation operation) {
        Server server = routes(operation).byBucket().get(bucket);
        if (server != null) return server;
        forgetRoutes();
        throw new RepositoryUnavailableException(
                "%s is not whole: none of its servers has the slot of bucket %d.".formatted(name(), bucket.number()));
    }

    /** After a failure that may mean that a cluster has changed: whoever needs it next asks where everything is. */
    void forgetRoutes() {
        Routes now = routes;
        if (now != null && now.clustered()) routes = null;
    }

    private Routes routes(Operation operation) {
        Routes now = routes;
        return now != null ? now : findRoutes(operation);
    }

    private Routes findRoutes(Operation operation) {
        takeTurn(operation);
        try {
            Routes now = routes;
            if (now != null) return now;
            Deque<RepositoryUnavailableException> failures = new ArrayDeque<>();
            for (Server each : candidates()) {
                try {
                    now = routesAsToldBy(each, operation);
                    routes = now;
                    return now;
                } catch (RepositoryUnavailableException e) {
                    failures.push(e);
                    // Whoever is asked next begins with another one.
                    known.values().remove(each);
                    known.put(key(each.uri()), each);
                }
            }
            throw failures.pop();
        } finally {
            lock.unlock();
        }
    }

    private void takeTurn(Operation operation) {
        try {
            if (lock.tryLock(operation.nanosLeft(ServerConnection.CONNECT_WITHIN), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RepositoryUnavailableException(
                name() + " does not answer: another thread is already trying to connect.");
    }

    private List<Server> candidates() {
        for (RedisURI uri : address.servers()) server(uri, seedName(uri));
        return List.copyOf(known.values());
    }

    private String seedName(RedisURI uri) {
        return address.servers().size() == 1 ? name() : name(uri.getHost(), uri.getPort());
    }

    private static String name(String host, int port) {
        return "Redis at " + host + ":" + port;
    }

    private static String key(RedisURI uri) {
        return uri.getHost() + ":" + uri.getPort();
    }

    private Server server(RedisURI uri, String name) {
        return known.computeIfAbsent(key(uri), at -> {
            uri.setTimeout(ServerConnection.CONNECT_WITHIN);
            return Server.at(uri, name, client);
        });
    }

    private Routes routesAsToldBy(Server server, Operation operation) {
        ServerInfo info = ServerInfo.of(server, operation);
        if (!info.isCluster()) {
            if (address.cluster()) {
                throw new IllegalStateException(
                        "%s is not a Redis Cluster (cluster_enabled is 0): write redis://host:port for a single server."
                                .formatted(server.name()));
            }
            Map<Bucket, Server> all = new HashMap<>();
            for (Bucket bucket : Bucket.ALL) all.put(bucket, server);
            return new Routes(false, all);
        }
        ClusterSlots slots =
                ClusterSlots.of(ScriptCalls.one(operation, server.asking(), commands -> commands.clusterSlots()));
        Map<Bucket, Server> byBucket = new HashMap<>();
        for (Bucket bucket : Bucket.ALL) {
            slots.of(SlotHash.getSlot(bucket.index()))
                    .ifPresent(range -> byBucket.put(bucket, serverOf(range, server)));
        }
        return new Routes(true, byBucket);
    }

    private Server serverOf(ClusterSlots.Range range, Server asked) {
        RedisURI uri = RedisURI.builder(address.servers().getFirst())
                .withHost(range.host().isEmpty() ? asked.uri().getHost() : range.host())
                .withPort(range.port())
                .build();
        return server(uri, name(uri.getHost(), uri.getPort()));
    }

    /** Fails what is under way. The loop is somebody else's, and may be busy: it is not waited for without end. */
    @Override
    public void close() {
        long millis = CLOSED_WITHIN.toMillis();
        client.shutdownAsync(0, millis, TimeUnit.MILLISECONDS)
                .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                .exceptionally(failure -> null) // The connections are gone then.
                .join();
        resources
                .shutdown(0, CLOSED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSED_WITHIN.toMillis());
    }
}
