package io.alphaomega.server.sweep;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.SingletonActor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.Holds;
import io.alphaomega.server.saga.Sagas;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/**
 * The one actor of the cluster that has every saga held that a store had open which was set back to an earlier time. A saga
 * that is told anything before is held as well; this is for the others, so that people see all of them.
 */
final class HoldScanner {
    /** What the scanner is told. */
    sealed interface Command extends NoSerializationVerificationNeeded {}

    enum Signal implements Command {
        LOOK,
        STOP
    }

    /** @param storeAway whether there is no point in asking now */
    record Settings(
            SagaRepository repository,
            BooleanSupplier storeAway,
            Holds holds,
            Sagas sagas,
            Executor virtualThreads,
            Duration lookEvery) {}

    /** A person waits for the list. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private HoldScanner() {}

    static SingletonActor<Command> singleton(Settings settings) {
        return SingletonActor.of(create(settings), "hold-scanner").withStopMessage(Signal.STOP);
    }

    static Behavior<Command> create(Settings settings) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            AtomicReference<Optional<Restoration>> done = new AtomicReference<>(Optional.empty());
            timers.startSingleTimer(Signal.LOOK, settings.lookEvery());
            return Behaviors.receive(Command.class)
                    .onMessageEquals(Signal.STOP, Behaviors::stopped)
                    .onMessageEquals(Signal.LOOK, () -> {
                        Optional<Restoration> found = settings.holds().restoration();
                        if (found.equals(done.get()) || settings.storeAway().getAsBoolean()) {
                            timers.startSingleTimer(Signal.LOOK, settings.lookEvery());
                        } else {
                            context.watch(
                                    context.spawnAnonymous(scan(settings, found.orElseThrow(), () -> done.set(found))));
                        }
                        return Behaviors.same();
                    })
                    .onSignal(Terminated.class, over -> {
                        timers.startSingleTimer(Signal.LOOK, settings.lookEvery());
                        return Behaviors.same();
                    })
                    .build();
        }));
    }

    /** @param whole runs when all of them have been told: else it is begun anew */
    private static Behavior<Sweep.Command> scan(Settings settings, Restoration found, Runnable whole) {
        SagaQuery open = SagaQuery.ALL.in(StuckSagas.OPEN).to(found.begunBefore());
        return Sweep.of(
                "Holding the sagas of a store that was set back",
                cursor -> {
                    Page<SagaSummary> page = settings.repository().find(open, cursor, Sweep.PAGE);
                    return new Page<>(page.items().stream().map(SagaSummary::id).toList(), page.next());
                },
                new SagaInput.Hold(found),
                () -> true,
                settings.sagas(),
                settings.virtualThreads(),
                whole);
    }
}
