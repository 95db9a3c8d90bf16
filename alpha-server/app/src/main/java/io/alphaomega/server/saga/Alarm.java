package io.alphaomega.server.saga;

import akka.actor.typed.javadsl.TimerScheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The one alarm of a saga in memory: it goes off when the saga wants to be looked at. */
final class Alarm {
    /** A wake-up that changed nothing is repeated no faster than this. */
    private static final Duration FRUITLESS = Duration.ofSeconds(1);

    private final TimerScheduler<SagaActor.Command> timers;
    private final Clock clock;
    private Optional<Instant> set = Optional.empty();
    private Optional<Instant> wentOff = Optional.empty();

    Alarm(TimerScheduler<SagaActor.Command> timers, Clock clock) {
        this.timers = timers;
        this.clock = clock;
    }

    void set(Optional<Instant> wakeUpAt) {
        if (wakeUpAt.equals(set)) return;
        set = wakeUpAt;
        if (wakeUpAt.isEmpty()) {
            timers.cancel(SagaActor.Signal.ALARM);
            return;
        }
        Duration delay = Duration.between(clock.instant(), wakeUpAt.get());
        if (wakeUpAt.equals(wentOff) && delay.compareTo(FRUITLESS) < 0) delay = FRUITLESS;
        timers.startSingleTimer(SagaActor.Signal.ALARM, delay.isNegative() ? Duration.ZERO : delay);
    }

    void wentOff() {
        wentOff = set;
        set = Optional.empty();
    }
}
