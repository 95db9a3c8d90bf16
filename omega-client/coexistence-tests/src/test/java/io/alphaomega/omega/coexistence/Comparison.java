package io.alphaomega.omega.coexistence;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is different about a service with omega.
 *
 * @param changes lines of what it had and has not, or has otherwise
 * @param additions lines of beans that are new and not omega's
 * @param order what stands where of the service's configurations without omega, and what with it
 */
record Comparison(SortedSet<String> changes, SortedSet<String> additions, Order order) {
    private static final String ORDER = "order";
    private static final String BEAN = "bean ";
    private static final String OURS = "io.alphaomega.";

    /** Of those configurations that are there both times. */
    record Order(List<String> without, List<String> with) {}

    static Comparison of(SortedMap<String, String> without, SortedMap<String, String> with) {
        SortedSet<String> changes = new TreeSet<>();
        SortedSet<String> additions = new TreeSet<>();
        without.forEach((key, value) -> {
            String now = with.get(key);
            if (!key.equals(ORDER) && !value.equals(now)) {
                changes.add("%s: %s -> %s".formatted(key, value, Objects.requireNonNullElse(now, "gone")));
            }
        });
        with.forEach((key, value) -> {
            boolean ours = key.contains(OURS) || value.contains(OURS);
            if (!ours && key.startsWith(BEAN) && !without.containsKey(key)) additions.add(key + ": " + value);
        });
        return new Comparison(changes, additions, new Order(ordered(without, with), ordered(with, without)));
    }

    private static List<String> ordered(SortedMap<String, String> these, SortedMap<String, String> those) {
        List<String> all = new ArrayList<>(these.getOrDefault(ORDER, "").lines().toList());
        all.retainAll(those.getOrDefault(ORDER, "").lines().toList());
        return all;
    }
}
