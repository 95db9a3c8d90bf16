package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.TypicalLoad;
import io.alphaomega.repository.servers.ElasticsearchServer;
import java.time.Duration;

/**
 * Measures, by hand, what an append costs by the number of branches of its saga, and by how many sagas are stored: up to
 * the number that is the second argument. The first is the version.
 */
final class AppendScale {
    private static final int BATCH = 64;
    private static final int LANES = 4;

    private final ProcessHandle node;

    private AppendScale(ProcessHandle node) {
        this.node = node;
    }

    public static void main(String[] arguments) throws Exception {
        long most = Long.parseLong(arguments[1]);
        try (ElasticsearchServer server =
                        ElasticsearchServer.start(arguments[0], "-XX:TieredStopAtLevel=4", "-Xmx1g", "-Xms1g");
                SagaRepository repository =
                        new ElasticsearchSagaRepository(ElasticsearchStore.settings(server.port()))) {
            // Connected before there are many who would wait for that.
            repository.durability();
            AppendScale scale =
                    new AppendScale(ProcessHandle.of(server.process().pid()).orElseThrow());
            new TypicalLoad(repository, BATCH, LANES, 3).appends(60_000);
            for (int branches : new int[] {1, 10, 100, 500}) {
                // So many at a time that they end.
                int batch = Math.min(BATCH, 20_000 / LANES / (2 + 2 * branches));
                scale.measure(branches + " branches", new TypicalLoad(repository, batch, LANES, branches), 20_000);
            }
            TypicalLoad load = new TypicalLoad(repository, BATCH, LANES, 3);
            for (long stored = stored(repository); stored < most; stored = stored(repository)) {
                load.appends(8 * Math.min(stored, most - stored));
                scale.measure(stored(repository) + " sagas", load, 80_000);
            }
        }
    }

    private static long stored(SagaRepository repository) {
        return repository.counts().byState().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private void measure(String what, TypicalLoad load, long wanted) throws Exception {
        Duration cpu = AppendSpeed.cpu(node);
        Duration own = AppendSpeed.own();
        long appends = load.appends(wanted);
        System.out.printf(
                "%s: CPU per append: node %.1f us, client %.1f us%n",
                what,
                AppendSpeed.micros(cpu, AppendSpeed.cpu(node)) / appends,
                AppendSpeed.micros(own, AppendSpeed.own()) / appends);
    }
}
