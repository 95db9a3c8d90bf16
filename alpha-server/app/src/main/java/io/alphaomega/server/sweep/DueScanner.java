package io.alphaomega.server.sweep;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.SingletonActor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.Sagas;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The one actor of the cluster that wakes sagas whose time has come and that are in nobody's memory: after a crash, that
 * is the recovery.
 */
public final class DueScanner {
    /** A saga in memory has its own alarm; it gets this long to be faster than the scanner. */
    static final Duration HEAD_START = Duration.ofSeconds(1);

    /** A suspended saga may have a callback under way for another branch; then it has a time to wake up at. */
    private static final Set<SagaSummary.State> OWED =
            Set.of(SagaSummary.State.COMPENSATING, SagaSummary.State.CONFIRMING, SagaSummary.State.SUSPENDED);

    /** What the scanner is told. */
    public sealed interface Command extends NoSerializationVerificationNeeded {}

    /** By its timer, and by the cluster when another node takes over. */
    enum Signal implements Command {
        SCAN,
        /** The look at what nodes owed that are gone is over. */
        LOOKED,
        STOP
    }

    /**
     * What the scanner works with.
     *
     * @param departures how many nodes have gone so far: the callbacks that were theirs to ask for are asked for at once
     * @param notBefore of the first scan, so that services connect first
     * @param interval between two scans, give or take a fifth
     * @param storeAway whether there is no point in asking now
     */
    public record Settings(
            SagaRepository repository,
            BooleanSupplier storeAway,
            Sagas sagas,
            Clock clock,
            Executor virtualThreads,
            LongSupplier departures,
            Instant notBefore,
            Duration interval,
            DueLag lag) {}

    private DueScanner() {}

    public static SingletonActor<Command> singleton(Settings settings) {
        return SingletonActor.of(create(settings), "due-scanner").withStopMessage(Signal.STOP);
    }

    static Behavior<Command> create(Settings settings) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            settings.lag().reached(settings.clock().instant());
            Duration grace = Duration.between(settings.clock().instant(), settings.notBefore());
            timers.startSingleTimer(Signal.SCAN, jittered(grace));
            AtomicLong seen = new AtomicLong();
            AtomicBoolean looking = new AtomicBoolean();
            return Behaviors.receive(Command.class)
                    .onMessageEquals(Signal.STOP, Behaviors::stopped)
                    .onMessageEquals(Signal.SCAN, () -> {
                        if (settings.storeAway().getAsBoolean()) {
                            timers.startSingleTimer(Signal.SCAN, jittered(settings.interval()));
                            return Behaviors.same();
                        }
                        long departures = settings.departures().getAsLong();
                        if (seen.get() < departures && looking.compareAndSet(false, true)) {
                            context.watchWith(
                                    context.spawnAnonymous(scanOwed(settings, () -> seen.set(departures))),
                                    Signal.LOOKED);
                        }
                        context.watch(context.spawnAnonymous(scan(settings)));
                        return Behaviors.same();
                    })
                    .onMessageEquals(Signal.LOOKED, () -> {
                        looking.set(false);
                        return Behaviors.same();
                    })
                    .onSignal(Terminated.class, over -> {
                        timers.startSingleTimer(Signal.SCAN, jittered(settings.interval()));
                        return Behaviors.same();
                    })
                    .onSignal(PostStop.class, stopped -> {
                        settings.lag().over();
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    private static Behavior<Sweep.Command> scan(Settings settings) {
        Instant until = settings.clock().instant().minus(HEAD_START);
        return Sweep.of(
                "Looking for sagas that are due",
                cursor -> {
                    Page<SagaId> page = settings.repository().due(until, cursor, Sweep.PAGE);
                    if (page.next().isEmpty()) settings.lag().reached(until);
                    return page;
                },
                new SagaInput.Tick(),
                () -> true,
                settings.sagas(),
                settings.virtualThreads(),
                () -> {});
    }

    /**
     * What a node had still to ask for may be gone with it, in order or not; the sagas would not notice until it is due.
     * It goes on beside the scans for what is due, which do not wait for it.
     *
     * @param whole runs when all of them have been told: else it is begun anew
     */
    private static Behavior<Sweep.Command> scanOwed(Settings settings, Runnable whole) {
        SagaQuery owed = SagaQuery.ALL.in(OWED);
        return Sweep.of(
                "Looking for sagas that another node was to bring to their end",
                cursor -> {
                    Page<SagaSummary> page = settings.repository().find(owed, cursor, Sweep.PAGE);
                    return new Page<>(
                            page.items().stream()
                                    .filter(saga -> saga.wakeUpAt().isPresent())
                                    .map(SagaSummary::id)
                                    .toList(),
                            page.next());
                },
                new SagaInput.Tick(),
                () -> true,
                settings.sagas(),
                settings.virtualThreads(),
                whole);
    }

    /** Several clusters on one store would otherwise ask it in step. */
    private static Duration jittered(Duration interval) {
        long millis = Math.max(5, interval.toMillis());
        return Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(-millis / 5, millis / 5 + 1));
    }
}
