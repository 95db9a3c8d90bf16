package io.alphaomega.omega.spring.reporting;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells alpha by itself what has been held for a while to travel with something else, before a branch that has ended looks
 * like one that takes too long.
 */
public final class HeldReports implements PendingReports.Holder {
    private static final Logger log = LoggerFactory.getLogger(HeldReports.class);

    private final AlphaClient alpha;
    private final OmegaProperties properties;
    private final OwedWork owed;
    private final Set<PendingReports> holding = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "omega-held-reports");
        thread.setDaemon(true);
        return thread;
    });

    public HeldReports(AlphaClient alpha, OmegaProperties properties) {
        this.alpha = alpha;
        this.properties = properties;
        this.owed = new OwedWork(alpha, properties);
        Duration heldFor = properties.holdFor();
        long every = heldFor.toNanos() / 2;
        Future<?> unused = clock.scheduleWithFixedDelay(() -> tell(heldFor), every, every, TimeUnit.NANOSECONDS);
    }

    @Override
    public void hold(PendingReports untold) {
        holding.add(untold);
    }

    @Override
    public void forget(PendingReports untold) {
        holding.remove(untold);
    }

    @Override
    public void tell(PendingReports untold) {
        boolean unused = tell(untold, System.nanoTime(), Duration.ZERO);
    }

    /** Whoever goes on after having waited may block: never on the thread of alpha's connections. */
    @Override
    public CompletableFuture<Void> owe(SagaContext saga) {
        CompletableFuture<Void> known = owed.owe(saga, OwedWork.GRACE_OF_ANSWER);
        return known.isDone() ? known : known.thenRunAsync(() -> {}, CallerThreads.EXECUTOR);
    }

    /**
     * What is held at this moment.
     *
     * @param sagas of how many something is held
     * @param ends of branches among it
     */
    public record Count(int sagas, int ends) {}

    public Count count() {
        List<PendingReports> now = List.copyOf(holding);
        return new Count(now.size(), now.stream().mapToInt(PendingReports::ends).sum());
    }

    private void tell(Duration heldFor) {
        long before = System.nanoTime() - heldFor.toNanos();
        holding.forEach(each -> tell(each, before, Duration.ZERO));
    }

    /**
     * @param patience how long to wait for room to tell it in
     * @return whether it is under way, if there is anything
     */
    private boolean tell(PendingReports untold, long heldBefore, Duration patience) {
        Input input = untold.overdue(heldBefore);
        if (input == null) return true;
        CompletableFuture<Ack> answer;
        try {
            answer = alpha.send(input, properties.resendFor(), patience);
        } catch (AlphaUnavailableException full) {
            untold.release();
            return false;
        }
        CompletableFuture<Ack> unused = answer.whenComplete((ack, failure) -> {
            log(input, ack, failure);
            if (ack == null || ack.hasRejected()) untold.forget(input);
            else untold.told(input);
            untold.release();
        });
        return true;
    }

    private void log(Input input, @Nullable Ack ack, @Nullable Throwable failure) {
        if (failure != null && !alpha.isClosed()) {
            log.error(
                    "Alpha never answered which branches of saga {} have ended: {}; it takes their ends for unknown,"
                            + " and aborts at its timeout.",
                    input.getSaga(),
                    input.getCarried().getEndedList(),
                    failure);
        } else if (ack != null && ack.hasRejected()) {
            log.warn(
                    "Alpha refused to hear which branches of saga {} have ended: {}",
                    input.getSaga(),
                    ack.getRejected().getText());
        }
    }

    /**
     * Tells what is held, however shortly.
     *
     * @param patience how long to wait for room
     * @return how many could not be told
     */
    public int tellAll(Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        int left = 0;
        for (PendingReports each : holding) {
            long now = System.nanoTime();
            if (!tell(each, now, Duration.ofNanos(Math.max(0, until - now)))) left++;
        }
        return left;
    }

    void close() {
        clock.shutdownNow();
    }
}
