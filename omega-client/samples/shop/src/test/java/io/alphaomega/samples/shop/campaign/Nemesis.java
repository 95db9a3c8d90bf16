package io.alphaomega.samples.shop.campaign;

import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.shop.campaign.Blow.Kind;
import io.alphaomega.samples.shop.campaign.Blow.Strike;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Strikes blows at a stage, and mends what it broke. */
final class Nemesis {
    /** In which calls come to wait for a database that does nothing, and in which they are then done. */
    private static final Duration GATHERS = Duration.ofSeconds(3);

    private final Stage stage;
    private final Clock clock = Clock.systemUTC();
    private final List<Death> deaths = new ArrayList<>();

    Nemesis(Stage stage) {
        this.stage = stage;
    }

    /** The end of a process that nothing prepared it for. */
    record Death(Target target, Instant at) {}

    List<Death> deaths() {
        return List.copyOf(deaths);
    }

    /** Returns when everything serves again. */
    void strike(Blow blow) {
        blow.strikes().forEach(this::begin);
        hold(blow.lasting());
        for (Strike strike : blow.strikes()) {
            if (strike.kind() == Kind.PAUSE) stage.process(strike.target()).resume();
        }
        blow.strikes().stream()
                .filter(strike -> strike.kind() != Kind.PAUSE)
                .map(strike -> strike.kind() == Kind.ANSWERS_LOST ? Target.ALPHA : strike.target())
                .sorted(Comparator.naturalOrder())
                .forEach(target -> stage.process(target).start());
        stage.awaitServing();
    }

    private void begin(Strike strike) {
        ServerProcess process = stage.process(strike.target());
        switch (strike.kind()) {
            case KILL -> kill(strike.target());
            case PAUSE -> process.pause();
            case RESTART -> process.stop();
            case ANSWERS_LOST -> loseAnswers(stage.process(strike.target().data()));
        }
    }

    private void kill(Target target) {
        deaths.add(new Death(target, clock.instant()));
        stage.process(target).kill();
    }

    private void loseAnswers(ServerProcess data) {
        data.pause();
        hold(GATHERS);
        stage.process(Target.ALPHA).pause();
        data.resume();
        hold(GATHERS);
        kill(Target.ALPHA);
    }

    private static void hold(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }
}
