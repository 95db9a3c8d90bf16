package io.alphaomega.server.sweep;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.SagaReply;
import io.alphaomega.server.saga.Sagas;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * An actor that sends one input to every saga of a scan, a page at a time, and then stops. It goes as fast as the sagas
 * answer: at most a page and a half of them are under way, so a store that answers quickly is swept quickly, and one that
 * does not has no more to do. A page that cannot be read ends it. Who began it learns whether every saga has heard.
 */
public final class Sweep extends AbstractBehavior<Sweep.Command> {
    /** Few enough that the sagas woken by one page do not push those of callers out of the way. */
    public static final int PAGE = 100;

    /** When so few are left to answer, the next page is read, so that the store has always something to do. */
    private static final int LEFT = PAGE / 2;

    /** After a saga could not be reached or stored, or without room; whoever is overloaded is left in peace for a while. */
    static final Duration PAUSE = Duration.ofMillis(100);

    /**
     * An answer that has not come by then, because its node is gone or the store is slow, is not waited for. If it is so
     * with each page, a hundred sagas a second still get on, and no store is overwhelmed by those.
     */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    /** What a sweep is told. */
    public sealed interface Command extends NoSerializationVerificationNeeded {}

    private record PageRead(Page<SagaId> page) implements Command {}

    private record PageFailed(Throwable cause) implements Command {}

    private record Answered(SagaReply reply) implements Command {}

    private enum Signal implements Command {
        /** The pause is over. */
        GO_ON,
        /** Nobody has answered for a while. */
        OUT_OF_PATIENCE
    }

    /** What {@link #of} says. */
    private record Task(
            String what,
            Function<Cursor, Page<SagaId>> pages,
            SagaInput input,
            BooleanSupplier room,
            Sagas sagas,
            Executor virtualThreads,
            Runnable whole) {}

    private final Task task;
    private final TimerScheduler<Command> timers;
    private final ActorRef<SagaReply> replies;
    private Optional<Cursor> next = Optional.empty();
    private final Set<SagaId> unanswered = new HashSet<>();

    /** Those that have not taken the input and are not waited for any more; they may answer after all. */
    private final Set<SagaId> missed = new HashSet<>();

    private boolean reading;
    private boolean resting;

    /**
     * A sweep that begins at once.
     *
     * @param what for the log: what the sagas are swept for
     * @param pages reads the page of up to {@link #PAGE} sagas at a cursor; may block
     * @param room whether there is room for what a further page of sagas will ask for; asked from any thread
     * @param whole runs before the sweep stops if every saga has been found and has taken the input; else somebody is
     *     missing, and who needs all begins anew
     */
    public static Behavior<Command> of(
            String what,
            Function<Cursor, Page<SagaId>> pages,
            SagaInput input,
            BooleanSupplier room,
            Sagas sagas,
            Executor virtualThreads,
            Runnable whole) {
        Task task = new Task(what, pages, input, room, sagas, virtualThreads, whole);
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> new Sweep(context, timers, task)));
    }

    private Sweep(ActorContext<Command> context, TimerScheduler<Command> timers, Task task) {
        super(context);
        this.task = task;
        this.timers = timers;
        this.replies = context.messageAdapter(SagaReply.class, Answered::new);
        read(Cursor.START);
    }

    @Override
    public Receive<Command> createReceive() {
        return newReceiveBuilder()
                .onMessage(PageRead.class, read -> read(read.page()))
                .onMessage(PageFailed.class, failed -> {
                    getContext()
                            .getLog()
                            .warn(
                                    "{}: the scan broke off and is begun anew. {}",
                                    task.what(),
                                    failed.cause().toString());
                    return Behaviors.stopped();
                })
                .onMessage(Answered.class, answered -> {
                    SagaId saga = answered.reply().saga();
                    unanswered.remove(saga);
                    if (answered.reply().outcome() instanceof SagaReply.Outcome.Unavailable) {
                        missed.add(saga);
                        rest();
                    } else {
                        missed.remove(saga);
                    }
                    return goOn();
                })
                .onMessageEquals(Signal.GO_ON, () -> {
                    resting = false;
                    return goOn();
                })
                .onMessageEquals(Signal.OUT_OF_PATIENCE, () -> {
                    missed.addAll(unanswered);
                    unanswered.clear();
                    return goOn();
                })
                .build();
    }

    private void read(Cursor cursor) {
        next = Optional.empty();
        reading = true;
        getContext()
                .pipeToSelf(
                        CompletableFuture.supplyAsync(() -> task.pages().apply(cursor), task.virtualThreads()),
                        (page, failure) -> failure == null ? new PageRead(page) : new PageFailed(failure));
    }

    private Behavior<Command> read(Page<SagaId> page) {
        reading = false;
        next = page.next();
        unanswered.addAll(page.items());
        timers.startSingleTimer(Signal.OUT_OF_PATIENCE, PATIENCE);
        for (SagaId saga : page.items()) task.sagas().tell(saga, task.input(), replies);
        return goOn();
    }

    private Behavior<Command> goOn() {
        if (next.isPresent() && unanswered.size() <= LEFT && !resting) {
            if (task.room().getAsBoolean()) read(next.get());
            else rest();
        }
        if (next.isPresent() || reading || !unanswered.isEmpty()) return this;
        if (missed.isEmpty()) task.whole().run();
        return Behaviors.stopped();
    }

    private void rest() {
        if (!resting) timers.startSingleTimer(Signal.GO_ON, PAUSE);
        resting = true;
    }
}
