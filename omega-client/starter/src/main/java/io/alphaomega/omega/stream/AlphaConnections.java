package io.alphaomega.omega.stream;

import io.alphaomega.omega.stream.AlphaStatus.State;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.GoAway;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Welcome;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps streams to a few alphas. Everything but {@link #status} happens on the loop. */
final class AlphaConnections {
    private static final Logger log = LoggerFactory.getLogger(AlphaClient.class);

    /** One may die without a pause, another leave; more would only be more streams for every alpha. */
    private static final int STREAMS = 3;

    /** The first of the doubling delays between attempts at one address. */
    private static final Duration RECONNECT_DELAY = Duration.ofMillis(200);

    /** A connection that lasted so long was a good one: the next attempt is again the first. */
    private static final Duration LASTED = Duration.ofSeconds(10);

    /** Names are asked for again while a stream is missing, no more often than this. */
    private static final Duration RESOLVE_AGAIN = Duration.ofSeconds(5);

    /** An alpha that restarts is back by then. */
    private static final Duration GRACE_MAX = Duration.ofSeconds(30);

    /** The grace where no other alpha is left: behind a load balancer the next one is already there, and callers wait. */
    private static final Duration GRACE_MAX_ALONE = Duration.ofSeconds(1);

    private final ClientLoop loop;
    private final AlphaClientSettings settings;
    private final Supplier<Hello> hello;
    private final Inputs inputs;
    private final RunningCallbacks callbacks;
    private final Clock clock;
    private final Resolver resolver;
    private final AlphaChannels channels;

    private final Map<InetSocketAddress, Endpoint> endpoints = new LinkedHashMap<>();
    private final Map<AlphaAddress, Endpoint> unresolved = new LinkedHashMap<>();
    private final Set<AlphaStream> streams = new LinkedHashSet<>();
    private final SeenMarks seen = new SeenMarks();
    private @Nullable ScheduledFuture<?> maintenance;
    private long resolvedAt;
    private boolean resolving;
    private boolean draining;
    private boolean closed;
    private @Nullable Runnable whenNone;
    private volatile List<AlphaStatus> status = List.of();

    AlphaConnections(
            ClientLoop loop,
            AlphaClientSettings settings,
            Supplier<Hello> hello,
            Inputs inputs,
            RunningCallbacks callbacks,
            Resolver resolver,
            AlphaChannels channels,
            Clock clock) {
        this.loop = loop;
        this.settings = settings;
        this.hello = hello;
        this.inputs = inputs;
        this.callbacks = callbacks;
        this.clock = clock;
        this.resolver = resolver;
        this.channels = channels;
    }

    List<AlphaStatus> status() {
        return status;
    }

    // ---- names

    void resolve() {
        if (resolving || closed) return;
        resolving = true;
        resolver.resolve(answers -> loop.execute(() -> resolved(answers)));
    }

    private void resolved(List<Resolver.Answer> answers) {
        resolving = false;
        resolvedAt = System.nanoTime();
        if (closed) return;
        for (Resolver.Answer answer : answers) {
            if (answer.sockets().isEmpty()) {
                unresolved(answer);
            } else {
                unresolved.remove(answer.address());
                answer.sockets()
                        .forEach(socket -> endpoints.computeIfAbsent(
                                socket, s -> new Endpoint(answer.address(), s, resolvedAt, clock.instant())));
                forget(answer);
            }
        }
        maintain();
    }

    /** A name server that is away for a while takes no endpoint away. */
    private void unresolved(Resolver.Answer answer) {
        boolean known = endpoints.values().stream().anyMatch(each -> each.address.equals(answer.address()));
        if (known) return;
        Endpoint missing = unresolved.computeIfAbsent(answer.address(), address -> {
            log.warn("No alpha is found by {}: {}; trying again.", address, answer.error());
            return new Endpoint(address, address.unresolved(), resolvedAt, clock.instant());
        });
        missing.become(State.DISCONNECTED, clock.instant());
        missing.failed(answer.error());
    }

    /** An alpha with a stream stays, whatever is said of it; so does one that is tried now, until that has failed. */
    private void forget(Resolver.Answer answer) {
        for (Endpoint each : List.copyOf(endpoints.values())) {
            if (!each.address.equals(answer.address())) continue;
            each.listed = answer.sockets().contains(each.socket);
            if (!each.listed && each.stream == null) endpoints.remove(each.socket);
        }
    }

    // ---- streams

    /** Sees to it that there are as many streams as wanted, now or as soon as an address may be tried again. */
    private void maintain() {
        if (closed) return;
        if (maintenance != null) maintenance.cancel(false);
        long now = System.nanoTime();
        long missing = Math.min(STREAMS, endpoints.size())
                - endpoints.values().stream()
                        .filter(each -> each.stream != null)
                        .count();
        List<Endpoint> idle = candidates();
        long wait = RESOLVE_AGAIN.toNanos();
        Hello introduction = hello.get().toBuilder().addAllSeen(seen.all()).build();
        for (Endpoint each : idle) {
            if (missing <= 0) break;
            long early = each.notBefore - now;
            if (early <= 0) {
                connect(each, introduction);
                missing--;
            } else {
                wait = Math.min(wait, early);
            }
        }
        // A name may have got another alpha although none is missing.
        boolean complete = missing <= 0 && unresolved.isEmpty();
        long again = complete ? resolver.again().toNanos() : RESOLVE_AGAIN.toNanos();
        if (now - resolvedAt >= again) resolve();
        maintenance = loop.schedule(Duration.ofNanos(complete ? again : wait), this::maintain);
        publish();
    }

    /** Those without a stream, in random order but the least failing first: a fleet of services spreads over the alphas. */
    private List<Endpoint> candidates() {
        List<Endpoint> idle = new ArrayList<>(
                endpoints.values().stream().filter(each -> each.stream == null).toList());
        Collections.shuffle(idle, ThreadLocalRandom.current());
        idle.sort(Comparator.comparingInt(each -> each.failures));
        return idle;
    }

    private void connect(Endpoint endpoint, Hello introduction) {
        endpoint.become(State.CONNECTING, clock.instant());
        Supplier<AlphaTls> encryption = settings.tls();
        AlphaTls tls = encryption == null ? null : encryption.get();
        AlphaStream stream = new AlphaStream(
                loop,
                this,
                inputs,
                callbacks,
                endpoint,
                channels.open(
                        AlphaAddress.nameless(endpoint.socket),
                        endpoint.address.authority(endpoint.socket),
                        introduction.getVersion()),
                tls);
        endpoint.stream = stream;
        streams.add(stream);
        stream.open(introduction);
        if (draining) stream.drain();
        loop.after(settings.connectTimeout(), () -> {
            if (!stream.isWelcomed()) stream.abandon("no welcome within " + settings.connectTimeout());
        });
    }

    void welcomed(AlphaStream stream, Welcome welcome) {
        if (stream.endpoint.stream != stream) return;
        stream.endpoint.connected(welcome.getNode(), welcome.getVersion(), clock.instant());
        log.info(
                "Connected to alpha {}, node {}, version {}.",
                stream.endpoint.label(),
                welcome.getNode(),
                welcome.getVersion());
        use();
    }

    /** Of those that are heard on the loop, and of those that were remembered, on any thread. */
    SeenMarks seen() {
        return seen;
    }

    void goAway(AlphaStream stream, GoAway goAway) {
        Endpoint endpoint = stream.endpoint;
        if (endpoint.stream == stream) {
            endpoint.stream = null;
            endpoint.become(State.LEAVING, clock.instant());
            endpoint.failed("alpha said: " + goAway.getReason());
            log.info("Alpha {} takes no new inputs: {}.", endpoint.label(), goAway.getReason());
        }
        use();
        Duration max = usable().isEmpty() ? GRACE_MAX_ALONE : GRACE_MAX;
        Duration asked = Duration.ofMillis(goAway.getReconnectAfterMillis());
        long grace = (asked.compareTo(max) < 0 ? asked : max).toNanos();
        endpoint.notBefore = System.nanoTime() + grace + jitter(RECONNECT_DELAY.toNanos());
        inputs.giveBack(stream.takeBack(false));
        stream.leave();
        maintain();
    }

    /**
     * @param asAgreed whether it ended because it was left
     * @param lasting whether it will be so until somebody changes something, who must hear of it
     */
    void lost(AlphaStream stream, boolean asAgreed, String reason, boolean lasting) {
        streams.remove(stream);
        Endpoint endpoint = stream.endpoint;
        if (!asAgreed) endpoint.failed(reason);
        if (endpoint.stream == stream) {
            endpoint.stream = null;
            boolean lasted = stream.livedNanos(System.nanoTime()) >= LASTED.toNanos();
            endpoint.failures = lasted ? 0 : endpoint.failures + 1;
            endpoint.notBefore = System.nanoTime() + jitter(delayAfter(endpoint.failures));
            boolean first = stream.isWelcomed() || endpoint.failures == 1;
            if (!closed && (first || lasting) && (endpoint.isNews(reason) || first)) {
                log.warn("No connection to alpha {}: {}; connecting again.", endpoint.label(), reason);
            }
            endpoint.become(State.DISCONNECTED, clock.instant());
            if (!endpoint.listed && !stream.isWelcomed()) endpoints.remove(endpoint.socket);
            use();
        }
        publish();
        maintain();
        checkNone();
    }

    private long delayAfter(int failures) {
        long max = settings.reconnectDelayMax().toNanos();
        long delay = RECONNECT_DELAY.toNanos();
        for (int i = 1; i < failures && delay < max; i++) delay *= 2;
        return Math.min(delay, max);
    }

    /** Full jitter: what was lost at one moment does not come back at one moment. */
    private static long jitter(long nanos) {
        return ThreadLocalRandom.current().nextLong(nanos) + 1;
    }

    private List<AlphaStream> usable() {
        List<AlphaStream> usable = new ArrayList<>();
        for (Endpoint each : endpoints.values()) {
            if (each.stream != null && each.stream.isWelcomed()) usable.add(each.stream);
        }
        return usable;
    }

    private void use() {
        publish();
        inputs.use(usable());
    }

    /** Sends the answer of a callback whose own stream has ended; without any, alpha asks again. */
    void sendElsewhere(CallbackResult result) {
        Optional<AlphaStream> any = usable().stream().findFirst();
        any.ifPresent(stream -> stream.send(result));
    }

    private void publish() {
        status = all().stream().map(Endpoint::status).toList();
    }

    private Collection<Endpoint> all() {
        Collection<Endpoint> all = new ArrayList<>(endpoints.values());
        all.addAll(unresolved.values());
        return all;
    }

    /** How each connection stands, and what is under way on it. */
    List<AlphaTraffic> traffic() {
        return all().stream().map(this::traffic).toList();
    }

    private AlphaTraffic traffic(Endpoint endpoint) {
        int unanswered = 0;
        int running = 0;
        for (AlphaStream each : streams) {
            if (each.endpoint != endpoint) continue;
            unanswered += each.unanswered();
            running += each.callbacksRunning();
        }
        return new AlphaTraffic(endpoint.status(), endpoint.version(), unanswered, running);
    }

    // ---- the end

    void drain() {
        draining = true;
        streams.forEach(AlphaStream::drain);
    }

    /** Closes the streams, politely, and runs the task when they are closed, perhaps at once. */
    void close(Runnable none) {
        closed = true;
        if (maintenance != null) maintenance.cancel(false);
        inputs.use(List.of());
        whenNone = none;
        List.copyOf(streams).forEach(AlphaStream::halfClose);
        checkNone();
    }

    private void checkNone() {
        if (whenNone != null && streams.isEmpty()) whenNone.run();
    }

    void closeNow() {
        List.copyOf(streams).forEach(each -> each.abandon("closed"));
        resolver.close();
    }
}
