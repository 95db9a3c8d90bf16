package io.alphaomega.server.node;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What a node watches where a test watches something else: it looks once an hour, so never. */
final class Quiet {
    static final Duration LONG = Duration.ofHours(1);

    static final StreamBalance.Settings STREAMS = new StreamBalance.Settings(() -> 0, count -> {}, LONG);

    static final ClusterWatch.Settings CLUSTER =
            new ClusterWatch.Settings("alpha", List.of(), false, new AtomicInteger(), () -> false, LONG, () -> {});

    static final StoreWatch.Settings STORE =
            new StoreWatch.Settings(() -> Duration.ZERO, () -> Duration.ZERO, LONG, true, () -> {});

    static final SingletonWatch.Settings SINGLETONS = new SingletonWatch.Settings(LONG, () -> {});

    private Quiet() {}
}
