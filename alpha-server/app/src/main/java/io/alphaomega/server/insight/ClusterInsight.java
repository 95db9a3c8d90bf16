package io.alphaomega.server.insight;

import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.meters.Waits;
import io.alphaomega.server.stream.CallbackNeeds.Lack;
import io.alphaomega.server.sweep.StuckSagas.Group;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What people want to see of the cluster.
 *
 * @param silent the addresses of the nodes that did not answer in time: what only they know is missing
 * @param services by name: those that are connected, were within the last hour, or that stuck sagas wait for
 * @param acknowledged how long inputs took in the last ten seconds that wait for the store only
 * @param stored how long appends of sagas took in the last ten seconds, the wait for their batch included
 * @param stuck as it was looked at last; empty while no node that answers has looked
 * @param stuckUnknown since when nobody knows what is stuck; empty while it is known
 * @param bulk the bulk orders, the last first
 * @param carriesOut by node, the kinds of bulk orders that it can carry out
 * @param troubles what keeps alpha from working or from seeing all there is; the one that explains most first
 */
public record ClusterInsight(
        List<String> silent,
        List<Service> services,
        Rates rates,
        Waits acknowledged,
        Waits stored,
        Optional<StuckView> stuck,
        Optional<Instant> stuckUnknown,
        List<BulkStatus> bulk,
        Map<String, Set<String>> carriesOut,
        List<Trouble> troubles) {

    /**
     * A service.
     *
     * @param callbacks that its instances which are connected can run
     * @param missing callbacks that open sagas need or may need and none of these instances can run; none while a node is
     *     silent
     * @param lacking those of them that were missed when a build connected or left, with how many sagas need them
     * @param instances those that are connected first, then those seen last
     * @param further how many instances are not told, at least
     * @param stuck how many sagas are stuck because of it
     */
    public record Service(
            String name,
            Set<String> callbacks,
            Set<String> missing,
            List<Lack> lacking,
            List<Instance> instances,
            int further,
            int stuck) {
        /** Whether any instance is connected. */
        public boolean isConnected() {
            return instances.stream().anyMatch(Instance::isConnected);
        }

        /** By build, how many instances are connected, of those that are told. */
        public SortedMap<String, Integer> builds() {
            SortedMap<String, Integer> builds = new TreeMap<>();
            for (Instance each : instances) {
                if (each.isConnected() && !each.build().isEmpty()) builds.merge(each.build(), 1, Integer::sum);
            }
            return builds;
        }
    }

    /**
     * An instance of a service.
     *
     * @param name as it says it
     * @param version of its omega
     * @param build of the service that it is; empty if only older nodes know it, which do not say
     * @param streams how many it has to alphas
     * @param nodes to which it has streams; none if it is gone
     * @param since when its first stream opened
     * @param seen when it was last there
     */
    public record Instance(
            String name, String version, String build, int streams, Set<String> nodes, Instant since, Instant seen) {
        /** Whether it has a stream to any node. */
        public boolean isConnected() {
            return streams > 0;
        }
    }

    /** Those of {@code names} of which no instance is connected; none while a node is silent, which may have one. */
    public List<String> absent(Collection<String> names) {
        if (!silent.isEmpty()) return List.of();
        return names.stream()
                .distinct()
                .filter(name -> services.stream().noneMatch(each -> each.name().equals(name) && each.isConnected()))
                .toList();
    }

    /** Of what is known of a number of sagas that are stuck: empty where nobody could look. */
    public Optional<StuckView> knownStuck() {
        return stuckUnknown.isPresent() ? Optional.empty() : stuck;
    }

    /** @param troubles that this node has had before */
    static ClusterInsight of(Map<String, Optional<Insight>> byNode, Troubles troubles, Instant now) {
        List<Insight> heard = byNode.values().stream().flatMap(Optional::stream).toList();
        Optional<StuckView> stuck = latest(heard);
        Troubles.Seen seen = troubles.look(byNode, now);
        return new ClusterInsight(
                byNode.entrySet().stream()
                        .filter(each -> each.getValue().isEmpty())
                        .map(Map.Entry::getKey)
                        .toList(),
                services(byNode, stuck.map(StuckView::groups).orElse(List.of())),
                Rates.sum(heard.stream().map(Insight::rates).toList()),
                heard.stream().map(Insight::acknowledged).reduce(Waits.NONE, Waits::plus),
                heard.stream().map(Insight::stored).reduce(Waits.NONE, Waits::plus),
                stuck,
                seen.stuckUnknown(),
                bulk(heard),
                carriesOut(byNode),
                seen.troubles());
    }

    /** Of two nodes that have looked, one does so no longer. */
    static Optional<StuckView> latest(Collection<Insight> heard) {
        return heard.stream().flatMap(each -> each.stuck().stream()).max(Comparator.comparing(StuckView::asOf));
    }

    /** The nodes, older than this one, that would not carry out the order. */
    public List<String> without(BulkOrder order) {
        if (order.isPlainRetry()) return List.of();
        String kind = order.task().kind().name();
        return nodes(kinds -> !kinds.contains(kind) || kinds.equals(Insight.RETRIES_ONLY));
    }

    /** The nodes that know no orders for many sagas but to retry them. */
    public List<String> retryingOnly() {
        return nodes(Insight.RETRIES_ONLY::equals);
    }

    private List<String> nodes(Predicate<Set<String>> kinds) {
        return carriesOut.entrySet().stream()
                .filter(node -> kinds.test(node.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Map<String, Set<String>> carriesOut(Map<String, Optional<Insight>> byNode) {
        Map<String, Set<String>> kinds = new TreeMap<>();
        byNode.forEach((node, insight) -> insight.ifPresent(heard -> kinds.put(node, heard.carriesOut())));
        return kinds;
    }

    /** Of each, what the node says that carries it out, or that it is over; cancelled as soon as one node knows that. */
    private static List<BulkStatus> bulk(List<Insight> heard) {
        Map<String, BulkStatus> byId = new HashMap<>();
        for (Insight insight : heard) {
            for (BulkStatus each : insight.bulk()) {
                byId.merge(each.order().id(), each, ClusterInsight::further);
            }
        }
        return byId.values().stream()
                .sorted(Comparator.comparing((BulkStatus each) -> each.order().at())
                        .reversed())
                .toList();
    }

    private static BulkStatus further(BulkStatus one, BulkStatus other) {
        BulkStatus further = other.progress().isEmpty()
                        || one.progress().filter(BulkStatus.Progress::over).isPresent()
                ? one
                : other;
        boolean isCancelled = one.order().cancelled() || other.order().cancelled();
        return new BulkStatus(
                isCancelled ? further.order().cancel() : further.order(),
                further.progress(),
                Stream.of(one, other).flatMap(each -> each.fate().stream()).reduce(BulkStatus.Fate::later));
    }

    private static final class Gathered {
        final Set<String> callbacks = new TreeSet<>();
        final Set<String> needed = new TreeSet<>();
        final Map<String, Lack> lacking = new TreeMap<>();
        final Map<String, Instance> instances = new HashMap<>();
        int further;
        int stuck;

        /** @param whole whether all nodes have said who is connected */
        Service service(String name, boolean whole) {
            Set<String> missing = whole ? new TreeSet<>(needed) : new TreeSet<>();
            missing.removeAll(callbacks);
            lacking.keySet().retainAll(missing);
            List<Instance> sorted = new ArrayList<>(instances.values());
            sorted.sort(Comparator.comparing(Instance::isConnected)
                    .thenComparing(Instance::seen)
                    .reversed()
                    .thenComparing(Instance::name));
            return new Service(name, callbacks, missing, List.copyOf(lacking.values()), sorted, further, stuck);
        }
    }

    private static List<Service> services(Map<String, Optional<Insight>> byNode, Collection<Group> stuck) {
        Map<String, Gathered> gathered = new TreeMap<>();
        byNode.forEach((node, insight) -> {
            for (Insight.Service service : insight.map(Insight::services).orElse(List.of())) {
                Gathered of = gathered.computeIfAbsent(service.name(), name -> new Gathered());
                of.callbacks.addAll(service.callbacks());
                of.further += service.further();
                for (Lack lack : service.lacking()) {
                    of.needed.add(lack.callback());
                    of.lacking.merge(lack.callback(), lack, ClusterInsight::larger);
                }
                for (Insight.Seen seen : service.instances()) {
                    of.instances.merge(seen.name(), instance(node, seen), ClusterInsight::merged);
                }
            }
        });
        for (Group group : stuck) {
            Gathered of = gathered.computeIfAbsent(group.kind().service(), name -> new Gathered());
            of.stuck += group.count();
            group.kind().callback().ifPresent(of.needed::add);
        }
        boolean whole = byNode.values().stream().allMatch(Optional::isPresent);
        return gathered.entrySet().stream()
                .map(each -> each.getValue().service(each.getKey(), whole))
                .toList();
    }

    /** Both have looked at the sagas of all nodes. */
    private static Lack larger(Lack one, Lack other) {
        return one.sagas() < other.sagas() ? other : one;
    }

    private static Instance instance(String node, Insight.Seen seen) {
        Set<String> nodes = seen.streams() > 0 ? Set.of(node) : Set.of();
        return new Instance(
                seen.name(), seen.version(), seen.build(), seen.streams(), nodes, seen.since(), seen.seen());
    }

    private static Instance merged(Instance one, Instance other) {
        Set<String> nodes = new TreeSet<>(one.nodes());
        nodes.addAll(other.nodes());
        return new Instance(
                one.name(),
                one.version(),
                one.build().isEmpty() ? other.build() : one.build(),
                one.streams() + other.streams(),
                nodes,
                one.since().isBefore(other.since()) ? one.since() : other.since(),
                one.seen().isAfter(other.seen()) ? one.seen() : other.seen());
    }
}
