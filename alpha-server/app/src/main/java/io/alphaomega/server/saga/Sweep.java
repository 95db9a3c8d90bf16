package io.alphaomega.server.saga;

import akka.actor.NoSerializationVerificationNeeded;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * An actor that sends one input to every saga of a scan, a page at a time and paced, and then stops. A page that cannot
 * be read ends it: whatever was missed is found again by the next scan.
 */
public final class Sweep {
    /** Few enough that the sagas woken by one page do not push those of callers out of the way. */
    public static final int PAGE = 100;

    /** At most a thousand sagas a second are woken by one sweep. */
    static final Duration PAUSE = Duration.ofMillis(100);

    /** What a sweep is told. */
    public sealed interface Command extends NoSerializationVerificationNeeded {}

    private record PageRead(Page<SagaId> page) implements Command {}

    private record PageFailed(Throwable cause) implements Command {}

    private record Next(Cursor cursor) implements Command {}

    private Sweep() {}

    /**
     * A sweep that begins at once.
     *
     * @param what for the log: what the sagas are swept for
     * @param pages reads the page of up to {@link #PAGE} sagas at a cursor; may block
     */
    public static Behavior<Command> of(
            String what, Function<Cursor, Page<SagaId>> pages, SagaInput input, Sagas sagas, Executor virtualThreads) {
        return Behaviors.setup(context -> Behaviors.withTimers(timers -> {
            context.getSelf().tell(new Next(Cursor.START));
            return Behaviors.receiveMessage(command -> switch (command) {
                case Next(Cursor cursor) -> {
                    context.pipeToSelf(
                            CompletableFuture.supplyAsync(() -> pages.apply(cursor), virtualThreads),
                            (page, failure) -> failure == null ? new PageRead(page) : new PageFailed(failure));
                    yield Behaviors.same();
                }
                case PageRead(Page<SagaId> page) -> {
                    page.items().forEach(saga -> sagas.tell(saga, input));
                    if (page.next().isEmpty()) yield Behaviors.stopped();
                    timers.startSingleTimer(new Next(page.next().get()), PAUSE);
                    yield Behaviors.same();
                }
                case PageFailed(Throwable cause) -> {
                    context.getLog()
                            .warn("{}: the scan broke off, the next one begins anew. {}", what, cause.toString());
                    yield Behaviors.stopped();
                }
            });
        }));
    }
}
