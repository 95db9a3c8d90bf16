package io.alphaomega.server.repository;

import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the store is there, as far as this node knows, so that during an outage nobody waits for a driver's timeout
 * just to learn what is known already.
 *
 * <p>An append that failed begins an outage; a read that failed begins one if the store's own check says so too. Then
 * one thread asks the store at a pace. Once it says that it is up, one batch at a time is let through, and the first
 * that is stored ends the outage: a store that answers but cannot write is still away. Only what was not sent is refused
 * here, so a refusal means that nothing is stored.
 */
final class StoreAvailability {
    /** What is known of the store. */
    private enum State {
        SERVING,
        AWAY,
        /** It says that it is up; one append at a time finds out. */
        TRYING
    }

    private static final Duration PAUSE_MIN = Duration.ofMillis(100);

    /** Alpha serves within 10 s of the store's return: this pause, a caller's, and what a driver needs to connect. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

    private static final Duration RETRY_AFTER_MIN = Duration.ofSeconds(1);
    private static final Duration RETRY_AFTER_MAX = Duration.ofSeconds(3);

    /** Longer than it takes to ask a store that answers. */
    private static final Duration BLIP = Duration.ofMillis(500);

    /** If nobody wants to append, the store is believed. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    /** People may look at sagas in a store that takes no writes; one that hangs shall not hold many of them. */
    private static final int READS_WHILE_AWAY = 4;

    /** A store whose check is fine and whose reads fail is not checked more often than this, nor is a blip logged. */
    private static final Duration SUSPECT_EVERY = Duration.ofSeconds(1);

    private static final Duration BLIP_LOGGED_EVERY = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(StoreAvailability.class);

    private final Supplier<Health> check;
    private final Semaphore readsWhileAway = new Semaphore(READS_WHILE_AWAY);
    private final LongAdder refusedBegins = new LongAdder();
    private final LongAdder refusedAppends = new LongAdder();
    private final LongAdder failedAppends = new LongAdder();
    private final LongAdder outages = new LongAdder();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile State state = State.SERVING;
    private volatile @Nullable Outage outage;

    /** When it last stored something, at the earliest when this node came. */
    private volatile long storedAt = System.nanoTime();

    /** From here on guarded by the lock. */
    private boolean trying;

    private boolean probing;
    private boolean closed;
    private long suspectedAt = System.nanoTime() - SUSPECT_EVERY.toNanos();
    private long blipLoggedAt = System.nanoTime() - BLIP_LOGGED_EVERY.toNanos();

    /** What an outage began with; {@code certain} once it is more than appends that failed at the same moment. */
    private record Outage(
            long since, String reason, boolean certain, long refusedBegins, long refusedAppends, long failedAppends) {
        Outage certainlyBecauseOf(String newReason) {
            return new Outage(since, newReason, true, refusedBegins, refusedAppends, failedAppends);
        }
    }

    /** @param check asks the store, for a bounded time */
    StoreAvailability(Supplier<Health> check) {
        this.check = check;
    }

    // ---- for those who ask

    /** Whether the store is known to be away; a failure that may be over at once, such as a deadlock, does not count. */
    boolean isAway() {
        Outage now = outage;
        if (now == null) return false;
        return switch (state) {
            case SERVING -> false;
            case AWAY -> now.certain() || awayFor().compareTo(BLIP) > 0;
            // What is tried may hang.
            case TRYING -> now.certain();
        };
    }

    /** What an append is told that was not sent; counts it. */
    RepositoryBusyException refuse(boolean begin) {
        (begin ? refusedBegins : refusedAppends).increment();
        Outage now = outage;
        if (now != null && !now.certain()) certainly(now);
        long millis = awayFor().toMillis();
        return new RepositoryBusyException(
                sentence() + " Nothing was stored, send it again.",
                Duration.ofMillis(Math.clamp(millis, RETRY_AFTER_MIN.toMillis(), RETRY_AFTER_MAX.toMillis())));
    }

    /** Reads, or refuses to while the store is away and others try already. */
    <T> T read(Supplier<T> question) {
        if (!isAway()) return asked(question);
        if (!readsWhileAway.tryAcquire()) throw new RepositoryUnavailableException(sentence() + " It was not asked.");
        try {
            return asked(question);
        } finally {
            readsWhileAway.release();
        }
    }

