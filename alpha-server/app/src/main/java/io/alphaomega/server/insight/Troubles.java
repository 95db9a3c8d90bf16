package io.alphaomega.server.insight;

import io.alphaomega.server.insight.Trouble.Kind;
import io.alphaomega.server.saga.SagaSharding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What this node has seen to be amiss, and since when. What the nodes do not date themselves began when this node first saw
 * it. Safe for many threads.
 */
final class Troubles {
    /** The next look is there by then, also after a start and after the loss of the node that looks. */
    private static final Duration LOOKS_WITHIN = Duration.ofSeconds(10);

    /** What moves between nodes that come and leave in order has a home again by then. */
    private static final Duration MOVES_WITHIN = Duration.ofSeconds(3);

    private static final Comparator<Trouble> MOST_FIRST =
            Comparator.comparing(Trouble::kind).thenComparing(Trouble::subject);

    /** What tells troubles apart. */
    private record Key(Kind kind, String subject) {
        static Key of(Trouble trouble) {
            return new Key(trouble.kind(), trouble.subject());
        }
    }

    /**
     * What one look at all nodes has shown.
     *
     * @param stuckUnknown since when nobody knows what is stuck; empty while it is known
     */
    record Seen(List<Trouble> troubles, Optional<Instant> stuckUnknown) {}

    private final Map<Key, Instant> before = new HashMap<>();

    /** When sagas were last looked for, as far as this node knows; at the earliest when it came. */
    private Instant lookedAt;

    Troubles(Instant now) {
        this.lookedAt = now;
    }

    /** @param byNode what the nodes have just said; empty for those that did not answer */
    synchronized Seen look(Map<String, Optional<Insight>> byNode, Instant now) {
        List<Insight> heard = byNode.values().stream().flatMap(Optional::stream).toList();
        Optional<Instant> stuckUnknown = stuckUnknown(heard);
        List<Trouble> found = new ArrayList<>();
        found.addAll(storeAway(byNode));
        found.addAll(missing(byNode, heard));
        byNode.forEach((node, insight) -> {
            if (insight.isEmpty()) found.add(new Trouble(Kind.NODE_SILENT, node, 0, Optional.empty()));
        });
        homeless(heard).ifPresent(found::add);
        stuckUnknown.ifPresent(since -> found.add(new Trouble(Kind.STUCK_UNKNOWN, "", 0, Optional.of(since))));
        listBehind(heard).ifPresent(found::add);
        before.keySet().retainAll(found.stream().map(Key::of).toList());
        List<Trouble> dated = found.stream()
                .map(each -> dated(each, now))
                .filter(each -> isLasting(each, now))
                .sorted(MOST_FIRST)
                .toList();
        return new Seen(dated, stuckUnknown);
    }

    private Trouble dated(Trouble trouble, Instant now) {
        Instant since = before.computeIfAbsent(Key.of(trouble), first -> now);
        return new Trouble(
                trouble.kind(),
                trouble.subject(),
                trouble.count(),
                trouble.since().or(() -> Optional.of(since)));
    }

    /** What is over by itself in a moment, whenever nodes come and go, is not told. */
    private static boolean isLasting(Trouble trouble, Instant now) {
        Duration told =
                switch (trouble.kind()) {
                    case STORE_AWAY, NODE_MISSING, NODE_SILENT -> Duration.ZERO;
                    case SHARDS_HOMELESS -> MOVES_WITHIN;
                    case STUCK_UNKNOWN, LIST_BEHIND -> LOOKS_WITHIN;
                };
        return !trouble.since().orElse(now).isAfter(now.minus(told));
    }

    private Optional<Instant> stuckUnknown(List<Insight> heard) {
        Optional<StuckView> latest = ClusterInsight.latest(heard);
        latest.map(StuckView::asOf).filter(lookedAt::isBefore).ifPresent(asOf -> lookedAt = asOf);
        return latest.filter(view -> !view.stale()).isPresent() ? Optional.empty() : Optional.of(lookedAt);
    }

    /** One for all if no node that answers has it, otherwise one for each that does not. */
    private static List<Trouble> storeAway(Map<String, Optional<Insight>> byNode) {
        Map<String, Instant> away = new TreeMap<>();
        byNode.forEach((node, insight) -> insight.flatMap(Insight::standing)
                .flatMap(Standing::storeAway)
                .ifPresent(since -> away.put(node, since)));
        if (away.isEmpty()) return List.of();
        long heard = byNode.values().stream().flatMap(Optional::stream).count();
        if (away.size() == heard) {
            return List.of(
                    new Trouble(Kind.STORE_AWAY, "", 0, away.values().stream().min(Comparator.naturalOrder())));
        }
        return away.entrySet().stream()
                .map(each -> new Trouble(Kind.STORE_AWAY, each.getKey(), 0, Optional.of(each.getValue())))
                .toList();
    }

    private static List<Trouble> missing(Map<String, Optional<Insight>> byNode, List<Insight> heard) {
        Map<String, Instant> missing = new TreeMap<>();
        for (Insight insight : heard) {
            insight.standing()
                    .map(Standing::missing)
                    .orElse(Map.of())
                    .forEach((node, since) ->
                            missing.merge(node, since, (one, other) -> one.isBefore(other) ? one : other));
        }
        missing.keySet().removeAll(byNode.keySet());
        return missing.entrySet().stream()
                .map(each -> new Trouble(Kind.NODE_MISSING, each.getKey(), 0, Optional.of(each.getValue())))
                .toList();
    }

    /** Those of a node that does not say how many it has are not known to lack one. */
    private static Optional<Trouble> homeless(List<Insight> heard) {
        if (heard.stream().anyMatch(insight -> insight.standing().isEmpty())) return Optional.empty();
        int homes = heard.stream()
                .flatMap(insight -> insight.standing().stream())
                .mapToInt(Standing::shards)
                .sum();
        return homes >= SagaSharding.SHARDS
                ? Optional.empty()
                : Optional.of(new Trouble(Kind.SHARDS_HOMELESS, "", SagaSharding.SHARDS - homes, Optional.empty()));
    }

    private static Optional<Trouble> listBehind(List<Insight> heard) {
        List<Standing.Backlog> lists = heard.stream()
                .flatMap(insight -> insight.standing().stream())
                .flatMap(standing -> standing.list().stream())
                .toList();
        if (lists.stream().noneMatch(Standing.Backlog::away)) return Optional.empty();
        long pending = lists.stream().mapToLong(Standing.Backlog::pending).sum();
        return Optional.of(new Trouble(Kind.LIST_BEHIND, "", pending, Optional.empty()));
    }
}
