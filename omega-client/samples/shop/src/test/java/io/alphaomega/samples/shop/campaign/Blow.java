package io.alphaomega.samples.shop.campaign;

import static io.alphaomega.samples.shop.campaign.Target.ALPHAS;
import static io.alphaomega.samples.shop.campaign.Target.KAFKA;
import static io.alphaomega.samples.shop.campaign.Target.PAYMENT;
import static io.alphaomega.samples.shop.campaign.Target.SHIPPING;
import static io.alphaomega.samples.shop.campaign.Target.SHOP;
import static io.alphaomega.samples.shop.campaign.Target.STOCK;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What befalls one process, or two at the same time, and for how long.
 *
 * @param lasting from when they are struck until they are mended
 */
record Blow(List<Strike> strikes, Duration lasting) {
    private static final Duration AWAY_MAX = Duration.ofSeconds(3);
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    /** Longer than Kafka waits for a consumer that says nothing, shorter than a call waits for a service. */
    private static final Duration PAUSE_MAX = Duration.ofSeconds(12);

    /** So many of the blows strike twice. */
    private static final double DOUBLE = 0.25;

    /** What can be done to a process. */
    enum Kind {
        KILL,
        PAUSE,
        /** It is told to end. */
        RESTART,
        /** The service does what alpha has asked it for, and all alphas die before they hear of that. */
        ANSWERS_LOST,
        /** The alpha and everything else do not reach each other. */
        CUT_OFF,
        /** The alpha and the other alphas do not reach each other; the store and the services reach all of them. */
        SPLIT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** One thing that is done to one process. */
    record Strike(Kind kind, Target target) {
        @Override
        public String toString() {
            return kind + " " + target;
        }
    }

    /** What is mended after a while, rather than started again. */
    private static final Set<Kind> LASTING = Set.of(Kind.PAUSE, Kind.CUT_OFF, Kind.SPLIT);

    private static final List<Target> TARGETS = List.of(Target.values());
    private static final List<Target> PROGRAMS = Stream.concat(
                    ALPHAS.stream(), Stream.of(STOCK, PAYMENT, SHIPPING, SHOP, KAFKA))
            .toList();

    /** What befalls in a round; programs are killed twice as often as databases. */
    private static final List<Strike> ALL = Stream.of(
                    TARGETS.stream().map(target -> new Strike(Kind.KILL, target)),
                    PROGRAMS.stream().map(target -> new Strike(Kind.KILL, target)),
                    TARGETS.stream().map(target -> new Strike(Kind.PAUSE, target)),
                    PROGRAMS.stream().map(target -> new Strike(Kind.RESTART, target)),
                    Stream.of(SHOP, STOCK, PAYMENT, SHIPPING).map(target -> new Strike(Kind.ANSWERS_LOST, target)),
                    ALPHAS.stream().map(target -> new Strike(Kind.CUT_OFF, target)),
                    ALPHAS.stream().map(target -> new Strike(Kind.SPLIT, target)))
            .flatMap(each -> each)
            .toList();

    /** How many there are until everything has befallen. */
    static int round() {
        return ALL.size();
    }

    /** So many, in an order and with details that the seed decides. */
    static List<Blow> schedule(long seed, int count) {
        Random random = new Random(seed);
        List<Blow> blows = new ArrayList<>();
        while (blows.size() < count) {
            List<Strike> round = new ArrayList<>(ALL);
            Collections.shuffle(round, random);
            for (Strike first : round) blows.add(random(first, random));
        }
        return List.copyOf(blows.subList(0, count));
    }

    private static Blow random(Strike first, Random random) {
        List<Strike> strikes = new ArrayList<>(List.of(first));
        Strike second =
                new Strike(random.nextBoolean() ? Kind.KILL : Kind.PAUSE, TARGETS.get(random.nextInt(TARGETS.size())));
        boolean apart = !second.target().equals(first.target())
                // Which kills them by itself.
                && !(first.kind() == Kind.ANSWERS_LOST && ALPHAS.contains(second.target()));
        if (random.nextDouble() < DOUBLE && apart) strikes.add(second);
        boolean lasts = strikes.stream().anyMatch(strike -> LASTING.contains(strike.kind()));
        return new Blow(
                List.copyOf(strikes),
                lasts
                        ? pause(random)
                        : AWAY_MAX.multipliedBy(random.nextInt(100)).dividedBy(100));
    }

    /** Short ones more often: as if their logarithms were spread evenly. */
    private static Duration pause(Random random) {
        double ratio = (double) PAUSE_MAX.toMillis() / PAUSE_MIN.toMillis();
        return Duration.ofMillis((long) (PAUSE_MIN.toMillis() * Math.pow(ratio, random.nextDouble())));
    }

    @Override
    public String toString() {
        return strikes.stream().map(Strike::toString).collect(Collectors.joining(" and "))
                + String.format(Locale.ROOT, ", %d ms", lasting.toMillis());
    }
}
