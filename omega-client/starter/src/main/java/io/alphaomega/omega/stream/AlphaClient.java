package io.alphaomega.omega.stream;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.StoreMark;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The conversation of one service instance with its alphas: what happened to sagas goes out, callbacks come in.
 *
 * <p>It keeps streams to up to three of the alphas. An input that is not answered is sent again after a lost
 * connection, to whichever alpha there is; ids make that harmless. The number of unanswered inputs is bounded; calls
 * that begin something leave a quarter of that to what has happened already. The ends of sagas that wait for a decision
 * do not count: what they wait for must find room.
 */
public final class AlphaClient implements AutoCloseable {
    /** For streams to be closed by alpha as well, after everything is answered. */
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final AlphaClientSettings settings;
    private final Supplier<Hello> hello;
    private final String where;
    private final ClientLoop loop;
    private final Inputs inputs;
    private final RunningCallbacks callbacks;
    private final AlphaConnections connections;
    private final InputPermits room;
    private final InputPermits begins;
    private final AtomicLong correlations = new AtomicLong();
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * @param hello what to introduce this instance with; asked at every connect, must not block
     * @param handler runs what alpha asks for
     */
    public AlphaClient(AlphaClientSettings settings, Supplier<Hello> hello, CallbackHandler handler) {
        this(settings, hello, handler, null, new Resolver(settings.addresses()));
    }

    /** @param channels what takes the place of the network */
    public AlphaClient(
            AlphaClientSettings settings, Supplier<Hello> hello, CallbackHandler handler, AlphaChannels channels) {
        this(settings, hello, handler, channels, new Resolver(settings.addresses()));
    }

    /**
     * @param channels what takes the place of the network; null for nothing
     * @param service takes the place of the settings' addresses
     */
    public AlphaClient(
            AlphaClientSettings settings,
            Supplier<Hello> hello,
            CallbackHandler handler,
            @Nullable AlphaChannels channels,
            AlphaService service) {
        this(settings, hello, handler, channels, new Resolver(service));
    }

    AlphaClient(AlphaClientSettings settings, Supplier<Hello> hello, CallbackHandler handler, Resolver resolver) {
        this(settings, hello, handler, null, resolver);
    }

    private AlphaClient(
            AlphaClientSettings settings,
            Supplier<Hello> hello,
            CallbackHandler handler,
            @Nullable AlphaChannels channels,
            Resolver resolver) {
        this.settings = settings;
        this.hello = hello;
        this.where = resolver.toString();
        this.loop = new ClientLoop("omega-alpha", settings.tls());
        this.inputs = new Inputs(loop);
        this.callbacks = new RunningCallbacks(loop, handler, settings.callbackThreads());
        Supplier<Hello> withCapacity =
                () -> hello.get().toBuilder().setCapacity(callbacks.capacity()).build();
        this.connections = new AlphaConnections(
                loop,
                settings,
                withCapacity,
                inputs,
                callbacks,
                resolver,
                channels != null ? channels : loop.channels(),
                Clock.systemUTC());
        this.room = new InputPermits(settings.unansweredInputs());
        this.begins = new InputPermits(settings.unansweredBegins());
    }

    /** Begins to connect, in the background. */
    public void start() {
        Hello unused = hello.get(); // What is wrong with it is better thrown here than on the loop.
        if (started.compareAndSet(false, true)) loop.execute(connections::resolve);
    }

    /** Looks for alphas now, as it does every few seconds anyway: there may be others. */
    public void lookAgain() {
        if (started.get()) loop.execute(connections::resolve);
    }

    /** What this instance introduces itself with. */
    public Hello hello() {
        return hello.get();
    }

    /**
     * Reports the input and waits for alpha's answer, over reconnects if need be. The correlation is filled in. The
     * answer is never {@code unavailable}.
     *
     * @throws AlphaUnavailableException if there is none {@code within} that time; the input is not sent again, but may
     *     have been stored
     * @throws IllegalArgumentException if it is larger than alpha accepts
     */
    public Ack call(Input input, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        PendingInput pending = numbered(input);
        requireOpen(pending);
        if (!pending.isBegin()) return call(pending, within, end);
        awaitRoom(true, pending, within, end);
        try {
            return call(pending, within, end);
        } finally {
            begins.giveBack();
        }
    }

    private Ack call(PendingInput pending, Duration within, long end) {
        takePlace(pending, within, end);
        submit(pending);
        try {
            return pending.answer().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return giveUp(pending, new AlphaUnavailableException(unanswered(pending, within)));
        } catch (InterruptedException e) {
            return giveUp(pending, interrupted(pending, e));
        } catch (ExecutionException e) {
            throw rethrown(e);
        }
    }

    /**
     * Reports the input in the background, over reconnects, until alpha answers. The future fails with
     * {@link AlphaUnavailableException} if there is no answer after {@code keepTrying}; its dependents run on the
     * client's own thread and must not block.
     *
     * @throws AlphaUnavailableException at once if too many inputs are unanswered
     */
    public CompletableFuture<Ack> send(Input input, Duration keepTrying) {
        return send(input, keepTrying, Duration.ZERO);
    }

