package io.alphaomega.benchmark.load;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.Input;
import io.grpc.ManagedChannel;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a generator, and its streams. Everything happens on that thread, which is its event loop's, so nothing is
 * locked; lanes share nothing that changes.
 */
final class Lane {
    /** So often it looks for sagas that are silent. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** So often it looks for sagas that are due, where the climb or the end of the run is what makes them so. */
    private static final Duration TICK = Duration.ofMillis(5);

    /** Nearer moments are not worth a timer. */
    private static final long TIMER_MIN_NANOS = 100_000;

    /** Without any stream for so long, the run ends. */
    static final Duration ALONE_MAX = Duration.ofSeconds(60);

    private final Crew crew;
    private final int index;
    private final Channels channels;
    private final EventLoop loop;
    private final LiveSagas live;
    private final Continuity continuity;
    private final List<List<Link>> links = new ArrayList<>();
    private final List<ArrayDeque<Pending>> homeless = new ArrayList<>();
    private final List<Link> dirty = new ArrayList<>();
    private final ArrayDeque<Thinking> thinking = new ArrayDeque<>();
    private final long thinkNanos;

    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    private @Nullable Feed feed;
    private @Nullable ScheduledFuture<?> nextBegin;
    private int up;
    private long aloneSince = System.nanoTime();
    private @Nullable String trouble;
    private boolean stopped;
    private boolean pumping;
    private boolean flushing;

    /** A step whose business takes its time; all take equally long, so they are ready in their order. */
    private record Thinking(Pending pending, long until) {}

    Lane(Crew crew, int index, Recorder recorder) {
        this.crew = crew;
        this.index = index;
        this.channels = new Channels(index);
        this.loop = channels.loop();
        this.live = new LiveSagas(this, crew, index, recorder);
        this.thinkNanos = crew.plan().shape().thinkTime().toNanos();
        Plan plan = crew.plan();
        for (int service = 0; service < plan.wiring().services(); service++) {
            homeless.add(new ArrayDeque<>());
            List<Link> ofService = new ArrayList<>();
            for (int i = index; i < plan.wiring().connections(); i += crew.laneCount()) {
                ofService.add(new Link(
                        this,
                        service,
                        crew.serviceName(service),
                        crew.instance(service, i),
                        plan.addresses(),
                        i + service));
            }
            links.add(ofService);
        }
        continuity = new Continuity(links.stream().mapToInt(List::size).sum());
    }

    // ---- for whoever drives it, from any thread

