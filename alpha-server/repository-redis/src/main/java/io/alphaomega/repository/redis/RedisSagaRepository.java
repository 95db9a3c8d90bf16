package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.SagaId;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sagas in Redis 6.2 or newer, a single server or a cluster. It connects with the first call; whoever wants to know at
 * start whether the server's settings will do asks for {@link #durability()}.
 */
public final class RedisSagaRepository implements SagaRepository {

    /**
     * Where Redis is and what is expected of it.
     *
     * @param uri such as {@code redis://user:password@host:6379}, {@code rediss://} for TLS, {@code
     *     redis-cluster://one:7000,two:7000} for some servers of a cluster, {@code redis-sentinel://one:26379#name} for
     *     one that Sentinel knows
     * @param waitReplicas how many replicas must have an append before it counts; 0 to wait for none
     * @param allowVolatile whether a server that does not write to its disk will do
     * @param caCertificate the PEM file of whom to trust with TLS; empty for whom the JVM trusts
     */
    public record Settings(String uri, int waitReplicas, boolean allowVolatile, Optional<Path> caCertificate) {
        public Settings {
            Address.of(uri);
            if (waitReplicas < 0) {
                throw new IllegalArgumentException(
                        "the replicas to wait for must be 0 or more but were " + waitReplicas);
            }
        }

        /** A server that writes to its disk. */
        public static Settings of(String uri) {
            return new Settings(uri, 0, false, Optional.empty());
        }

        /** What may be shown of the address: no user, no password. */
        public String place() {
            return Address.of(uri).name();
        }

        @Override
        public String toString() {
            return place();
        }
    }

    private final Settings settings;
    private final Address address;
    private final EventLoop loop;
    private final Optional<EventLoopGroup> own;

    /** Held while the client is made or closed. */
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Servers opened;
    private volatile boolean closed;

    /** Since the last append failed, until one succeeds. */
    private volatile boolean writesFail;

    /** With an event loop of its own. */
    public RedisSagaRepository(Settings settings) {
        this(settings, new DefaultEventLoopGroupProvider(1).allocate(Transports.eventLoopGroupClass()));
    }

    private RedisSagaRepository(Settings settings, EventLoopGroup own) {
        this(settings, own.next(), Optional.of(own));
    }

    /** @param loop where its connections live, and its appends are asked for; it outlives the repository */
    public RedisSagaRepository(Settings settings, EventLoop loop) {
        this(settings, loop, Optional.empty());
    }

    private RedisSagaRepository(Settings settings, EventLoop loop, Optional<EventLoopGroup> own) {
        this.settings = settings;
        this.loop = loop;
        this.own = own;
        address = Address.of(settings.uri());
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        if (batch.isEmpty()) return List.of();
        Operation operation = operation();
        boolean done = false;
        try {
            List<AppendResult> results = AppendCalls.run(operation, batch, settings.waitReplicas());
            done = true;
            return results;
        } finally {
            wrote(done);
        }
    }

    /** Null until somebody has connected, and at the end: the event loop must not wait for either. */
    @Nullable
    Servers serversAtHand() {
        return opened;
    }

    /** What became of an append. */
    void wrote(boolean done) {
        if (writesFail == done) writesFail = !done;
    }

    /** Not in a cluster, where a batch is many calls to several servers, and not where replicas are waited for. */
    @Override
    public Optional<AsyncAppends> asyncAppends() {
        return address.cluster() || settings.waitReplicas() > 0
                ? Optional.empty()
                : Optional.of(new LoopAppends(this, loop));
    }

    @Override
    public Loaded load(SagaId id) {
        return JournalReads.load(operation(), id, settings.waitReplicas());
    }

    @Override
    public Page<SagaId> due(Instant until, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        return JournalReads.due(operation(), until, cursor, limit);
    }

    @Override
    public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        return SearchScans.find(operation(), query, cursor, limit, SearchScans.WITHIN);
    }

    @Override
    public Page<SagaSummary> ordered(Instant since, Cursor cursor, int limit) {
        requireLimit(limit, PAGE_MAX);
        return SearchScans.ordered(operation(), since, cursor, limit);
    }

    @Override
    public SagaCounts counts(Set<SagaSummary.State> states) {
        return SearchScans.counts(operation(), states);
    }

    @Override
    public int purge(Instant endedBefore, int limit) {
        requireLimit(limit, Integer.MAX_VALUE);
        return PurgeCalls.purge(operation(), endedBefore, limit);
    }

    @Override
    public int forget(Instant endedBefore, int limit) {
        requireLimit(limit, Integer.MAX_VALUE);
        return PurgeCalls.forget(operation(), endedBefore, limit);
    }

    @Override
    public Map<String, String> notes() {
        return NoteHashes.all(operation());
    }

    @Override
    public void note(String name, String text) {
        SagaRepository.requireNote(name, text);
        NoteHashes.put(operation(), name, text, settings.waitReplicas());
    }

    @Override
    public Durability durability() {
        return ServerSettings.durability(operation(), settings);
    }

    @Override
    public Health check() {
        try {
            Operation operation = operation();
            for (Server server : operation.primaries()) {
                // A read tells nothing of a full disk or memory: as long as writes fail, only a write can say that they
                // work.
                if (writesFail) write(operation, server);
                else ScriptCalls.one(operation, server.asking(), commands -> commands.ping());
            }
            return new Health.Up();
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            return new Health.Down(String.valueOf(e.getMessage()));
        }
    }

    /** As large as a payload, so that it does not fit where that would not. */
    private static void write(Operation operation, Server server) {
        for (Bucket bucket : Bucket.ALL) {
            if (!operation.of(bucket).equals(server)) continue;
            ScriptCalls.one(
                    operation,
                    server.writing(),
                    commands -> commands.set(bucket.probe(), new byte[Limits.PAYLOAD_BYTES]));
            ScriptCalls.one(operation, server.writing(), commands -> commands.del(bucket.probe()));
            return;
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            Servers open = opened;
            opened = null;
            if (open != null) open.close();
        } finally {
            lock.unlock();
        }
        own.ifPresent(loops -> loops.shutdownGracefully(0, Servers.CLOSED_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(Servers.CLOSED_WITHIN.toMillis()));
    }

    Operation operation() {
        Servers open = opened;
        return Operation.on(open != null ? open : open());
    }

    private Servers open() {
        lock.lock();
        try {
            if (closed) throw new RepositoryUnavailableException("The repository is closed.");
            Servers open = opened;
            if (open == null) {
                open = new Servers(address, settings.caCertificate(), loop);
                opened = open;
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private static void requireLimit(int limit, int max) {
        if (limit < 1 || limit > max) {
            throw new IllegalArgumentException("limit must be 1 to %d but was %d".formatted(max, limit));
        }
    }
}
