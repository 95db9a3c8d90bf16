package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.LoadPlan;
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
final class LoadLane {
    /** So often it looks for sagas that are silent. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** So often it looks for sagas that are due, where the climb or the end of the run is what makes them so. */
    private static final Duration TICK = Duration.ofMillis(5);

    /** Nearer moments are not worth a timer. */
    private static final long TIMER_MIN_NANOS = 100_000;

    /** Without any stream for so long, the run ends. */
    static final Duration ALONE_MAX = Duration.ofSeconds(60);

    private final LoadAssignment crew;
    private final int index;
    private final Channels channels;
    private final EventLoop loop;
    private final LiveSagas live;
    private final Continuity continuity;
    private final List<List<SimulatedOmega>> omegas = new ArrayList<>();
    private final List<ArrayDeque<UnacknowledgedInput>> homeless = new ArrayList<>();
    private final List<SimulatedOmega> dirty = new ArrayList<>();
    private final ArrayDeque<Thinking> thinking = new ArrayDeque<>();
    private final long thinkNanos;

    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    private @Nullable SagaFeed feed;
    private @Nullable ScheduledFuture<?> nextBegin;
    private int up;
    private long aloneSince = System.nanoTime();
    private @Nullable String trouble;
    private boolean stopped;
    private boolean pumping;
    private boolean flushing;

    /** A step whose business takes its time; all take equally long, so they are ready in their order. */
    private record Thinking(UnacknowledgedInput pending, long until) {}

    LoadLane(LoadAssignment crew, int index, LaneRecorder recorder) {
        this.crew = crew;
        this.index = index;
        this.channels = new Channels(index);
        this.loop = channels.loop();
        this.live = new LiveSagas(this, crew, index, recorder);
        this.thinkNanos = crew.plan().shape().thinkTime().toNanos();
        LoadPlan plan = crew.plan();
        for (int service = 0; service < plan.wiring().services(); service++) {
            homeless.add(new ArrayDeque<>());
            List<SimulatedOmega> ofService = new ArrayList<>();
            for (int i = index; i < plan.wiring().connections(); i += crew.laneCount()) {
                ofService.add(new SimulatedOmega(
                        this,
                        service,
                        crew.serviceName(service),
                        crew.instance(service, i),
                        plan.addresses(),
                        i + service));
            }
            omegas.add(ofService);
        }
        continuity = new Continuity(omegas.stream().mapToInt(List::size).sum());
    }

    // ---- for whoever drives it, from any thread

    /** Opens all streams; ends with a sentence if that takes too long. */
    CompletableFuture<Void> connect(Duration within) {
        loop.execute(() -> {
            omegas.forEach(all -> all.forEach(SimulatedOmega::connect));
            after(within, () -> connected.completeExceptionally(new Load.UnreachableException(troubleOfLinks())));
            ScheduledFuture<?> unused =
                    loop.scheduleAtFixedRate(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
            ScheduledFuture<?> unused2 = loop.scheduleAtFixedRate(
                    this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        });
        return connected;
    }

    /** Begins what the feed has, until it has no more and all of it has left the books. */
    CompletableFuture<Void> work(SagaFeed next) {
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
            omegas.forEach(all -> all.forEach(SimulatedOmega::close));
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

    Input input(UnacknowledgedInput pending) {
        if (pending.step.ends() >= 0) pending.saga.reported.set(pending.step.ends());
        return crew.messages()
                .input(pending.correlation, pending.saga, pending.step, crew.initiator(pending.saga.ordinal));
    }

    int payloadBytes() {
        return crew.messages().payload.size();
    }

    /** Begins what is due, as far as there is room. */
    void pump(long now) {
        SagaFeed from = feed;
        if (from == null || pumping) return;
        pumping = true;
        long due = trouble == null && !stopped ? from.dueAt(now) : SagaFeed.NONE;
        while (due <= now && live.size() < from.limit(now)) {
            live.begin(from.next(now), now);
            due = from.dueAt(now);
        }
        pumping = false;
        if (due == SagaFeed.NONE) {
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
    void hand(UnacknowledgedInput pending) {
        if (thinkNanos > 0 && pending.step.comesAfterBusiness()) {
            pending.queuedAt = System.nanoTime() + thinkNanos;
            thinking.add(new Thinking(pending, pending.queuedAt));
        } else {
            send(pending);
        }
    }

    /** Over a stream of the service that has to say it. */
    void send(UnacknowledgedInput pending) {
        if (pending.saga.over) return;
        int service = crew.serviceOf(pending.saga.ordinal, pending.step);
        SimulatedOmega omega = upOmega(service, pending.saga);
        if (omega == null) homeless.get(service).add(pending);
        else omega.add(pending);
    }

    /** A stream of that service, if it has one to the alpha that has the saga, that one. */
    private @Nullable SimulatedOmega upOmega(int service, SimulatedSaga saga) {
        List<SimulatedOmega> all = omegas.get(service);
        int first = (int) (saga.ordinal / crew.spread() % all.size());
        SimulatedOmega up = null;
        for (int i = 0; i < all.size(); i++) {
            SimulatedOmega omega = all.get((first + i) % all.size());
            if (!omega.isUp()) continue;
            if (omega.isHome(saga.id)) return omega;
            if (up == null) up = omega;
        }
        return up;
    }

    void flushSoon(SimulatedOmega omega) {
        dirty.add(omega);
        if (flushing) return;
        flushing = true;
        loop.execute(() -> {
            flushing = false;
            for (int i = 0; i < dirty.size(); i++) dirty.get(i).flush();
            dirty.clear();
        });
    }

    void answered(UnacknowledgedInput pending, Ack ack, long now) {
        live.answered(pending, ack, now);
    }

    void called(SimulatedOmega omega, Callback callback) {
        long ordinal = crew.names().ordinal(callback.getSaga());
        omega.answer(crew.answer(ordinal, callback));
        LoadLane owner = ordinal < 0 ? this : crew.laneOf(ordinal);
        owner.run(() -> owner.live.called(ordinal, callback, System.nanoTime()));
    }

    void welcomed(SimulatedOmega omega) {
        up++;
        continuity.back(System.nanoTime());
        ArrayDeque<UnacknowledgedInput> waiting = homeless.get(omega.service);
        while (!waiting.isEmpty()) omega.add(waiting.remove());
        if (omegas.stream().allMatch(all -> all.stream().allMatch(SimulatedOmega::isUp))) connected.complete(null);
    }

    /**
     * @param sentAway whether alpha asked it to go, which is no error
     * @param left what it had not been answered
     */
    void lost(SimulatedOmega omega, boolean wasUp, boolean sentAway, List<UnacknowledgedInput> left) {
        long now = System.nanoTime();
        if (wasUp) continuity.lost(now, sentAway);
        if (wasUp && --up == 0) aloneSince = now;
        if (wasUp && !sentAway) live.error(now);
        left.forEach(this::send);
    }

    void unavailable(UnacknowledgedInput pending, Duration retryAfter) {
        live.error(System.nanoTime());
        after(retryAfter, () -> send(pending));
    }

    private String troubleOfLinks() {
        return omegas.stream()
                .flatMap(List::stream)
                .filter(omega -> !omega.isUp())
                .map(SimulatedOmega::trouble)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("no answer from " + String.join(", ", crew.plan().addresses()));
    }
}