    /** Opens all streams; ends with a sentence if that takes too long. */
    CompletableFuture<Void> connect(Duration within) {
        loop.execute(() -> {
            links.forEach(all -> all.forEach(Link::connect));
            after(within, () -> connected.completeExceptionally(new Load.UnreachableException(troubleOfLinks())));
            ScheduledFuture<?> unused =
                    loop.scheduleAtFixedRate(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
            ScheduledFuture<?> unused2 = loop.scheduleAtFixedRate(
                    this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        });
        return connected;
    }

    /** Begins what the feed has, until it has no more and all of it has left the books. */
    CompletableFuture<Void> work(Feed next) {
        CompletableFuture<Void> finished = new CompletableFuture<>();
        loop.execute(() -> {
            done = finished;
            feed = next;
            pump(System.nanoTime());
        });
        return finished;
    }

    /** Begins nothing further. */
    void stop() {
        loop.execute(() -> {
            stopped = true;
            pump(System.nanoTime());
        });
    }

    /** Looks at what is the thread's own. */
    <T> CompletableFuture<T> ask(Callable<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                answer.complete(question.call());
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    int index() {
        return index;
    }

    LiveSagas sagas() {
        return live;
    }

    /** For its own thread. */
    Continuity continuity() {
        return continuity;
    }

    /** Whether a stream is open; for its own thread. */
    boolean isUp() {
        return up > 0;
    }

    /** Why it gave up, if it did. */
    @Nullable
    String trouble() {
        return trouble;
    }

    void close() {
        loop.execute(() -> {
            feed = null;
            links.forEach(all -> all.forEach(Link::close));
            after(Duration.ofMillis(300), channels::close);
        });
    }

    // ---- on its thread

    void run(Runnable task) {
        if (loop.inEventLoop()) task.run();
        else loop.execute(task);
    }

    void after(Duration delay, Runnable task) {
        ScheduledFuture<?> unused = loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    ManagedChannel channel(String address) {
        return channels.open(address);
    }

    Input input(Pending pending) {
        if (pending.step.kind() == Script.Kind.END_BRANCH) pending.saga.reported.set(pending.step.branch());
        return crew.messages().input(pending.correlation, pending.saga, pending.step);
    }

    int payloadBytes() {
        return crew.messages().payload.size();
    }

    /** Begins what is due, as far as there is room. */
    void pump(long now) {
        Feed from = feed;
        if (from == null || pumping) return;
        pumping = true;
        long due = trouble == null && !stopped ? from.dueAt(now) : Feed.NONE;
        while (due <= now && live.size() < from.limit(now)) {
            live.begin(from.next(now), now);
            due = from.dueAt(now);
        }
        pumping = false;
        if (due == Feed.NONE) {
            if (live.size() == 0) finish();
        } else if (due > now) {
            wake(due - now);
        }
    }

    private void wake(long nanos) {
        if (nanos > TICK.toNanos() || (nextBegin != null && !nextBegin.isDone())) return;
        nextBegin =
                loop.schedule(() -> pump(System.nanoTime()), Math.max(nanos, TIMER_MIN_NANOS), TimeUnit.NANOSECONDS);
    }

    private void finish() {
        feed = null;
        done.complete(null);
    }

    private void tick() {
        long now = System.nanoTime();
        while (!thinking.isEmpty() && thinking.element().until() <= now) {
            send(thinking.remove().pending());
        }
        pump(now);
    }

    private void look() {
        long now = System.nanoTime();
        if (up == 0 && now - aloneSince > ALONE_MAX.toNanos() && trouble == null) {
            trouble = "No stream to any alpha for " + ALONE_MAX.toSeconds() + " s: " + troubleOfLinks();
        }
        live.giveUpSilent(now, trouble != null);
        pump(now);
    }

    /** A step of a saga, now or when its business is done. */
    void hand(Pending pending) {
        if (thinkNanos > 0 && pending.step.kind().comesAfterBusiness()) {
            pending.queuedAt = System.nanoTime() + thinkNanos;
            thinking.add(new Thinking(pending, pending.queuedAt));
        } else {
            send(pending);
        }
    }

    /** Over a stream of the service that has to say it. */
    void send(Pending pending) {
        if (pending.saga.over) return;
        int service = crew.serviceOf(pending.saga.ordinal, pending.step);
        Link link = upLink(service, pending.saga);
        if (link == null) homeless.get(service).add(pending);
        else link.add(pending);
    }

    /** A stream of that service, if it has one to the alpha that has the saga, that one. */
    private @Nullable Link upLink(int service, Saga saga) {
        List<Link> all = links.get(service);
        int first = (int) (saga.ordinal / crew.spread() % all.size());
        Link up = null;
        for (int i = 0; i < all.size(); i++) {
            Link link = all.get((first + i) % all.size());
            if (!link.isUp()) continue;
            if (link.isHome(saga.id)) return link;
            if (up == null) up = link;
        }
        return up;
    }

    void flushSoon(Link link) {
        dirty.add(link);
        if (flushing) return;
        flushing = true;
        loop.execute(() -> {
            flushing = false;
            for (int i = 0; i < dirty.size(); i++) dirty.get(i).flush();
            dirty.clear();
        });
    }

    void answered(Pending pending, Ack ack, long now) {
        live.answered(pending, ack, now);
    }

    void called(Link link, Callback callback) {
        long ordinal = crew.names().ordinal(callback.getSaga());
        link.answer(crew.answer(ordinal, callback));
        Lane owner = ordinal < 0 ? this : crew.laneOf(ordinal);
        owner.run(() -> owner.live.called(ordinal, callback, System.nanoTime()));
    }

    void welcomed(Link link) {
        up++;
        continuity.back(System.nanoTime());
        ArrayDeque<Pending> waiting = homeless.get(link.service);
        while (!waiting.isEmpty()) link.add(waiting.remove());
        if (links.stream().allMatch(all -> all.stream().allMatch(Link::isUp))) connected.complete(null);
    }

    /**
     * @param sentAway whether alpha asked it to go, which is no error
     * @param left what it had not been answered
     */
    void lost(Link link, boolean wasUp, boolean sentAway, List<Pending> left) {
        long now = System.nanoTime();
        if (wasUp) continuity.lost(now, sentAway);
        if (wasUp && --up == 0) aloneSince = now;
        if (wasUp && !sentAway) live.error(now);
        left.forEach(this::send);
    }

    void unavailable(Pending pending, Duration retryAfter) {
        live.error(System.nanoTime());
        after(retryAfter, () -> send(pending));
    }

    private String troubleOfLinks() {
        return links.stream()
                .flatMap(List::stream)
                .filter(link -> !link.isUp())
                .map(Link::trouble)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("no answer from " + String.join(", ", crew.plan().addresses()));
    }
}
