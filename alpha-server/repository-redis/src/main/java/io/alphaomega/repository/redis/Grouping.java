package io.alphaomega.repository.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What goes together into one call. */
final class Grouping {
    private Grouping() {}

    /** Things of one key together, in order, but not more than so many. */
    static <T, K> List<List<T>> of(List<T> things, Function<T, K> key, int max) {
        Map<K, List<T>> open = new LinkedHashMap<>();
        List<List<T>> groups = new ArrayList<>();
        for (T thing : things) {
            K its = key.apply(thing);
            List<T> group = open.get(its);
            if (group == null || group.size() == max) {
                group = new ArrayList<>();
                open.put(its, group);
                groups.add(group);
            }
            group.add(thing);
        }
        return groups;
    }
}
