package io.alphaomega.server.node;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;

/**
 * Which shards of the sagas this node has.
 *
 * <ul>
 *   <li>{@code alpha.shards}: how many
 *   <li>{@code alpha.shard.moves}: how many it took over ({@code kind=taken}) and handed over ({@code kind=given}), the
 *       first ones after the start among them
 * </ul>
 */
final class ShardMetrics {
    private final Counter taken;
    private final Counter given;
    private volatile Set<String> shards = Set.of();

    ShardMetrics(MeterRegistry registry) {
        Gauge.builder("alpha.shards", this, ShardMetrics::count)
                .description("Shards of the sagas that this node has")
                .register(registry);
        taken = moves(registry, "taken");
        given = moves(registry, "given");
    }

    private static Counter moves(MeterRegistry registry, String kind) {
        return Counter.builder("alpha.shard.moves")
                .description("Shards that came to this node and left it")
                .tag("kind", kind)
                .register(registry);
    }

    void counted(Set<String> now) {
        Set<String> before = shards;
        shards = now;
        taken.increment(missing(now, before));
        given.increment(missing(before, now));
    }

    private static double missing(Set<String> of, Set<String> in) {
        return of.stream().filter(shard -> !in.contains(shard)).count();
    }

    int count() {
        return shards.size();
    }
}
