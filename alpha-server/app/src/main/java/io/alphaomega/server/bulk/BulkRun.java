package io.alphaomega.server.bulk;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaState;
import io.alphaomega.saga.SagaState.Known;
import io.alphaomega.server.bulk.BulkStatus.Progress;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.saga.SagaUnreadableException;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node has done of one bulk order. It goes over the sagas that are meant, at the order's rate, and reads each
 * one's journal just before it orders anything of it: whatever else was read is as old as the look it comes from. Then it
 * looks again, until there is nothing left.
 */
final class BulkRun {
    /** Of one saga that is refused, or of which the store says that it is meant while its journal says that it is not. */
    private static final int TRIES = 3;

    /** What moves just now may be missing from one look, so one that finds nothing is not enough. */
    private static final int EMPTY_LOOKS = 2;

    private static final int UNDER_WAY_MAX = 32;

    /** Longer than a store's worst pause that is not an outage. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(BulkRun.class);

    /** What all of them work with. */
    record Means(Sagas sagas, SagaRepository repository, Clock clock, Executor virtualThreads) {}

    private final BulkOrder order;
    private final Means means;
    private final Consumer<Progress> ended;
    private final Operator signed;
    private final AtomicInteger left = new AtomicInteger();
    private final Set<SagaId> done = new HashSet<>();
    private final Map<SagaId, Integer> refusals = new HashMap<>();
    private final Map<SagaId, Integer> unmeant = new HashMap<>();

    /** What has become of them is in their journals, if anything has: no look may find them again. */
    private final Set<SagaId> unanswered = new HashSet<>();

    private final Semaphore underWay = new Semaphore(UNDER_WAY_MAX);
    private int emptyLooks;
    private boolean waitIsTold;
    private volatile boolean more;
    private volatile boolean busy;
    private volatile boolean over;
    private volatile boolean cancelled;

    /** Since when it has not been at any saga. */
    private volatile Instant idleSince;

    private volatile Optional<BulkStatus.Fate> fate = Optional.empty();

    /** @param ended is told once, when nothing is left to do */
    BulkRun(BulkOrder order, Means means, Consumer<Progress> ended) {
        this.order = order;
        this.means = means;
        this.ended = ended;
        this.signed = order.signed();
        this.idleSince = means.clock().instant();
    }

    synchronized Progress progress() {
        long refused =
                refusals.values().stream().filter(tries -> tries >= TRIES).count();
        return new Progress(done.size(), Math.toIntExact(refused), left.get(), more, over || cancelled);
    }

    Optional<BulkStatus.Fate> fate() {
        return fate;
    }

    /** Looks what has become of the sagas that are done: by a look that began after that, and that saw all that are open. */
    void follow(StuckSagas found) {
        boolean isSettled = fate.filter(BulkStatus.Fate::isSettled).isPresent() && over;
        if (isSettled || busy || found.more() || !found.asOf().isAfter(idleSince)) return;
        fate = fate(found);
    }

    private synchronized Optional<BulkStatus.Fate> fate(StuckSagas found) {
        if (done.isEmpty()) return Optional.empty();
        Set<String> services = new LinkedHashSet<>();
        int stuck = 0;
        for (StuckSaga saga : found.sagas()) {
            if (!done.contains(saga.id())) continue;
            stuck++;
            services.add(saga.stuck().service());
        }
        int waiting = 0;
        int open = 0;
        for (SagaId saga : done) {
            if (found.inFlight().decided().contains(saga)) open++;
            String awaited = found.inFlight().awaited().get(saga);
            if (awaited == null) continue;
            waiting++;
            services.add(awaited);
        }
        return Optional.of(new BulkStatus.Fate(
                found.asOf(),
                done.size() - open,
                stuck,
                waiting,
                Math.max(0, open - stuck - waiting),
                services.stream().limit(BulkStatus.Fate.SERVICES_MAX).toList()));
    }

    void cancel() {
        cancelled = true;
    }

    /** Whether it waits for a look. */
    boolean isOpen() {
        return !busy && !over && !cancelled;
    }

    /** Without waiting. */
    void goOn(StuckSagas found) {
        busy = true;
        means.virtualThreads().execute(() -> {
            try {
                List<SagaId> meant = meant(found);
                left.set(meant.size());
                if (meant.isEmpty()) endAfterEnoughLooks();
                else pass(meant);
            } catch (RepositoryUnavailableException e) {
                tellWait(e);
            } finally {
                idleSince = means.clock().instant();
                busy = false;
            }
        });
    }

