package io.alphaomega.server.node;

import akka.actor.typed.ActorSystem;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Whether this node's clock is that of its cluster. A node whose clock is wrong ends what is healthy when it is given the
 * sagas of others, or lets them wait.
 *
 * <p>Who is right is a rule that all nodes come to the same answer by. More than half of the nodes whose clocks agree are
 * right. Where there are no such, as of two nodes, the oldest is. So never all are wrong, and of two never both.
 */
public final class Clocks {
    /** The oldest node may have joined a moment ago itself, and not answer yet. */
    private static final int LOOKS = 5;

    private static final double MILLIS = 1_000.0;

    /**
     * A node's clock, as this one sees it.
     *
     * @param offset empty if the node did not answer, or is too old to
     */
    record Reading(String node, boolean self, Optional<ClockOffset> offset) {
        /** Whether both are known, and too far apart. */
        boolean isApartFrom(Reading other) {
            return offset.isPresent()
                    && other.offset.isPresent()
                    && offset.get().isApartFrom(other.offset.get());
        }
    }

    private final Clock clock;
    private volatile List<Reading> seen = List.of();

    Clocks(Clock clock, MeterRegistry registry) {
        this.clock = clock;
        TimeGauge.builder("alpha.clock.offset", this, TimeUnit.SECONDS, Clocks::offset)
                .description(
                        "How far this node's clock is ahead of those of the others, of three or more of the middle one; NaN while it is alone")
                .register(registry);
    }

    /**
     * The middle one of what it is ahead of all nodes, itself among them: one wrong clock of three is that of one node. Of
     * two there is no middle one, and each shows how far it is from the other.
     */
    private double offset() {
        List<Duration> ahead = seen.stream()
                .flatMap(reading -> reading.offset().stream())
                .map(ClockOffset::ahead)
                .sorted()
                .toList();
        return switch (ahead.size()) {
            case 0, 1 -> Double.NaN;
            case 2 -> -ahead.getFirst().plus(ahead.getLast()).toMillis() / MILLIS;
            default -> -ahead.get((ahead.size() - 1) / 2).toMillis() / MILLIS;
        };
    }

    /** Why this node must leave, when the nodes were last looked at; empty if it need not. */
    public Optional<String> wrong() {
        return wrong(seen, false);
    }

    /** Asks every member that is up for its time; the oldest first, this one among them. */
    CompletableFuture<List<Reading>> look(ActorSystem<?> system) {
        Cluster cluster = Cluster.get(system);
        List<Member> up = Nodes.byAge(cluster.state()).stream()
                .filter(member -> member.status().equals(MemberStatus.up()))
                .toList();
        List<CompletableFuture<Reading>> readings = up.stream()
                .map(member -> {
                    String node = Nodes.hostAndPort(member.address());
                    if (member.uniqueAddress().equals(cluster.selfMember().uniqueAddress())) {
                        return CompletableFuture.completedFuture(
                                new Reading(node, true, Optional.of(ClockOffset.NONE)));
                    }
                    return Nodes.measure(member, system, clock)
                            .thenApply(heard -> new Reading(node, false, heard.flatMap(Nodes.Heard::offset)));
                })
                .toList();
        return CompletableFuture.allOf(readings.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    seen = readings.stream().map(CompletableFuture::join).toList();
                    return seen;
                });
    }

    /**
     * The last word on a node that has joined, before it is given sagas. If the oldest node says nothing of its clock, the
     * others' decide later.
     *
     * @throws RefusedPropertyException if it must leave again
     */
    void admit(ActorSystem<?> joined) {
        for (int looks = 0; looks < LOOKS; looks++) {
            List<Reading> readings = look(joined).join();
            Optional<String> wrong = wrong(readings, true);
            if (wrong.isPresent()) throw new RefusedPropertyException(wrong.get());
            if (readings.isEmpty() || readings.getFirst().offset().isPresent()) return;
        }
    }

    /**
     * Why this node's clock is wrong; empty if it is not, or nobody can tell.
     *
     * @param readings of all nodes, the oldest first
     * @param joins whether the node has come just now. Then the oldest decides also where not all answer: who is refused by
     *     mistake comes again
     */
    static Optional<String> wrong(List<Reading> readings, boolean joins) {
        Optional<Reading> own = readings.stream().filter(Reading::self).findFirst();
        if (own.isEmpty()) return Optional.empty();
        boolean majority = false;
        for (Reading each : readings) {
            List<Reading> group = agreeing(each, readings);
            List<Reading> others = group.stream().filter(own.get()::isApartFrom).toList();
            if (isMajority(others, readings)) return Optional.of(sentence(others));
            majority |= isMajority(group, readings);
        }
        boolean allKnown =
                readings.stream().allMatch(reading -> reading.offset().isPresent());
        Reading oldest = readings.getFirst();
        return !majority && (allKnown || joins) && own.get().isApartFrom(oldest)
                ? Optional.of(sentence(List.of(oldest)))
                : Optional.empty();
    }

    private static boolean isMajority(List<Reading> group, List<Reading> all) {
        return 2 * group.size() > all.size();
    }

    /**
     * The nodes that may all show the same time, the earliest that this one may show. Where intervals meet in pairs there
     * is a point in all of them, and one of the intervals begins there: so no larger group is missed.
     */
    private static List<Reading> agreeing(Reading earliest, List<Reading> readings) {
        if (earliest.offset().isEmpty()) return List.of();
        Duration point = begin(earliest);
        return readings.stream()
                .filter(reading -> reading.offset().isPresent())
                .filter(reading ->
                        begin(reading).compareTo(point) <= 0 && end(reading).compareTo(point) >= 0)
                .toList();
    }

    private static Duration begin(Reading reading) {
        ClockOffset offset = reading.offset().orElseThrow();
        return offset.ahead().minus(offset.error()).minus(ClockOffset.MOST.dividedBy(2));
    }

    private static Duration end(Reading reading) {
        ClockOffset offset = reading.offset().orElseThrow();
        return offset.ahead().plus(offset.error()).plus(ClockOffset.MOST.dividedBy(2));
    }

    private static String sentence(List<Reading> right) {
        Duration ahead = right.stream()
                .flatMap(reading -> reading.offset().stream())
                .map(ClockOffset::ahead)
                .sorted(Comparator.naturalOrder())
                .toList()
                .get((right.size() - 1) / 2);
        List<String> nodes = right.stream().map(Reading::node).toList();
        return "This node's clock is %.1f s %s that of %s, and nodes of a cluster may be %d s apart at most: set the clock of its machine, by NTP."
                .formatted(
                        ahead.abs().toMillis() / MILLIS,
                        ahead.isNegative() ? "ahead of" : "behind",
                        nodes.size() == 1
                                ? "%s, the oldest node of the cluster".formatted(nodes.getFirst())
                                : "most nodes of the cluster, %s".formatted(String.join(", ", nodes)),
                        ClockOffset.MOST.toSeconds());
    }
}
