package io.alphaomega.server.stream;

import io.alphaomega.server.stream.Instances.Instance;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names instances of one service of which each offers callbacks that the other does not: two applications with one name,
 * or versions between which a callback was renamed without an alias. A version that only has more than the one before is
 * nothing to speak of. Not safe for several threads.
 */
final class Strangers {
    private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);

    /** Who makes up names must not fill the memory; beyond it, what was said may be said again. */
    private static final int SAID_MAX = 1_000;

    /** Some are enough to recognise an application by. */
    private static final int NAMED_MAX = 5;

    private record Difference(String service, Set<String> one, Set<String> other) {}

    /** The instances that are here, by what they offer: mostly all of a service offer the same. */
    private final Map<String, Map<Set<String>, Set<String>>> here = new HashMap<>();

    private final Set<Difference> said = new HashSet<>();

    /** An instance is here: says of each difference once that there is one, in whichever order the two come. */
    void came(Instance instance) {
        Map<Set<String>, Set<String>> sisters = here.computeIfAbsent(instance.service(), first -> new HashMap<>());
        if (sisters.computeIfAbsent(instance.callbacks(), first -> new LinkedHashSet<>())
                .add(instance.instance())) {
            sisters.forEach((callbacks, instances) -> {
                if (!callbacks.equals(instance.callbacks())) {
                    compare(instance, callbacks, instances.iterator().next());
                }
            });
        }
    }

    void left(Instance instance) {
        here.computeIfPresent(instance.service(), (service, sisters) -> {
            sisters.computeIfPresent(instance.callbacks(), (callbacks, instances) -> {
                instances.remove(instance.instance());
                return instances.isEmpty() ? null : instances;
            });
            return sisters.isEmpty() ? null : sisters;
        });
    }

    private void compare(Instance instance, Set<String> others, String other) {
        SortedSet<String> mine = without(instance.callbacks(), others);
        SortedSet<String> its = without(others, instance.callbacks());
        if (mine.isEmpty() || its.isEmpty()) return;
        if (said.contains(new Difference(instance.service(), its, mine))) return;
        if (said.size() >= SAID_MAX) said.clear();
        if (!said.add(new Difference(instance.service(), mine, its))) return;
        LOG.warn(
                "Service '{}': instance {} offers callbacks that instance {} does not ({}), and lacks others that it offers"
                        + " ({}). Alpha calls any instance of a service, and tries again when it was the wrong one. If"
                        + " these are two applications, give each a spring.application.name of its own; if a callback was"
                        + " renamed, say its old name in aliases.",
                instance.service(),
                instance.instance(),
                other,
                named(mine),
                named(its));
    }

    private static SortedSet<String> without(Set<String> some, Set<String> others) {
        SortedSet<String> left = new TreeSet<>(some);
        left.removeAll(others);
        return left;
    }

    private static String named(SortedSet<String> callbacks) {
        String some = callbacks.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        return callbacks.size() <= NAMED_MAX ? some : some + ", …";
    }
}
