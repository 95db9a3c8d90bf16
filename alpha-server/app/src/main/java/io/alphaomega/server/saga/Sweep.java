package io.alphaomega.server.saga;

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
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * An actor that sends one input to every saga of a scan, a page at a time, and then stops. It goes as fast as the sagas
 * answer: at most a page and a half of them are under way, so a store that answers quickly is swept quickly, and one that
 * does not has no more to do. A page that cannot be read ends it: whatever was missed is found again by the next scan.
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
            Executor virtualThreads) {}

    private final Task task;
    private final TimerScheduler<Command> timers;
    private final ActorRef<SagaReply> replies;
    private Optional<Cursor> next = Optional.empty();
    private int unanswered;
    private boolean reading;
    private boolean resting;

    /**
     * A sweep that begins at once.
     *
     * @param what for the log: what the sagas are swept for
     * @param pages reads the page of up to {@link #PAGE} sagas at a cursor; may block
     * @param room whether there is room for what a further page of sagas will ask for; asked from any thread
     */
    public static Behavior<Command> of(
            String what,
            Function<Cursor, Page<SagaId>> pages,
            SagaInput input,
            BooleanSupplier room,
            Sagas sagas,
            Executor virtualThreads) {
        Task task = new Task(what, pages, input, room, sagas, virtualThreads);
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
                                    "{}: the scan broke off, the next one begins anew. {}",
                                    task.what(),
                                    failed.cause().toString());
                    return Behaviors.stopped();
                })
                .onMessage(Answered.class, answered -> {
                    unanswered = Math.max(0, unanswered - 1); // Those given up may answer after all.
                    if (answered.reply().outcome() instanceof SagaReply.Outcome.Unavailable) rest();
                    return goOn();
                })
                .onMessageEquals(Signal.GO_ON, () -> {
                    resting = false;
                    return goOn();
                })
                .onMessageEquals(Signal.OUT_OF_PATIENCE, () -> {
                    unanswered = 0;
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
        unanswered += page.items().size();
        timers.startSingleTimer(Signal.OUT_OF_PATIENCE, PATIENCE);
        for (SagaId saga : page.items()) task.sagas().tell(saga, task.input(), replies);
        return goOn();
    }

    private Behavior<Command> goOn() {
        if (next.isPresent() && unanswered <= LEFT && !resting) {
            if (task.room().getAsBoolean()) read(next.get());
            else rest();
        }
        return next.isEmpty() && !reading && unanswered == 0 ? Behaviors.stopped() : this;
    }

    private void rest() {
        if (!resting) timers.startSingleTimer(Signal.GO_ON, PAUSE);
        resting = true;
    }
}
