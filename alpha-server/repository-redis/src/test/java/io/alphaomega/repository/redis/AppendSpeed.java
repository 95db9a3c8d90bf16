package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.TypicalLoad;
import io.alphaomega.repository.campaign.TypicalSaga;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.RedisServer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the appends of typical sagas, by hand, on a server of its own. Arguments: {@code appendfsync}, items per
 * batch, batches under way at a time, seconds, branches per saga.
 */
final class AppendSpeed {
    private AppendSpeed() {}

    public static void main(String[] arguments) throws Exception {
        String fsync = arguments[0];
        int batchSize = Integer.parseInt(arguments[1]);
        int lanes = Integer.parseInt(arguments[2]);
        long seconds = Long.parseLong(arguments[3]);
        int branches = Integer.parseInt(arguments[4]);
        try (RedisServer server = RedisServer.start("appendfsync " + fsync, "auto-aof-rewrite-percentage 0");
                SagaRepository repository =
                        new RedisSagaRepository(Settings.of("redis://127.0.0.1:" + server.port()))) {
            // Connected before there are many who would wait for that.
            repository.durability();
            TypicalLoad load = new TypicalLoad(repository, batchSize, lanes, branches);
            load.during(Math.max(1, seconds / 3));
            long memory = server.figure("memory", "used_memory");
            double cpu = serverCpu(server);
            double own = ownCpu();
            long network = server.figure("stats", "total_net_input_bytes");
            long log = server.figure("persistence", "aof_current_size");
            long begun = System.nanoTime();
            long appends = load.during(seconds);
            double took = (System.nanoTime() - begun) / 1e9;
            double sagas = (double) appends / (2 + 2 * branches);
            double used = (ownCpu() - own) * 1e6 / appends;
            System.out.printf(
                    "appendfsync %s, %d per batch, %d lanes: %.0f appends/s (%.0f sagas/s), %.0f us per batch; CPU per append: server %.2f us, client %.2f us, of them %.2f to make the sagas; per saga: %.0f bytes of memory, %.0f sent to the server, %.0f in the log%n",
                    fsync,
                    batchSize,
                    lanes,
                    appends / took,
                    sagas / took,
                    took * 1e6 * lanes * batchSize / appends,
                    (serverCpu(server) - cpu) * 1e6 / appends,
                    used,
                    making(batchSize),
                    (server.figure("memory", "used_memory") - memory) / sagas,
                    (server.figure("stats", "total_net_input_bytes") - network) / sagas,
                    (server.figure("persistence", "aof_current_size") - log) / sagas);
        }
    }

    static double serverCpu(RedisServer server) {
        return java.util.stream.Stream.of(server.ask("INFO", "cpu").split("\\s+", -1))
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    /** What it costs to make an append, which is the work of others, in microseconds. */
    private static double making(int batchSize) {
        long sagas = 200_000;
        double before = ownCpu();
        for (long i = 0; i < sagas; i += batchSize) {
            List<TypicalSaga> open = new ArrayList<>();
            for (int k = 0; k < batchSize; k++) open.add(new TypicalSaga(i + k));
            for (int k = 0; k < TypicalSaga.APPENDS; k++) {
                List<Append> batch = open.stream().map(TypicalSaga::next).toList();
                for (int n = 0; n < batch.size(); n++)
                    open.get(n).appended(batch.get(n).expected());
            }
        }
        return (ownCpu() - before) * 1e6 / sagas / TypicalSaga.APPENDS;
    }

    static double ownCpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1e9;
    }
}