    /**
     * As {@link #send(Input, Duration)}, but waits while too many inputs are unanswered.
     *
     * @param patience for how long at most
     * @throws AlphaUnavailableException if there are too many still
     */
    public CompletableFuture<Ack> send(Input input, Duration keepTrying, Duration patience) {
        PendingInput pending = numbered(input);
        requireOpen(pending);
        takePlace(pending, patience, System.nanoTime() + patience.toNanos());
        pending.expireAfter(keepTrying, () -> {
            AlphaUnavailableException reason = new AlphaUnavailableException(unanswered(pending, keepTrying));
            if (pending.fail(reason)) inputs.withdraw(pending);
        });
        submit(pending);
        return pending.answer().copy(); // Whoever cancels that does not take the place of the answer.
    }

    /**
     * As {@link #call}, but no thread waits, for room neither. The future fails with {@link AlphaUnavailableException} if
     * there is no answer {@code within} that time; its dependents run on the client's own thread and must not block. Who
     * cancels it takes the input back, which may have been stored.
     */
    public CompletableFuture<Ack> ask(Input input, Duration within) {
        return ask(input, within, within);
    }

    /**
     * As {@link #ask(Input, Duration)}, but does not wait for room all that time while too many inputs are unanswered.
     *
     * @param patience for how long at most
     */
    public CompletableFuture<Ack> ask(Input input, Duration within, Duration patience) {
        PendingInput pending = numbered(input);
        long end = System.nanoTime() + within.toNanos();
        CompletableFuture<Ack> answer = new CompletableFuture<>();
        try {
            requireOpen(pending);
        } catch (AlphaUnavailableException e) {
            return CompletableFuture.failedFuture(e);
        }
        long leave = System.nanoTime() + patience.toNanos();
        if (!pending.isBegin()) {
            enter(pending, answer, within, end, patience, leave);
            return answer;
        }
        CompletableFuture<Void> unused = begins.takeLater(patience, loop).thenAccept(taken -> {
            if (!taken) {
                answer.completeExceptionally(tooMany(true, pending, patience));
                return;
            }
            CompletableFuture<Ack> unusedToo = answer.whenComplete((ack, failure) -> begins.giveBack());
            enter(pending, answer, within, end, patience, leave);
        });
        return answer;
    }

    private void enter(
            PendingInput pending,
            CompletableFuture<Ack> answer,
            Duration within,
            long end,
            Duration patience,
            long leave) {
        CompletableFuture<Boolean> place = pending.isPatient()
                ? CompletableFuture.completedFuture(true)
                : room.takeLater(Duration.ofNanos(Math.max(0, leave - System.nanoTime())), loop);
        CompletableFuture<Void> unused = place.thenAccept(taken -> {
            if (taken) submit(pending, answer, within, end);
            else answer.completeExceptionally(tooMany(false, pending, patience));
        });
    }

    private void submit(PendingInput pending, CompletableFuture<Ack> answer, Duration within, long end) {
        pending.expireAfter(Duration.ofNanos(Math.max(0, end - System.nanoTime())), () -> {
            if (pending.fail(new AlphaUnavailableException(unanswered(pending, within)))) inputs.withdraw(pending);
        });
        CompletableFuture<Ack> unused = pending.answer().whenComplete((ack, failure) -> {
            if (failure == null) answer.complete(ack);
            else answer.completeExceptionally(failure);
        });
        CompletableFuture<Ack> unusedToo = answer.whenComplete((ack, failure) -> {
            if (answer.isCancelled()
                    && pending.fail(new AlphaUnavailableException("The " + pending + " was taken back."))) {
                loop.execute(() -> inputs.withdraw(pending));
            }
        });
        submit(pending);
    }

    /** Whether half of the room for unanswered inputs is taken: what alpha can do without should not be sent now. */
    public boolean isCrowded() {
        return room.free() <= settings.unansweredInputs() / 2;
    }

    private void takePlace(PendingInput pending, Duration patience, long end) {
        if (!pending.isPatient() && !room.take()) awaitRoom(false, pending, patience, end);
    }

    private void awaitRoom(boolean amongBegins, PendingInput pending, Duration patience, long end) {
        try {
            InputPermits places = amongBegins ? begins : room;
            if (places.take(end - System.nanoTime())) return;
        } catch (InterruptedException e) {
            throw interrupted(pending, e);
        }
        throw tooMany(amongBegins, pending, patience);
    }

