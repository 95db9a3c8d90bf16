package io.alphaomega.samples.shop.campaign;

import io.alphaomega.repository.servers.Network;
import io.alphaomega.repository.servers.Network.Link;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.shop.campaign.Blow.Strike;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

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
        blow.strikes().forEach(this::end);
        blow.strikes().stream()
                .flatMap(Nemesis::dead)
                .sorted(Comparator.naturalOrder())
                .forEach(stage::restart);
        stage.awaitServing();
    }

    private void begin(Strike strike) {
        ServerProcess process = stage.process(strike.target());
        switch (strike.kind()) {
            case KILL -> kill(strike.target());
            case PAUSE -> process.pause();
            case RESTART -> process.stop();
            case ANSWERS_LOST -> loseAnswers(stage.process(strike.target().data()));
            case CUT_OFF -> cut(strike.target(), Stream.concat(Stream.of(Network.HOST), others(strike.target())));
            case SPLIT -> cut(strike.target(), others(strike.target()));
        }
    }

    private void end(Strike strike) {
        switch (strike.kind()) {
            case PAUSE -> stage.process(strike.target()).resume();
            case CUT_OFF, SPLIT -> {
                long dropped = stage.network.dropped();
                stage.network.heal();
                if (dropped == 0) throw new IllegalStateException(strike + " lost no packet.");
            }
            case KILL, RESTART, ANSWERS_LOST -> {} // They are started.
        }
    }

    /** What the strike has left to be started. */
    private static Stream<Target> dead(Strike strike) {
        return switch (strike.kind()) {
            case KILL, RESTART -> Stream.of(strike.target());
            case ANSWERS_LOST -> Target.ALPHAS.stream();
            case PAUSE, CUT_OFF, SPLIT -> Stream.empty();
        };
    }

    private static Stream<Integer> others(Target alpha) {
        return Target.ALPHAS.stream().filter(each -> each != alpha).map(Target::number);
    }

    private void cut(Target alpha, Stream<Integer> others) {
        int node = alpha.number();
        stage.network.cut(others.flatMap(other -> Stream.of(new Link(node, other), new Link(other, node)))
                .toList());
    }

    private void kill(Target target) {
        deaths.add(new Death(target, clock.instant()));
        stage.process(target).kill();
    }

    private void loseAnswers(ServerProcess data) {
        data.pause();
        hold(GATHERS);
        for (Target alpha : Target.ALPHAS) stage.process(alpha).pause();
        data.resume();
        hold(GATHERS);
        Target.ALPHAS.forEach(this::kill);
    }

    private static void hold(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }
}
