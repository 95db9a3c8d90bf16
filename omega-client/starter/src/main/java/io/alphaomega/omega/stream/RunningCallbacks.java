package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callbacks that alpha asked for and that are not answered yet. They run on threads of their own, one run of a
 * branch's callback at a time: a further attempt waits for the run under way and gets its answer, so that one which hangs
 * keeps one thread however often alpha asks again.
 *
 * <p>What there is no room for is answered busy, at once or when half of its time has passed in vain: that counts as
 * nothing, and alpha asks again.
 */
public final class RunningCallbacks {
    private static final Logger log = LoggerFactory.getLogger(AlphaClient.class);

    /** Callbacks that wait for a thread; with two payloads of 64 KiB each that is 32 MiB. */
    private static final int QUEUED = 256;

    /** What alpha is told to have under way here for each thread: more would only wait, and its time pass. */
    private static final int PER_THREAD = 8;

    /** Where alpha states none. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private static final long THREAD_IDLE_SECONDS = 30;

    /** Alpha keeps no more of a reason. */
    private static final int CAUSE_CHARS = 512;

    private static final CallbackResult BUSY = CallbackResult.newBuilder()
            .setFailure(CallbackFailure.newBuilder().setCode(CallbackFailure.Code.BUSY))
            .build();

    private final ClientLoop loop;
    private final CallbackHandler handler;
    private final ThreadPoolExecutor workers;
    private final Map<Key, Asked> asked = new HashMap<>();
    private volatile boolean draining;
    private @Nullable Runnable whenNone;

    RunningCallbacks(ClientLoop loop, CallbackHandler handler, int threads) {
        this.loop = loop;
        this.handler = handler;
        workers = new ThreadPoolExecutor(
                threads,
                threads,
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUED),
                DaemonThreads.named("omega-callback"));
        workers.allowCoreThreadTimeOut(true);
    }

    /** How many callbacks alpha is asked to have under way here at most, over all streams. */
    int capacity() {
        int threads = workers.getMaximumPoolSize();
        return Math.min(PER_THREAD * threads, threads + QUEUED);
    }

    /** What only one run at a time is for. */
    private record Key(String saga, String branch, CallbackKind kind) {
        static Key of(Callback callback) {
            return new Key(callback.getSaga(), callback.getBranch(), callback.getKind());
        }
    }

    /** A callback that waits or runs, and its newest attempt; the loop's, but for what its thread reads. */
    private final class Asked implements Runnable {
        volatile Callback newest;
        AlphaStream from;
        private @Nullable ScheduledFuture<?> late;

        Asked(Callback callback, AlphaStream from) {
            this.newest = callback;
            this.from = from;
        }

        @Override
        public void run() {
            if (draining) {
                loop.execute(() -> end(this, null)); // Alpha asks another instance when this stream ends.
                return;
            }
            CallbackResult result = handle(newest);
            loop.execute(() -> end(this, result));
        }

        /** What is to happen when its time has passed; null for nothing any more. */
        void whenLate(@Nullable ScheduledFuture<?> task) {
            if (late != null) late.cancel(false);
            late = task;
        }
    }

    void asked(AlphaStream from, Callback callback) {
        if (draining) return; // Alpha asks another instance when this stream ends.

        Asked before = asked.get(Key.of(callback));
        if (before != null) {
            if (callback.getAttempt() < before.newest.getAttempt()) return; // Alpha has given it up.
            before.from.callbackEnded();
            before.newest = callback;
            before.from = from;
            from.callbackBegan();
            patience(before);
            return;
        }
        Asked one = new Asked(callback, from);
        try {
            workers.execute(one);
        } catch (RejectedExecutionException full) {
            from.send(answer(callback, BUSY));
            return;
        }
        asked.put(Key.of(callback), one);
        from.callbackBegan();
        patience(one);
    }

    /** Half of the time to wait for a thread, so that whoever is asked next has time, too. */
    private void patience(Asked one) {
        long millis = one.newest.getAnswerWithinMillis();
        Duration within = millis > 0 ? Duration.ofMillis(millis) : ANSWER_WITHIN;
        Duration half = within.dividedBy(2);
        one.whenLate(loop.schedule(half, () -> {
            if (workers.remove(one)) end(one, BUSY);
            else one.whenLate(loop.schedule(within.minus(half), () -> warn(one, within)));
        }));
    }

    /** Nothing ends it: what is interrupted each time never succeeds, what is only slow is found done the next time. */
    private void warn(Asked one, Duration within) {
        log.warn(
                "{} has not ended within the {} that alpha waits; alpha asks again, and gets the"
                        + " answer when it has. Until it ends it keeps one of {} threads (omega.callback.threads) from other"
                        + " callbacks.",
                CallbackLog.describe(one.newest),
                within,
                workers.getMaximumPoolSize());
    }

    private CallbackResult handle(Callback callback) {
        try {
            return handler.handle(callback);
        } catch (Throwable e) { // Also an error of the business's: alpha must not wait in vain.
            CallbackLog.threw(log, callback, e);
            return failed(e.toString());
        }
    }

    private void end(Asked one, @Nullable CallbackResult result) {
        asked.remove(Key.of(one.newest));
        one.whenLate(null);
        if (result != null) one.from.send(answer(one.newest, result));
        one.from.callbackEnded();
        checkNone();
    }

    private static CallbackResult failed(String cause) {
        String text = cause.length() > CAUSE_CHARS ? cause.substring(0, CAUSE_CHARS) : cause;
        return CallbackResult.newBuilder()
                .setFailure(CallbackFailure.newBuilder()
                        .setCode(CallbackFailure.Code.THREW)
                        .setCause(text))
                .build();
    }

    private static CallbackResult answer(Callback callback, CallbackResult result) {
        return result.toBuilder()
                .setSaga(callback.getSaga())
                .setBranch(callback.getBranch())
                .setKindValue(callback.getKindValue()) // Also one that only a newer alpha knows.
                .setAttempt(callback.getAttempt())
                .build();
    }

    /** Starts none any more, and runs the task once none is running. */
    void drain(Runnable none) {
        draining = true;
        whenNone = none;
        checkNone();
    }

    boolean isEmpty() {
        return asked.isEmpty();
    }

    private void checkNone() {
        if (whenNone != null && asked.isEmpty()) whenNone.run();
    }

    /** Interrupts what still runs: its transaction rolls back, and alpha asks again. */
    void close() {
        workers.shutdownNow();
    }
}
