package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.TypicalLoad;
import io.alphaomega.repository.campaign.TypicalSaga;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.RedisServer;

/**
 * Measures, by hand, what an append costs by the number of branches of its saga, and by how many sagas are stored: up to
 * the number that is the argument.
 */
final class AppendScale {
    private static final int BATCH = 64;
    private static final int LANES = 2;

    private final RedisServer server;

    private AppendScale(RedisServer server) {
        this.server = server;
    }

    public static void main(String[] arguments) throws Exception {
        long most = Long.parseLong(arguments[0]);
        try (RedisServer server = RedisServer.start("auto-aof-rewrite-percentage 0");
                SagaRepository repository =
                        new RedisSagaRepository(Settings.of("redis://127.0.0.1:" + server.port()))) {
            // Connected before there are many who would wait for that.
            repository.durability();
            AppendScale scale = new AppendScale(server);
            TypicalLoad load = new TypicalLoad(repository, BATCH, LANES, 3);
            for (long wanted = 10_000; wanted <= most; wanted *= 10) {
                load.appends(TypicalSaga.APPENDS * (wanted - stored(repository)));
                scale.measure(stored(repository) + " sagas", load, 160_000);
            }
            for (int branches : new int[] {1, 10, 100, 500}) {
                scale.measure(branches + " branches", new TypicalLoad(repository, BATCH, LANES, branches), 300_000);
            }
        }
    }

    private static long stored(SagaRepository repository) {
        return repository.counts().byState().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private void measure(String what, TypicalLoad load, long wanted) throws Exception {
        double cpu = AppendSpeed.serverCpu(server);
        double own = AppendSpeed.ownCpu();
        long appends = load.appends(wanted);
        System.out.printf(
                "%s: CPU per append: server %.2f us, client %.2f us%n",
                what,
                (AppendSpeed.serverCpu(server) - cpu) * 1e6 / appends,
                (AppendSpeed.ownCpu() - own) * 1e6 / appends);
    }
}