    private <T> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (RepositoryUnavailableException e) {
            suspect();
            throw e;
        }
    }

    Health check() {
        if (isAway()) return new Health.Down(sentence());
        Health health = check.get();
        if (health instanceof Health.Down(String reason)) away(reason, true);
        return health;
    }

    private String sentence() {
        Outage now = outage;
        return now == null
                ? "The store is away."
                : "The store has been away for %s: %s%s"
                        .formatted(text(awayFor()), now.reason(), now.reason().endsWith(".") ? "" : ".");
    }

    // ---- for those who append

    /** Whether everybody may write. */
    boolean isServing() {
        return state == State.SERVING;
    }

    /** Whether a lane may write now; waits {@code within} that time for its turn. Whoever may says how it went. */
    boolean awaitTurn(Duration within) {
        if (state == State.SERVING) return true;
        lock.lock();
        try {
            long nanos = within.toNanos();
            while (state != State.SERVING && !closed) {
                if (state == State.TRYING && !trying) {
                    trying = true;
                    return true;
                }
                if (nanos <= 0) return false;
                nanos = changed.awaitNanos(nanos);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            lock.unlock();
        }
    }

    void stored() {
        storedAt = System.nanoTime();
        if (state == State.SERVING) return;
        lock.lock();
        try {
            back();
        } finally {
            lock.unlock();
        }
    }

    /** So many appends were sent, and nobody knows whether they are stored. */
    void failed(int appends, Throwable failure) {
        away(String.valueOf(failure.getMessage()), false);
        failedAppends.add(appends);
    }

    /** So many appends failed, and not because the store said so: it is asked how it is. */
    void failedForAnotherReason(int appends) {
        failedAppends.add(appends);
        lock.lock();
        try {
            trying = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        suspect();
    }

    // ---- what becomes of the outage

    private void away(String reason, boolean surely) {
        lock.lock();
        try {
            if (closed) return;
            boolean certain = surely || state == State.TRYING;
            Outage known = outage;
            if (known == null) {
                outages.increment();
                known = new Outage(
                        System.nanoTime(),
                        reason,
                        false,
                        refusedBegins.sum(),
                        refusedAppends.sum(),
                        failedAppends.sum());
            }
            if (certain && !known.certain()) {
                LOG.warn(
                        "The store is away, so new sagas are refused and running ones wait until it is back: {}",
                        reason);
            }
            outage = certain ? known.certainlyBecauseOf(reason) : known;
            state = State.AWAY;
            trying = false;
            changed.signalAll();
            startProbe();
        } finally {
            lock.unlock();
        }
    }

    private void certainly(Outage seen) {
        lock.lock();
        try {
            if (seen.equals(outage) && state == State.AWAY) away(seen.reason(), true);
        } finally {
            lock.unlock();
        }
    }

    private void back() {
        state = State.SERVING;
        trying = false;
        Outage over = outage;
        outage = null;
        changed.signalAll();
        if (over == null) return;
        long failed = failedAppends.sum() - over.failedAppends();
        String lasted = text(Duration.ofNanos(System.nanoTime() - over.since()));
        if (over.certain()) {
            LOG.info(
                    "The store is back after {}. Refused meanwhile: {} new sagas, {} appends of running ones;"
                            + " {} appends failed, their sagas are loaded again.",
                    lasted,
                    refusedBegins.sum() - over.refusedBegins(),
                    refusedAppends.sum() - over.refusedAppends(),
                    failed);
        } else if (System.nanoTime() - blipLoggedAt > BLIP_LOGGED_EVERY.toNanos()) {
            blipLoggedAt = System.nanoTime();
            LOG.warn(
                    "The store failed to append and serves again after {}; the sagas concerned are loaded again: {}",
                    lasted,
                    over.reason());
        }
    }

    private void suspect() {
        if (state != State.SERVING) return;
        lock.lock();
        try {
            if (System.nanoTime() - suspectedAt < SUSPECT_EVERY.toNanos()) return;
            suspectedAt = System.nanoTime();
            startProbe();
        } finally {
            lock.unlock();
        }
    }

    // ---- the thread that asks

    private void startProbe() {
        if (probing || closed) return;
        // A platform thread, because drivers of embedded stores block in native code.
        Thread.ofPlatform().daemon().name("alpha-store-probe").start(this::probe);
        probing = true; // Now: of a thread that could not be started nobody must expect anything.
    }

    private void probe() {
        Duration pause = PAUSE_MIN;
        while (!found(ask(), pause)) {
            pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) > 0 ? PAUSE_MAX : pause.multipliedBy(2);
        }
    }

    private Health ask() {
        try {
            return check.get();
        } catch (Throwable e) { // Whatever it is: this thread must go on, or nobody learns that the store is back.
            return new Health.Down(String.valueOf(e));
        }
    }

    /** Whether the asking is over; else after the pause. */
    private boolean found(Health health, Duration pause) {
        lock.lock();
        try {
            switch (health) {
                case Health.Down(String reason) -> away(reason, true);
                case Health.Up() -> trial();
            }
            long nanos = pause.toNanos();
            while (state == State.AWAY && !closed && nanos > 0) nanos = changed.awaitNanos(nanos);
            probing = state == State.AWAY && !closed;
            return !probing;
        } catch (InterruptedException e) { // By nobody.
            probing = false;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void trial() throws InterruptedException {
        if (state != State.AWAY) return;
        state = State.TRYING;
        changed.signalAll();
        long quiet = QUIET.toNanos();
        while (state == State.TRYING && !closed && (trying || quiet > 0)) {
            if (trying) changed.await(); // For no longer than an append may take.
            else quiet = changed.awaitNanos(quiet);
        }
        if (state == State.TRYING && !closed) back();
    }

    /** Lanes write what is left whether the store is there or not. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- figures

    /** Zero while it serves. */
    Duration awayFor() {
        Outage now = outage;
        return now == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - now.since());
    }

    /** How long ago it last stored something for this node; since the node's start if it never has. */
    Duration storedAgo() {
        return Duration.ofNanos(System.nanoTime() - storedAt);
    }

    long refusedBegins() {
        return refusedBegins.sum();
    }

    long refusedAppends() {
        return refusedAppends.sum();
    }

    long outages() {
        return outages.sum();
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis < 10_000 ? millis + " ms" : duration.toSeconds() + " s";
    }
}
