package io.alphaomega.benchmark.preset;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Some threads that run one global transaction after the other until they are told to stop: a closed loop. */
final class Drive implements AutoCloseable {
    /** Of one thread: so a saga never meets the accounts that its thread's last sagas have used. */
    static final int ACCOUNTS_PER_THREAD = 100;

    private final Map<InitiatorService.Outcome, LongAdder> outcomes = new EnumMap<>(InitiatorService.Outcome.class);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    /** Begins. */
    Drive(InitiatorService initiator, BusinessWork work, int concurrency) {
        for (InitiatorService.Outcome each : InitiatorService.Outcome.values()) outcomes.put(each, new LongAdder());
        for (int number = 0; number < concurrency; number++) {
            int firstAccount = number * ACCOUNTS_PER_THREAD;
            threads.add(Thread.ofPlatform().name("drive-", number).start(() -> loop(initiator, work, firstAccount)));
        }
    }

    private void loop(InitiatorService initiator, BusinessWork work, int firstAccount) {
        int each = work.sql() / 2;
        int turns = each == 0 ? 1 : ACCOUNTS_PER_THREAD / (2 * each);
        try {
            for (int turn = 0; !stopped.get(); turn = (turn + 1) % turns) {
                counter(initiator.run(work, firstAccount + turn * 2 * each, each))
                        .increment();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Nobody waits for it any more.
        }
    }

    /** How many have come to that end so far. */
    long count(InitiatorService.Outcome outcome) {
        return counter(outcome).sum();
    }

    private LongAdder counter(InitiatorService.Outcome outcome) {
        return Objects.requireNonNull(outcomes.get(outcome));
    }

    static void await(Duration duration) throws InterruptedException {
        // Nobody counts it down: what is measured goes on meanwhile.
        boolean unused = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Lets what has begun come to its end. */
    @Override
    public void close() {
        stopped.set(true);
        for (Thread each : threads) {
            try {
                each.join();
            } catch (InterruptedException e) {
                threads.forEach(Thread::interrupt);
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
