package io.alphaomega.server.sweep;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.SingletonActor;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one actor of the cluster that knows which sagas are stuck: it looks every few seconds, and tells its node. */
public final class StuckWatch {
    /** What is stuck is seen within ten seconds: two looks, and the time they take. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(4);

    /** As the API says: after that nobody knows what is stuck. */
    static final Duration GOOD_FOR_MIN = Duration.ofSeconds(10);

    /** A look that takes long leaves the store at least as much time for others. */
    private static final int RESTS = 2;

    /** Failures in a row that are more than a moment's trouble. */
    private static final int TOLD = 3;

    private static final Logger LOG = LoggerFactory.getLogger(StuckWatch.class);

    /** What the watch is told. */
    public sealed interface Command extends NoSerializationVerificationNeeded {}

    private enum Signal implements Command {
        LOOK,
        STOP
    }

    private record Looked(Duration took, @Nullable Throwable failure) implements Command {}

    /**
     * What the watch works with.
     *
     * @param storeAway whether there is no point in asking now
     * @param board where it writes what it has found
     * @param listeners are told of it then, in this order
     */
    public record Settings(
            SagaRepository repository,
            BooleanSupplier storeAway,
            Clock clock,
            Executor virtualThreads,
            StuckBoard board,
            List<StuckListener> listeners,
            Duration lookEvery) {}

    private StuckWatch() {}

    static SingletonActor<Command> singleton(Settings settings) {
        return SingletonActor.of(create(settings), "stuck-watch").withStopMessage(Signal.STOP);
    }

    static Behavior<Command> create(Settings settings) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            StuckScan scan = new StuckScan(settings.repository());
            AtomicBoolean stopped = new AtomicBoolean();
            AtomicInteger failures = new AtomicInteger();
            context.getSelf().tell(Signal.LOOK);
            return Behaviors.receive(Command.class)
                    .onMessageEquals(Signal.STOP, Behaviors::stopped)
                    .onMessageEquals(Signal.LOOK, () -> {
                        if (settings.storeAway().getAsBoolean()) {
                            timers.startSingleTimer(Signal.LOOK, settings.lookEvery());
                        } else {
                            context.pipeToSelf(
                                    look(scan, stopped, settings), (took, failure) -> new Looked(took, failure));
                        }
                        return Behaviors.same();
                    })
                    .onMessage(Looked.class, looked -> {
                        boolean failed = looked.failure() != null;
                        // An outage of the store is told by whoever notices it, once.
                        if (!failed) failures.set(0);
                        else if (!settings.storeAway().getAsBoolean() && failures.incrementAndGet() == TOLD) {
                            LOG.warn(
                                    "The search for stuck sagas has failed {} times, and continues; earlier findings stay: {}",
                                    TOLD,
                                    String.valueOf(looked.failure()));
                        }
                        timers.startSingleTimer(Signal.LOOK, pause(settings, looked));
                        return Behaviors.same();
                    })
                    .onSignal(PostStop.class, signal -> {
                        scan.close();
                        synchronized (stopped) { // A look that is under way writes nothing after this.
                            stopped.set(true);
                            settings.board().clear();
                            settings.listeners().forEach(StuckListener::stopped);
                        }
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    private static Duration pause(Settings settings, Looked looked) {
        Duration rest = Optional.ofNullable(looked.took()).orElse(Duration.ZERO).multipliedBy(RESTS);
        return rest.compareTo(settings.lookEvery()) > 0 ? rest : settings.lookEvery();
    }

    /** How long a look that took so long tells what is stuck: the next one should be over by then, with time to spare. */
    private static Duration goodFor(Duration took) {
        Duration slow = took.multipliedBy(2L * (RESTS + 1));
        return slow.compareTo(GOOD_FOR_MIN) > 0 ? slow : GOOD_FOR_MIN;
    }

    private static CompletableFuture<Duration> look(StuckScan scan, AtomicBoolean stopped, Settings settings) {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        settings.virtualThreads().execute(() -> {
            long begun = System.nanoTime();
            try {
                StuckSagas found = scan.scan(settings.clock().instant());
                synchronized (stopped) {
                    if (stopped.get()) throw new RepositoryUnavailableException("Another node looks from now on.");
                    settings.board().write(found, goodFor(Duration.ofNanos(System.nanoTime() - begun)));
                    settings.listeners().forEach(listener -> listener.found(found));
                }
                took.complete(Duration.ofNanos(System.nanoTime() - begun));
            } catch (Throwable e) { // Whatever it is, the next look comes.
                took.completeExceptionally(e);
            }
        });
        return took;
    }
}
