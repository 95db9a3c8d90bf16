package io.alphaomega.server.saga;

import akka.actor.Cancellable;
import akka.actor.typed.javadsl.ActorContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one timer of a saga in memory. It goes off when the saga wants to be looked at, or may have been idle for long
 * enough to leave; or too early, and then it is set anew. So almost every saga needs one timer in its life: an alarm that
 * is wanted later than before, as by almost every event, costs nothing.
 */
final class Alarm {
    /** A wake-up that changed nothing is repeated no faster than this. */
    private static final Duration FRUITLESS = Duration.ofSeconds(1);

    private final ActorContext<SagaCommand> context;
    private final SagaTime time;
    private final SagaMemory memory;
    private Optional<Instant> wanted = Optional.empty();
    private Optional<Instant> tried = Optional.empty();
    private @Nullable Cancellable timer;
    private Instant timerAt = Instant.MAX;

    /** @param memory says after which time a saga that has heard nothing looks whether it may leave */
    Alarm(ActorContext<SagaCommand> context, SagaTime time, SagaMemory memory) {
        this.context = context;
        this.time = time;
        this.memory = memory;
    }

    /** @param heardAt when the saga last heard something */
    void set(Optional<Instant> wakeUpAt, Instant heardAt) {
        wanted = wakeUpAt;
        Instant wake = wakeUpAt.orElse(Instant.MAX);
        if (timer != null && !wake.isBefore(timerAt)) return;
        Instant now = time.now(); // What was heard was stored meanwhile, which takes its time.
        if (wakeUpAt.isPresent() && wakeUpAt.equals(tried)) wake = latest(wake, now.plus(FRUITLESS));
        Duration patience = memory.patience();
        Instant idleAt = heardAt.plus(patience);
        if (!idleAt.isAfter(now)) idleAt = now.plus(patience); // It was not idle: the store took that long.
        timerAt = wake.isBefore(idleAt) ? wake : idleAt;
        start(Duration.between(now, timerAt));
    }

    /** Goes off after that time, whatever the saga wanted. */
    void startFor(Duration delay) {
        wanted = Optional.empty();
        start(delay);
    }

    private void start(Duration delay) {
        stop();
        timer = context.scheduleOnce(
                delay.isNegative() ? Duration.ZERO : delay, context.getSelf(), SagaCommand.Signal.ALARM);
    }

    /** It went off: whether the saga wanted to be looked at by now. Until it is set again, it is off. */
    boolean wentOff(Instant now) {
        stop();
        if (wanted.isEmpty() || wanted.get().isAfter(now)) return false;
        tried = wanted;
        return true;
    }

    void stop() {
        if (timer != null) timer.cancel();
        timer = null;
    }

    private static Instant latest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
