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

/** The callbacks that alpha asked for and that are not answered yet. They run on threads of their own. */
final class Callbacks {
    private static final Logger log = LoggerFactory.getLogger(AlphaClient.class);

    /** Callbacks that wait for a thread; with two payloads of 64 KiB each that is 32 MiB. */
    private static final int QUEUED = 256;

    /** Where alpha states none. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private static final long THREAD_IDLE_SECONDS = 30;

    /** Alpha keeps no more of a reason. */
    private static final int CAUSE_CHARS = 512;

    private final ClientLoop loop;
    private final CallbackHandler handler;
    private final ThreadPoolExecutor workers;
    private final Map<Key, Asked> asked = new HashMap<>();
    private volatile boolean draining;
    private @Nullable Runnable whenNone;

    Callbacks(ClientLoop loop, CallbackHandler handler, int threads) {
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

    /** One attempt at one callback. */
    private record Key(String saga, String branch, CallbackKind kind, int attempt) {
        static Key of(Callback callback) {
            return new Key(callback.getSaga(), callback.getBranch(), callback.getKind(), callback.getAttempt());
        }
    }

    /** A callback that waits or runs; the loop's, but for its deadline and whether it runs. */
    private static final class Asked {
        final Callback callback;
        AlphaStream from;
        volatile long startBy;
        volatile boolean running;
        private @Nullable ScheduledFuture<?> late;

        Asked(Callback callback, AlphaStream from, long startBy) {
            this.callback = callback;
            this.from = from;
            this.startBy = startBy;
        }

        /** What is to happen when its time has passed; null for nothing any more. */
        void whenLate(@Nullable ScheduledFuture<?> task) {
            if (late != null) late.cancel(false);
            late = task;
        }
    }

    void asked(AlphaStream from, Callback callback) {
        if (draining) return; // Alpha asks another instance when this stream ends.

        Duration within = callback.getAnswerWithinMillis() > 0
                ? Duration.ofMillis(callback.getAnswerWithinMillis())
                : ANSWER_WITHIN;
        long startBy = System.nanoTime() + within.toNanos();
        Key key = Key.of(callback);
        Asked same = asked.get(key);
        if (same != null) {
            same.from.callbackEnded();
            same.from = from;
            same.startBy = startBy;
            same.whenLate(loop.schedule(within, () -> warn(same, within)));
            from.callbackBegan();
            return;
        }
        Asked one = new Asked(callback, from, startBy);
        try {
            workers.execute(() -> run(one));
            asked.put(key, one);
            one.whenLate(loop.schedule(within, () -> warn(one, within)));
            from.callbackBegan();
        } catch (RejectedExecutionException full) {
            from.send(answer(callback, failed("busy: " + QUEUED + " callbacks wait in this instance")));
        }
    }

    private void run(Asked one) {
        if (draining || System.nanoTime() - one.startBy > 0) {
            loop.execute(() -> end(one, null)); // Alpha has given this attempt up, or will ask another instance.
            return;
        }
        one.running = true;
        CallbackResult result = handle(one.callback);
        loop.execute(() -> end(one, answer(one.callback, result)));
    }

    /** Nothing ends it: what is interrupted each time never succeeds, what is only slow is found done the next time. */
    private void warn(Asked one, Duration within) {
        if (!one.running) return;
        log.warn(
                "{} {} of branch {} of saga {} has not ended within the {} that alpha waits; alpha asks again. Until it"
                        + " ends it keeps one of {} threads (omega.callback.threads) from other callbacks.",
                one.callback.getKind(),
                one.callback.getName(),
                one.callback.getBranch(),
                one.callback.getSaga(),
                within,
                workers.getMaximumPoolSize());
    }

    private CallbackResult handle(Callback callback) {
        try {
            return handler.handle(callback);
        } catch (Throwable e) { // Also an error of the business's: alpha must not wait in vain.
            log.warn(
                    "{} {} of branch {} of saga {} threw; alpha is told.",
                    callback.getKind(),
                    callback.getName(),
                    callback.getBranch(),
                    callback.getSaga(),
                    e);
            return failed(e.toString());
        }
    }

    private void end(Asked one, @Nullable CallbackResult result) {
        asked.remove(Key.of(one.callback));
        one.whenLate(null);
        if (result != null) one.from.send(result);
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
                .setKind(callback.getKind())
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