    private AlphaUnavailableException tooMany(boolean amongBegins, PendingInput pending, Duration patience) {
        if (closed) return closedWhile(pending);
        String unanswered = amongBegins
                ? settings.unansweredBegins() + " begins are unanswered, three quarters of all inputs"
                : settings.unansweredInputs() + " inputs are unanswered";
        return new AlphaUnavailableException(
                "The " + pending + " is one too many: " + unanswered + " (omega.alpha.unanswered-inputs), and "
                        + (patience.isZero() ? "it is refused. " : "none was answered within " + patience + ". ")
                        + standing());
    }

    private static AlphaUnavailableException interrupted(PendingInput pending, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AlphaUnavailableException("Interrupted while waiting for alpha's answer to the " + pending, e);
    }

    private PendingInput numbered(Input input) {
        return new PendingInput(
                input.toBuilder().setCorrelation(correlations.incrementAndGet()).build(), room);
    }

    private void requireOpen(PendingInput pending) {
        if (closed || !started.get()) {
            throw new AlphaUnavailableException("The " + pending + " is not sent: the client of alpha "
                    + (closed ? "is closed." : "is not started."));
        }
    }

    private void submit(PendingInput pending) {
        inputs.submit(pending);
        if (closed) pending.fail(closedWhile(pending));
    }

    /** An answer that came at the last moment counts. */
    private Ack giveUp(PendingInput pending, AlphaUnavailableException reason) {
        if (!pending.fail(reason)) return pending.answer().join();
        loop.execute(() -> inputs.withdraw(pending));
        throw reason;
    }

    /** With the caller's stack, beside the loop's. */
    private static RuntimeException rethrown(ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof AlphaUnavailableException) {
            return new AlphaUnavailableException(String.valueOf(cause.getMessage()), cause);
        }
        return cause instanceof IllegalArgumentException
                ? new IllegalArgumentException(cause.getMessage(), cause)
                : new IllegalStateException(e);
    }

    private String unanswered(PendingInput pending, Duration within) {
        return "Alpha did not answer the " + pending + " within " + within + "; it is not sent again. " + standing();
    }

    private static AlphaUnavailableException closedWhile(PendingInput pending) {
        return new AlphaUnavailableException(
                "Alpha did not answer the " + pending + " before this service stopped; it is not sent again.");
    }

    /** How the connections stand, in a sentence. */
    private String standing() {
        List<AlphaStatus> all = status();
        if (all.isEmpty()) return "Not connected yet: " + where + ".";
        return all.stream().map(AlphaStatus::toString).collect(Collectors.joining("; ", "", "."));
    }

    /** Whether nothing is sent any more. */
    public boolean isClosed() {
        return closed;
    }

    /** How far alpha's store had come by what this instance was told, and by what it remembers: the last mark of each run. */
    public List<StoreMark> seen() {
        return connections.seen().all();
    }

    /** Takes what was {@link #seen} before, by this instance or by others; each further stream gives it back to alpha. */
    public void remember(List<StoreMark> seen) {
        seen.forEach(connections.seen()::heard);
    }

    /** How each connection stands. */
    public List<AlphaStatus> status() {
        return connections.status();
    }

    /** What is under way at one moment; completed on the client's own thread, whose dependents must not block. */
    public CompletableFuture<AlphaSnapshot> snapshot() {
        CompletableFuture<AlphaSnapshot> snapshot = new CompletableFuture<>();
        boolean open = loop.execute(() -> snapshot.complete(new AlphaSnapshot(
                connections.traffic(), inputs.count(), inputs.countWaiting(), room.waiting() + begins.waiting())));
        return open ? snapshot : CompletableFuture.completedFuture(new AlphaSnapshot(List.of(), 0, 0, 0));
    }

    /** Takes no new callbacks, waits for what is under way up to the drain timeout, and disconnects. */
    @Override
    public void close() {
        int unused = close(settings.drainTimeout());
    }

    /**
     * As {@link #close()}, but waits so long.
     *
     * @return how many inputs alpha has not answered
     */
    public int close(Duration drainTimeout) {
        if (!closing.compareAndSet(false, true)) return 0;
        if (started.get()) {
            CountDownLatch drained = new CountDownLatch(1);
            loop.execute(() -> {
                connections.drain();
                Runnable check = () -> {
                    if (callbacks.isEmpty() && inputs.isEmpty()) drained.countDown();
                };
                callbacks.drain(check);
                inputs.whenNone(check);
            });
            await(drained, drainTimeout);
        }
        closed = true;
        room.close();
        begins.close();
        CountDownLatch disconnected = new CountDownLatch(1);
        loop.execute(() -> connections.close(disconnected::countDown));
        await(disconnected, GOODBYE);

        AtomicInteger left = new AtomicInteger();
        CountDownLatch ended = new CountDownLatch(1);
        loop.execute(() -> {
            connections.closeNow();
            left.set(inputs.failAll(AlphaClient::closedWhile));
            ended.countDown();
        });
        await(ended, GOODBYE);
        callbacks.close();
        loop.close();
        return left.get();
    }

    private static void await(CountDownLatch latch, Duration limit) {
        try {
            latch.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Go on closing, without waiting.
        }
    }
}
