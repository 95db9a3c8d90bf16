package io.alphaomega.samples.bank.campaign;

import io.alphaomega.repository.servers.Network;
import io.alphaomega.repository.servers.Network.Link;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Something that is to be broken, and for how long.
 *
 * @param node the alpha that it concerns, if it is about one
 * @param shape of a partition
 * @param dice for whatever else is to be chosen
 */
record Blow(Kind kind, int node, Shape shape, Duration lasting, int dice) {
    private static final Duration AWAY_MAX = Duration.ofSeconds(3);
    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

    /** Less than it takes to be given up: those that are over just when that is decided are the trickiest. */
    private static final Duration PARTITION_MIN = Duration.ofSeconds(2);

    private static final Duration PARTITION_MAX = Duration.ofSeconds(15);
    private static final Duration SHORT_MAX = Duration.ofSeconds(10);

    /** Most are so much shorter than if their logarithms were spread evenly: more blows fit into an hour. */
    private static final double BREVITY = 1.5;

    /** What can be done; the names are those of the report. */
    enum Kind {
        KILL,
        PAUSE,
        PARTITION,
        ROLLING_RESTART,
        STORE_KILL,
        STORE_PAUSE,
        STORE_SLOW,
        SERVICE_KILL,
        SERVICE_PAUSE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Between whom a partition is. */
    enum Shape {
        /** The node and the other nodes; store and clients reach both sides. */
        HALVES,
        /** The node and everything else. */
        ONE_NODE,
        /** What the node says to other nodes is lost; it hears them. */
        ONE_WAY,
        /** The node's neighbours do not reach each other, but both reach the node. */
        BRIDGE,
        /** Each node hears its one neighbour only. */
        RING,
        /** The node and store and clients; the other nodes reach it. */
        STORE;

        Set<Link> links(int node) {
            Stream<Link> cut =
                    switch (this) {
                        case HALVES -> peers(node).flatMap(peer -> both(node, peer));
                        case ONE_NODE ->
                            Stream.concat(Stream.of(Network.HOST), peers(node)).flatMap(other -> both(node, other));
                        case ONE_WAY -> peers(node).map(peer -> new Link(node, peer));
                        case BRIDGE ->
                            peers(node)
                                    .flatMap(one -> peers(node)
                                            .filter(other -> !other.equals(one))
                                            .map(other -> new Link(one, other)));
                        case RING ->
                            IntStream.rangeClosed(1, Stage.ALPHAS)
                                    .mapToObj(one -> new Link(one, one % Stage.ALPHAS + 1));
                        case STORE -> both(node, Network.HOST);
                    };
            return cut.collect(Collectors.toSet());
        }

        private static Stream<Integer> peers(int node) {
            return IntStream.rangeClosed(1, Stage.ALPHAS).filter(n -> n != node).boxed();
        }

        private static Stream<Link> both(int one, int other) {
            return Stream.of(new Link(one, other), new Link(other, one));
        }
    }

    /** What it is counted as: its kind, and of a partition the shape. */
    String label() {
        return kind == Kind.PARTITION
                ? kind + "-" + shape.name().toLowerCase(Locale.ROOT).replace('_', '-')
                : kind.toString();
    }

    /**
     * So many of each kind, in an order and with details that the seed decides. The times of a kind go from its shortest
     * to its longest, whatever the seed.
     */
    static List<Blow> schedule(long seed, Map<Kind, Integer> counts, Duration pauseMax) {
        Random random = new Random(seed);
        List<Blow> blows = new ArrayList<>();
        new EnumMap<>(counts).forEach((kind, count) -> {
            for (int i = 0; i < count; i++) {
                int node = 1 + random.nextInt(Stage.ALPHAS);
                // Each shape as often as the others, however few there are.
                Shape shape = Shape.values()[Math.floorMod(seed + i, Shape.values().length)];
                double share = (i + random.nextDouble()) / count;
                blows.add(new Blow(kind, node, shape, lasting(kind, share, pauseMax), random.nextInt(1 << 20)));
            }
        });
        Collections.shuffle(blows, random);
        return blows;
    }

    private static Duration lasting(Kind kind, double share, Duration pauseMax) {
        return switch (kind) {
            case KILL, STORE_KILL, SERVICE_KILL, ROLLING_RESTART -> between(Duration.ZERO, AWAY_MAX, share);
            case PAUSE -> skewed(PAUSE_MIN, pauseMax, share);
            case PARTITION -> skewed(PARTITION_MIN, min(PARTITION_MAX, pauseMax.plusSeconds(2)), share);
            case STORE_PAUSE, STORE_SLOW, SERVICE_PAUSE -> skewed(PAUSE_MIN, min(SHORT_MAX, pauseMax), share);
        };
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Duration between(Duration least, Duration most, double share) {
        return least.plusMillis((long) (share * most.minus(least).toMillis()));
    }

    /** Short ones more often, so that many fit in. */
    private static Duration skewed(Duration least, Duration most, double share) {
        double ratio = (double) most.toMillis() / least.toMillis();
        return Duration.ofMillis((long) (least.toMillis() * Math.pow(ratio, Math.pow(share, BREVITY))));
    }

    @Override
    public String toString() {
        String what =
                switch (kind) {
                    case KILL, PAUSE -> "alpha-" + node;
                    case PARTITION -> shape + " alpha-" + node;
                    case ROLLING_RESTART, STORE_KILL, STORE_PAUSE, STORE_SLOW, SERVICE_KILL, SERVICE_PAUSE -> "";
                };
        return "%s %s %d ms".formatted(kind, what, lasting.toMillis());
    }
}