    /** Once: the store may be away for hours, or be asked for more than it finds in time whenever it is asked. */
    private void tellWait(RepositoryUnavailableException why) {
        if (waitIsTold) LOG.debug("The bulk order {} waits for the store.", order.id(), why);
        else LOG.warn("The bulk order {} waits for the store, and continues then: {}", order.id(), why.getMessage());
        waitIsTold = true;
    }

    private List<SagaId> meant(StuckSagas found) {
        List<SagaId> listed =
                switch (order.task()) {
                    case BulkTask.OfStuck task -> {
                        more = found.more();
                        yield found.sagas().stream()
                                .filter(task::means)
                                .map(StuckSaga::id)
                                .toList();
                    }
                    case BulkTask.Abort abort -> {
                        ActiveSagas active = ActiveSagas.of(abort, means.repository(), 0);
                        more = active.more();
                        yield active.ids();
                    }
                };
        synchronized (this) {
            Set<SagaId> all = new LinkedHashSet<>(listed);
            all.addAll(unanswered);
            return all.stream()
                    .filter(saga -> !done.contains(saga)
                            && refusals.getOrDefault(saga, 0) < TRIES
                            && unmeant.getOrDefault(saga, 0) < TRIES)
                    .toList();
        }
    }

    private void endAfterEnoughLooks() {
        if (more || ++emptyLooks < EMPTY_LOOKS) return;
        over = true;
        Progress end = progress();
        LOG.info(
                "The bulk order {} of {} ({}) is over: {} sagas done, {} refused.",
                order.id(),
                order.operator().who(),
                order.task().kind(),
                end.done(),
                end.refused());
        ended.accept(end);
    }

    private void pass(List<SagaId> meant) {
        emptyLooks = 0;
        long pause = Duration.ofSeconds(1).toNanos() / order.perSecond();
        long next = System.nanoTime();
        for (SagaId saga : meant) {
            for (long wait = next - System.nanoTime(); wait > 0; wait = next - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            if (cancelled) break;
            next = Math.max(next, System.nanoTime() - pause) + pause;
            underWay.acquireUninterruptibly();
            means.virtualThreads().execute(() -> order(saga));
        }
        // Whoever looks at this run next should find all of it answered.
        underWay.acquireUninterruptibly(UNDER_WAY_MAX);
        underWay.release(UNDER_WAY_MAX);
    }

    private void order(SagaId saga) {
        try {
            Optional<Known> read = read(saga);
            Optional<SagaInput> input = read.flatMap(
                    state -> order.task().inputFor(state, signed, means.clock().instant()));
            if (input.isPresent()) {
                means.sagas()
                        .ask(saga, input.get(), ANSWER_WITHIN)
                        .whenComplete((reply, unavailable) -> answered(saga, reply, unwrapped(unavailable)));
                return;
            }
            if (read.filter(state -> order.task().isDone(state, signed)).isPresent()) done(saga);
            else notMeant(saga);
        } catch (JournalUnreadableException | CorruptJournalException e) {
            refuse(saga);
        } catch (RepositoryUnavailableException e) {
            LOG.debug("The bulk order {} comes back to saga {}.", order.id(), saga, e);
        } catch (RuntimeException e) {
            LOG.error("The bulk order {} failed at saga {}: this is a bug.", order.id(), saga, e);
            refuse(saga);
        }
        underWay.release();
    }

    private Optional<Known> read(SagaId saga) {
        SagaState state = JournalCodec.state(saga, means.repository().load(saga).events());
        return state instanceof Known known ? Optional.of(known) : Optional.empty();
    }

    /** Without an answer, or if it has moved, it is tried again as long as it is meant. */
    private void answered(SagaId saga, @Nullable Reply reply, @Nullable Throwable failure) {
        boolean isRefused = failure instanceof SagaUnreadableException
                || (reply instanceof Reply.Rejected rejected && rejected.reason() != Refusal.SAGA_MOVED);
        if (isRefused) refuse(saga);
        else if (reply == null) doubt(saga);
        else if (!(reply instanceof Reply.Rejected)) done(saga);
        underWay.release(); // At the end: when all are back, the next look may begin.
    }

    private synchronized void doubt(SagaId saga) {
        unanswered.add(saga);
    }

    private synchronized void done(SagaId saga) {
        unanswered.remove(saga);
        if (done.add(saga)) left.decrementAndGet();
    }

    private synchronized void refuse(SagaId saga) {
        if (refusals.merge(saga, 1, Integer::sum) == TRIES) {
            unanswered.remove(saga);
            left.decrementAndGet();
        }
    }

    private synchronized void notMeant(SagaId saga) {
        if (unmeant.merge(saga, 1, Integer::sum) == TRIES) unanswered.remove(saga);
        left.decrementAndGet();
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }
}
