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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The one actor of the cluster that knows which sagas are stuck: it looks every few seconds, and tells its node. */
public final class StuckWatch {
    /** What is stuck is seen within ten seconds: two looks, and the time they take. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(4);

    /** A look that takes long leaves the store at least as much time for others. */
    private static final int RESTS = 2;

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
     */
    public record Settings(
            SagaRepository repository,
            BooleanSupplier storeAway,
            Clock clock,
            Executor virtualThreads,
            StuckBoard board,
            Duration lookEvery) {}

    private StuckWatch() {}

    static SingletonActor<Command> singleton(Settings settings) {
        return SingletonActor.of(create(settings), "stuck-watch").withStopMessage(Signal.STOP);
    }

    static Behavior<Command> create(Settings settings) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            StuckScan scan = new StuckScan(settings.repository());
            context.getSelf().tell(Signal.LOOK);
            return Behaviors.receive(Command.class)
                    .onMessageEquals(Signal.STOP, Behaviors::stopped)
                    .onMessageEquals(Signal.LOOK, () -> {
                        if (settings.storeAway().getAsBoolean()) {
                            timers.startSingleTimer(Signal.LOOK, settings.lookEvery());
                        } else {
                            context.pipeToSelf(look(scan, settings), (took, failure) -> new Looked(took, failure));
                        }
                        return Behaviors.same();
                    })
                    .onMessage(Looked.class, looked -> {
                        if (looked.failure() != null && !(looked.failure() instanceof RepositoryUnavailableException)) {
                            context.getLog().error("Looking for stuck sagas failed: this is a bug.", looked.failure());
                        }
                        timers.startSingleTimer(Signal.LOOK, pause(settings, looked));
                        return Behaviors.same();
                    })
                    .onSignal(PostStop.class, stopped -> {
                        scan.close();
                        settings.board().clear();
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    private static Duration pause(Settings settings, Looked looked) {
        Duration rest = Optional.ofNullable(looked.took()).orElse(Duration.ZERO).multipliedBy(RESTS);
        return rest.compareTo(settings.lookEvery()) > 0 ? rest : settings.lookEvery();
    }

    private static CompletableFuture<Duration> look(StuckScan scan, Settings settings) {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        settings.virtualThreads().execute(() -> {
            long begun = System.nanoTime();
            try {
                settings.board().write(scan.scan(settings.clock().instant()));
                took.complete(Duration.ofNanos(System.nanoTime() - begun));
            } catch (Throwable e) { // Whatever it is, the next look comes.
                took.completeExceptionally(e);
            }
        });
        return took;
    }
}
