package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Measures appends of one 200-byte event each, in synced batches of distinct sagas, by hand. Arguments: a directory that
 * is missing, items per batch, sagas that are open at a time, events per saga, seconds, and {@code synchronous}.
 */
final class AppendSpeed {
    private AppendSpeed() {}

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        int batchSize = Integer.parseInt(arguments[1]);
        int open = Integer.parseInt(arguments[2]);
        int events = Integer.parseInt(arguments[3]);
        long seconds = Long.parseLong(arguments[4]);
        List<String> settings = List.of("PRAGMA journal_mode = WAL", "PRAGMA synchronous = " + arguments[5]);
        try (SagaRepository repository = new JdbcSagaRepository(SqliteDatabase.in(directory, settings))) {
            System.out.println(repository.durability());
            measure(repository, batchSize, open, events, seconds);
        }
    }

    private static void measure(SagaRepository repository, int batchSize, int open, int events, long seconds) {
        Random random = new Random(1);
        String[] ids = new String[open];
        Version[] versions = new Version[open];
        long named = 0;
        for (int i = 0; i < open; i++) {
            ids[i] = id(named++, random);
            versions[i] = Version.NONE;
        }
        long warm = System.nanoTime() + seconds * 250_000_000;
        long begun = 0;
        long records = 0;
        long spent = 0;
        long cpu = 0;
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        for (long now = System.nanoTime();
                begun == 0 || now < begun + seconds * 1_000_000_000;
                now = System.nanoTime()) {
            if (begun == 0 && now > warm) {
                begun = now;
                records = 0;
                spent = 0;
                cpu = 0;
            }
            int[] picked = random.ints(0, open).distinct().limit(batchSize).toArray();
            List<Append> batch = new ArrayList<>();
            for (int i : picked) batch.add(Ledger.item(ids[i], versions[i], 1));
            long before = System.nanoTime();
            long cpuBefore = threads.getCurrentThreadCpuTime();
            var results = repository.append(batch);
            spent += System.nanoTime() - before;
            cpu += threads.getCurrentThreadCpuTime() - cpuBefore;
            for (int k = 0; k < picked.length; k++) {
                int i = picked[k];
                versions[i] = ((Appended) results.get(k)).version();
                if (versions[i].sequence() == events) {
                    ids[i] = id(named++, random);
                    versions[i] = Version.NONE;
                }
            }
            records += picked.length;
        }
        System.out.printf(
                "%d per batch, %d sagas open, %d events each: %.0f records/s, %.0f batches/s, %.0f µs per batch, of which %.0f µs CPU%n",
                batchSize,
                open,
                events,
                records * 1e9 / spent,
                records * 1e9 / spent / batchSize,
                spent / 1e3 / ((double) records / batchSize),
                cpu / 1e3 / ((double) records / batchSize));
    }

    /** Ordered by time, as the ids of omega are. */
    private static String id(long number, Random random) {
        return "%08x-%04x-7%03x-8%03x-%012x"
                .formatted(
                        number >>> 16,
                        number & 0xFFFF,
                        random.nextInt(0x1000),
                        random.nextInt(0x1000),
                        random.nextLong() & 0xFFFF_FFFF_FFFFL);
    }
}
