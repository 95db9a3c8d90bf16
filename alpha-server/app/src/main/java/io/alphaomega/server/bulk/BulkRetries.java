package io.alphaomega.server.bulk;

import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.bulk.BulkStatus.Progress;
import io.alphaomega.server.saga.SagaUnreadableException;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bulk retries that this node knows. Every node is told of each; the one that looks for stuck sagas carries them out.
 * So they survive a node, though not the whole cluster. Safe for many threads.
 */
public final class BulkRetries {
    /** The first are forgotten. */
    static final int KNOWN_MAX = 100;

    /** Of one saga that is refused. */
    private static final int TRIES = 3;

    private static final int EMPTY_LOOKS = 2;

    /** About as often as stuck sagas are looked for. */
    private static final int PASS_SECONDS = 5;

    private static final int UNDER_WAY_MAX = 32;

    /** Longer than a store's worst pause that is not an outage. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(BulkRetries.class);

    private final Sagas sagas;
    private final Executor virtualThreads;
    private final SequencedMap<String, BulkRetry> known = new LinkedHashMap<>();
    private final Map<String, Run> runs = new LinkedHashMap<>();

    public BulkRetries(Sagas sagas, Executor virtualThreads) {
        this.sagas = sagas;
        this.virtualThreads = virtualThreads;
    }

    /** Whoever has heard that it is cancelled is not told otherwise. */
    public synchronized void put(BulkRetry order) {
        known.merge(order.id(), order, (before, now) -> before.cancelled() ? before : now);
        if (known.size() > KNOWN_MAX) {
            Run forgotten = runs.remove(known.pollFirstEntry().getKey());
            if (forgotten != null) forgotten.cancelled = true;
        }
        Run run = runs.get(order.id());
        if (run != null && order.cancelled()) run.cancelled = true;
    }

    /** Those that were given first come first. */
    public synchronized List<BulkStatus> all() {
        return known.values().stream()
                .map(order -> new BulkStatus(
                        order, Optional.ofNullable(runs.get(order.id())).map(Run::progress)))
                .toList();
    }

    /** Goes on with what is not over, by what was just found to be stuck; without waiting. */
    public void carryOut(StuckSagas found) {
        for (Run run : open(found)) {
            List<StuckSaga> left = found.sagas().stream()
                    .filter(run.order::means)
                    .filter(saga -> run.mayTry(saga.id()))
                    .toList();
            run.goOn(left, found.more());
        }
    }

    /** Those that are waiting for what was found. */
    private synchronized List<Run> open(StuckSagas found) {
        List<Run> open = new ArrayList<>();
        for (BulkRetry order : known.values()) {
            Run run = runs.computeIfAbsent(order.id(), id -> new Run(order));
            run.cancelled |= order.cancelled();
            if (!run.cancelled && !run.busy && !run.over && found.asOf().isAfter(order.at())) open.add(run);
        }
        return open;
    }

    /** Another node carries them out from now on. */
    public synchronized void stop() {
        for (Run run : runs.values()) run.cancelled = true;
        runs.clear();
    }

    /** What this node has done of one order. */
    private final class Run {
        private final BulkRetry order;
        private final Operator operator;
        private final AtomicInteger retried = new AtomicInteger();
        private final AtomicInteger refused = new AtomicInteger();
        private final AtomicInteger left = new AtomicInteger();
        private final Set<SagaId> done = new HashSet<>();
        private final Map<SagaId, Integer> refusals = new HashMap<>();
        private final Semaphore underWay = new Semaphore(UNDER_WAY_MAX);
        private int emptyLooks;
        volatile boolean busy;
        volatile boolean over;
        volatile boolean cancelled;

        Run(BulkRetry order) {
            this.order = order;
            this.operator =
                    new Operator(order.operator().who(), order.operator().why() + " (bulk " + order.id() + ")");
        }

        Progress progress() {
            return new Progress(retried.get(), refused.get(), left.get(), over || cancelled);
        }

        /** What moves just now may be missing from one look, so one that finds nothing is not enough. */
        void goOn(List<StuckSaga> found, boolean more) {
            left.set(found.size());
            if (!found.isEmpty()) {
                emptyLooks = 0;
                busy = true;
                // No more at a time than are retried before they are looked at again: their sequence is as old as this.
                virtualThreads.execute(() -> pass(found.stream()
                        .limit((long) PASS_SECONDS * order.perSecond())
                        .toList()));
            } else if (!more && ++emptyLooks == EMPTY_LOOKS) {
                over = true;
                LOG.info(
                        "The bulk retry {} of {} is over: {} sagas retried, {} refused.",
                        order.id(),
                        order.operator().who(),
                        retried,
                        refused);
            }
        }

        synchronized boolean mayTry(SagaId saga) {
            return !done.contains(saga) && refusals.getOrDefault(saga, 0) < TRIES;
        }

        private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
            return failure instanceof CompletionException ? failure.getCause() : failure;
        }

        void pass(List<StuckSaga> stuck) {
            try {
                long pause = Duration.ofSeconds(1).toNanos() / order.perSecond();
                long next = System.nanoTime();
                for (StuckSaga saga : stuck) {
                    for (long wait = next - System.nanoTime(); wait > 0; wait = next - System.nanoTime()) {
                        LockSupport.parkNanos(wait);
                    }
                    if (cancelled) return;
                    next = Math.max(next, System.nanoTime() - pause) + pause;
                    underWay.acquireUninterruptibly();
                    sagas.ask(saga.id(), new SagaInput.Retry(operator, saga.sequence()), ANSWER_WITHIN)
                            .whenComplete((reply, unavailable) -> answered(saga.id(), reply, unwrapped(unavailable)));
                }
                // Whoever looks at this run next should find all of it answered.
                underWay.acquireUninterruptibly(UNDER_WAY_MAX);
                underWay.release(UNDER_WAY_MAX);
            } finally {
                busy = false;
            }
        }

        /** Without an answer, or if it has moved, it is tried again as long as it is stuck. */
        private void answered(SagaId saga, @Nullable Reply reply, @Nullable Throwable failure) {
            boolean isRefused = failure instanceof SagaUnreadableException
                    || (reply instanceof Reply.Rejected rejected && rejected.reason() != Refusal.SAGA_MOVED);
            synchronized (this) {
                if (isRefused && refusals.merge(saga, 1, Integer::sum) == TRIES) refused.incrementAndGet();
                if (reply != null && !(reply instanceof Reply.Rejected) && done.add(saga)) {
                    retried.incrementAndGet();
                    left.decrementAndGet();
                }
            }
            underWay.release(); // At the end: when all are back, the next look may begin.
        }
    }
}
