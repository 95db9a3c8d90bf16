package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.TypicalLoad;
import io.alphaomega.repository.campaign.TypicalSaga;
import io.alphaomega.repository.servers.ElasticsearchServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Measures the appends of typical sagas, by hand, on a node of its own. Arguments: version, items per batch, batches
 * under way at a time, seconds, and further options of the node's JVM.
 */
final class AppendSpeed {
    private AppendSpeed() {}

    public static void main(String[] arguments) throws Exception {
        int batchSize = Integer.parseInt(arguments[1]);
        int lanes = Integer.parseInt(arguments[2]);
        long seconds = Long.parseLong(arguments[3]);
        String[] options = Stream.concat(
                        Stream.of("-XX:TieredStopAtLevel=4", "-Xmx1g", "-Xms1g"),
                        Arrays.stream(arguments).skip(4))
                .toArray(String[]::new);
        try (ElasticsearchServer server = ElasticsearchServer.start(arguments[0], options);
                SagaRepository repository =
                        new ElasticsearchSagaRepository(ElasticsearchStore.settings(server.port()))) {
            // Connected before there are many who would wait for that.
            repository.durability();
            TypicalLoad load = new TypicalLoad(repository, batchSize, lanes, 3);
            load.during(2 * seconds);
            Duration node = cpu(ProcessHandle.of(server.process().pid()).orElseThrow());
            Duration own = cpu(ProcessHandle.current());
            long begun = System.nanoTime();
            long appends = load.during(seconds);
            double took = (System.nanoTime() - begun) / 1e9;
            System.out.printf(
                    "%d per batch, %d lanes: %.0f appends/s (%.0f sagas/s), %.1f ms per batch; CPU per append: node %.1f us, client %.1f us%n",
                    batchSize,
                    lanes,
                    appends / took,
                    appends / took / TypicalSaga.APPENDS,
                    took * 1e3 * lanes * batchSize / appends,
                    micros(node, cpu(ProcessHandle.of(server.process().pid()).orElseThrow())) / appends,
                    micros(own, own()) / appends);
        }
    }

    static double micros(Duration from, Duration to) {
        return to.minus(from).toNanos() / 1e3;
    }

    static Duration own() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    /** Of a process and those that it started: the node is started by a script. */
    static Duration cpu(ProcessHandle process) {
        if (process.equals(ProcessHandle.current())) return own();
        return Stream.concat(Stream.of(process), process.descendants())
                .flatMap(each -> each.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }
}
