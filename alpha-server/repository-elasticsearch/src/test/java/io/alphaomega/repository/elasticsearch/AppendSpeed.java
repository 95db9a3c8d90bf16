package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.servers.ElasticsearchServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.LongAdder;

/**
 * Prints how many appends a second a node takes: by batch size and lanes; sagas of eight appends of one event of 200
 * bytes. Arguments: seconds per figure, version.
 */
final class AppendSpeed {
    private static final int APPENDS = 8;

    private AppendSpeed() {}

    public static void main(String[] arguments) throws Exception {
        int seconds = Integer.parseInt(arguments[0]);
        try (ElasticsearchServer server =
                        ElasticsearchServer.start(arguments[1], "-XX:TieredStopAtLevel=4", "-Xmx1g", "-Xms1g");
                SagaRepository repository =
                        new ElasticsearchSagaRepository(ElasticsearchStore.settings(server.port()))) {
            measure(repository, 64, 2, 2 * seconds);
            for (int lanes : new int[] {1, 2, 4, 8}) {
                for (int batch : new int[] {1, 64, 256}) {
                    long appends = measure(repository, batch, lanes, seconds);
                    System.out.printf(
                            "%d lanes, %d per batch: %d appends/s, %.1f ms per batch%n",
                            lanes, batch, appends / seconds, 1e3 * seconds * lanes * batch / appends);
                }
            }
        }
    }

    private static long measure(SagaRepository repository, int batch, int lanes, int seconds) throws Exception {
        LongAdder appends = new LongAdder();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        List<FutureTask<Void>> running = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            String prefix = UUID.randomUUID() + "-";
            FutureTask<Void> task = new FutureTask<>(() -> {
                for (int saga = 0; System.nanoTime() < end; saga += batch) {
                    appendAll(repository, prefix, saga, batch, end, appends);
                }
                return null;
            });
            Thread.ofVirtual().start(task);
            running.add(task);
        }
        for (FutureTask<Void> each : running) each.get();
        return appends.sum();
    }

    private static void appendAll(
            SagaRepository repository, String prefix, int first, int batch, long end, LongAdder appends) {
        List<Version> versions = new ArrayList<>();
        for (int i = 0; i < batch; i++) versions.add(Version.NONE);
        for (int append = 0; append < APPENDS && System.nanoTime() < end; append++) {
            List<Append> items = new ArrayList<>();
            for (int i = 0; i < batch; i++) items.add(Ledger.item(prefix + (first + i), versions.get(i), 1));
            List<AppendResult> results = repository.append(items);
            for (int i = 0; i < batch; i++) versions.set(i, ((Appended) results.get(i)).version());
            appends.add(batch);
        }
    }
}
