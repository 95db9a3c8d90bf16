package io.alphaomega.benchmark.figures;

import java.util.List;

/**
 * A load by several generators, as somebody else's benchmark has it.
 *
 * @param nodes alphas, one cluster
 * @param agents generators, each a process
 * @param arguments of {@code alpha-benchmark run}, for all together
 */
record Spread(String name, Store store, int nodes, int agents, List<String> arguments) {
    static final List<Spread> ALL = List.of(
            // DTM's run of its empty business on Redis.
            new Spread(
                    "dtm-redis-million",
                    Store.REDIS_EVERYSEC,
                    1,
                    2,
                    List.of("-n", "1000000", "-c", "10", "--branches", "2", "--warmup", "30s")),
            // ServiceComb Pack's cluster: three generators of 500 threads with 50,000 sagas each.
            new Spread(
                    "pack-cluster",
                    Store.REDIS_EVERYSEC,
                    2,
                    3,
                    List.of("-n", "150000", "-c", "1500", "--branches", "3", "--warmup", "30s")));
}
