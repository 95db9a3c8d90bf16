package io.alphaomega.server.insight;

import io.alphaomega.server.bulk.BulkOrder;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.meters.Waits;
import io.alphaomega.server.stream.CallbackNeeds.Lack;
import io.alphaomega.server.stream.Instances.Instance;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas.Group;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What people want to see of one node. It fits into one message between nodes, which is lost without a word if it is larger
 * than they may be: of what is too much, the first is told.
 *
 * @param acknowledged how long inputs took of late that wait for the store only
 * @param stored how long appends of sagas took of late, the wait for their batch included
 * @param stuck empty if it does not look for them, or has not yet
 * @param bulk the bulk orders that it knows, the first first
 * @param carriesOut the kinds of bulk orders that it can carry out
 * @param standing what it can see and what it misses; empty from an older node, which does not say
 */
record Insight(
        List<Service> services,
        Rates rates,
        Waits acknowledged,
        Waits stored,
        Optional<StuckView> stuck,
        List<BulkStatus> bulk,
        Set<String> carriesOut,
        Optional<Standing> standing) {
    /** What every version can, also those that do not say. */
    static final Set<String> RETRIES_ONLY = Set.of(BulkTask.Kind.RETRY.name());

    private static final Set<String> ALL =
            Arrays.stream(BulkTask.Kind.values()).map(Enum::name).collect(Collectors.toUnmodifiableSet());

    /** For each of the six lists that may be long. Together they are less than a message. */
    private static final int LIST_BYTES = 75 * 1024;

    /** What an entry takes besides its texts, at most. */
    private static final int ENTRY_BYTES = 64;

    /** Of a letter in UTF-8; those that take four are two in Java. */
    private static final int LETTER_BYTES = 3;

    /**
     * A service as this node sees it.
     *
     * @param callbacks that its instances which are connected can run
     * @param lacking callbacks that open sagas need and none of these instances can run
     * @param further how many instances are not told
     */
    record Service(String name, Set<String> callbacks, List<Lack> lacking, List<Seen> instances, int further) {}

    /**
     * One of its instances; without streams it is gone.
     *
     * @param build empty from an older node, which does not say
     */
    record Seen(String name, String version, String build, int streams, Instant since, Instant seen) {}

    static Insight of(
            List<Instance> instances,
            Function<String, List<Lack>> lacking,
            Rates rates,
            Waits acknowledged,
            Waits stored,
            Optional<StuckView> stuck,
            List<BulkStatus> bulk,
            Standing standing) {
        Space forBulk = new Space();
        List<BulkStatus> latest = bulk.reversed().stream()
                .filter(each -> forBulk.take(text(each.order())))
                .toList();
        return new Insight(
                services(instances, lacking),
                rates,
                acknowledged,
                stored,
                stuck.map(Insight::fitting),
                latest.reversed(),
                ALL,
                Optional.of(standing));
    }

    private static List<Service> services(List<Instance> all, Function<String, List<Lack>> lacking) {
        Map<String, List<Instance>> byService = new TreeMap<>();
        for (Instance each : all)
            byService.computeIfAbsent(each.service(), name -> new ArrayList<>()).add(each);
        List<Service> services = new ArrayList<>();
        Space forInstances = new Space();
        Space forCallbacks = new Space();
        byService.forEach((name, instances) -> {
            if (!forInstances.take(name)) return;
            Set<String> callbacks = new TreeSet<>();
            for (Instance each : instances) if (each.streams() > 0) callbacks.addAll(each.callbacks());
            callbacks.removeIf(callback -> !forCallbacks.take(callback));
            List<Lack> lacks = lacking.apply(name).stream()
                    .filter(lack -> forCallbacks.take(lack.callback()))
                    .toList();
            List<Seen> seen = instances.stream()
                    .sorted(Comparator.comparing(Instance::seen).reversed())
                    .filter(each -> forInstances.take(each.instance() + each.version() + each.build()))
                    .map(Insight::seen)
                    .toList();
            services.add(new Service(name, callbacks, lacks, seen, instances.size() - seen.size()));
        });
        return services;
    }

    private static Seen seen(Instance each) {
        return new Seen(each.instance(), each.version(), each.build(), each.streams(), each.since(), each.seen());
    }

    private static StuckView fitting(StuckView all) {
        Space forGroups = new Space();
        Space forSagas = new Space();
        Space forWaiting = new Space();
        return new StuckView(
                all.asOf(),
                all.stale(),
                all.more(),
                all.open(),
                all.oldestOpen(),
                all.count(),
                all.groups().stream()
                        .filter(group -> forGroups.take(text(group)))
                        .toList(),
                all.sagas().stream().filter(saga -> forSagas.take(text(saga))).toList(),
                all.weight(),
                all.waiting().stream()
                        .filter(group -> forWaiting.take(text(group)))
                        .toList(),
                all.unread());
    }

    private static String text(BulkOrder order) {
        return order.id() + order.operator().who() + order.operator().why() + text(order.task());
    }

    private static String text(BulkTask task) {
        return switch (task) {
            case BulkTask.OfStuck stuck ->
                stuck.chosen().detail().orElse("") + stuck.chosen().service().orElse("");
            case BulkTask.Abort abort ->
                abort.service().orElse("") + abort.operation().orElse("");
        };
    }

    private static String text(Group group) {
        return group.kind().detail()
                + group.kind().service()
                + group.kind().callback().orElse("");
    }

    private static String text(StuckSaga saga) {
        String why = saga.stuck().detail()
                + saga.stuck().service()
                + saga.stuck().callback().orElse("");
        String branch = saga.stuck().branch().map(id -> id.value()).orElse("");
        return saga.id() + saga.initiator() + saga.operation() + saga.businessKey() + why + branch;
    }

    /** Of one list. */
    private static final class Space {
        private int left = LIST_BYTES;

        /** Whether an entry with this text fits; then it has its place. */
        boolean take(String text) {
            int bytes = ENTRY_BYTES + LETTER_BYTES * text.length();
            if (bytes > left) return false;
            left -= bytes;
            return true;
        }
    }
}
