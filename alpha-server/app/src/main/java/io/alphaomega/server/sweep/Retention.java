package io.alphaomega.server.sweep;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import akka.cluster.typed.SingletonActor;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The one actor of the cluster that deletes what is old, a batch at a time, so slowly that nobody feels it. What is not
 * deleted because of a failure is deleted by the next run.
 */
public final class Retention extends AbstractBehavior<Retention.Command> {
    /** After a batch, this many times as long as it took is left to others: deleting gets a fifth of the store at most. */
    private static final int REST = 4;

    private static final Duration REST_MIN = Duration.ofMillis(10);
    private static final Duration REST_MAX = Duration.ofSeconds(30);

    /** So that a node that is restarted often gets to it. */
    private static final Duration FIRST_RUN = Duration.ofMinutes(1);

    /** What the actor is told. */
    sealed interface Command extends NoSerializationVerificationNeeded {}

    /** By its timers, and by the cluster when another node takes over. */
    enum Signal implements Command {
        RUN,
        BATCH,
        STOP
    }

    private record Deleted(int count, Duration took) implements Command {}

    private record Failed(Throwable cause) implements Command {}

    /** Deletes up to {@code limit} of what ended before, and says how much it was; less than the limit if none is left. */
    @FunctionalInterface
    public interface Deletion {
        int delete(Instant endedBefore, int limit);
    }

    /**
     * One kind of things that get old.
     *
     * @param what for the log and the metrics, in the plural
     * @param keep how long they are kept after their saga has ended
     */
    public record Task(String what, Duration keep, Deletion deletion) {}

    /**
     * What the actor works with.
     *
     * @param tasks in the order in which they are done; the failure of one does not keep the others from being done
     * @param interval from the end of one run to the next
     * @param storeAway whether there is no point in beginning now
     */
    record Settings(
            List<Task> tasks,
            Duration interval,
            int batch,
            BooleanSupplier storeAway,
            Clock clock,
            Executor virtualThreads,
            RetentionMetrics metrics) {}

    private final Settings settings;
    private final TimerScheduler<Command> timers;

    /** Of the run under way. */
    private Instant begun = Instant.EPOCH;

    private int task;
    private int deleted;
    private final List<String> told = new ArrayList<>();

    static SingletonActor<Command> singleton(Settings settings) {
        return SingletonActor.of(create(settings), "retention").withStopMessage(Signal.STOP);
    }

    static Behavior<Command> create(Settings settings) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            Duration first = settings.interval().compareTo(FIRST_RUN) < 0 ? settings.interval() : jittered(FIRST_RUN);
            timers.startSingleTimer(Signal.RUN, first);
            context.setLoggerName(Retention.class);
            return new Retention(context, timers, settings);
        }));
    }

    private Retention(ActorContext<Command> context, TimerScheduler<Command> timers, Settings settings) {
        super(context);
        this.timers = timers;
        this.settings = settings;
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessageEquals(Signal.STOP, Behaviors::stopped)
                .onMessageEquals(Signal.RUN, this::run)
                .onMessageEquals(Signal.BATCH, this::batch)
                .onMessage(Deleted.class, this::deleted)
                .onMessage(Failed.class, this::failed)
                .build();
    }

    private Behavior<Command> run() {
        if (settings.storeAway().getAsBoolean()) {
            timers.startSingleTimer(Signal.RUN, jittered(settings.interval()));
            return this;
        }
        begun = settings.clock().instant();
        task = 0;
        deleted = 0;
        told.clear();
        return settings.tasks().isEmpty() ? over() : batch();
    }

    private Behavior<Command> batch() {
        Task now = settings.tasks().get(task);
        Instant endedBefore = begun.minus(now.keep());
        getContext()
                .pipeToSelf(
                        CompletableFuture.supplyAsync(
                                () -> {
                                    long since = System.nanoTime();
                                    int count = now.deletion().delete(endedBefore, settings.batch());
                                    return new Deleted(count, Duration.ofNanos(System.nanoTime() - since));
                                },
                                settings.virtualThreads()),
                        (done, failure) -> failure == null ? done : new Failed(failure));
        return this;
    }

    private Behavior<Command> deleted(Deleted batch) {
        Task now = settings.tasks().get(task);
        deleted += batch.count();
        settings.metrics().deleted(now, batch.count());
        if (batch.count() < settings.batch()) {
            settings.metrics().done(now, begun);
            next(now, "");
        }
        if (task == settings.tasks().size()) return over();
        timers.startSingleTimer(Signal.BATCH, rest(batch.took()));
        return this;
    }

    private Behavior<Command> failed(Failed failed) {
        Throwable thrown = failed.cause();
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        Task now = settings.tasks().get(task);
        getContext()
                .getLog()
                .warn(
                        "Deleting old {} broke off after {}; the next run, in {}, goes on. {}",
                        now.what(),
                        deleted,
                        settings.interval(),
                        String.valueOf(cause.getMessage()));
        settings.metrics().failed(now);
        next(now, " so far");
        return task == settings.tasks().size() ? over() : batch();
    }

    private void next(Task done, String addition) {
        if (deleted > 0) {
            told.add("%s %d%s (of sagas that ended before %s)"
                    .formatted(done.what(), deleted, addition, begun.minus(done.keep())));
        }
        deleted = 0;
        task++;
    }

    private Behavior<Command> over() {
        if (!told.isEmpty()) {
            getContext()
                    .getLog()
                    .info(
                            "Deleted because it was old, in {}: {}",
                            Duration.between(begun, settings.clock().instant()),
                            String.join(", ", told));
        }
        timers.startSingleTimer(Signal.RUN, jittered(settings.interval()));
        return this;
    }

    /** The longer the store needed, the more it has to do for others. */
    static Duration rest(Duration took) {
        Duration rest = took.multipliedBy(REST);
        if (rest.compareTo(REST_MIN) < 0) return REST_MIN;
        return rest.compareTo(REST_MAX) > 0 ? REST_MAX : rest;
    }

    /** Several clusters on one store would otherwise delete in step. */
    private static Duration jittered(Duration interval) {
        long millis = Math.max(5, interval.toMillis());
        return Duration.ofMillis(millis + ThreadLocalRandom.current().nextLong(-millis / 5, millis / 5 + 1));
    }
}
