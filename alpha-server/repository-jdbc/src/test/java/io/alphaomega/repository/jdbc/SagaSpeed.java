package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.repository.jdbc.server.ServerRepository;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.saga.SagaId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Measures what whole sagas cost the repository, by hand: begin, began and ended of each branch, end, with the summaries
 * that alpha would give. Arguments, each {@code name=value}: {@code store} (a directory that is missing, or a URL),
 * {@code batch}, {@code lanes}, {@code open} (sagas at a time), {@code branches}, {@code seconds}, {@code rounds},
 * {@code sagas} (stored before, in large batches), {@code keys} ({@code none}, {@code random} or {@code ascending}
 * business keys), {@code pid} (of the server, for its CPU).
 */
final class SagaSpeed {
    private static final byte[] EVENT = new byte[110];
    private static final Duration SAGA_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration BRANCH_TIMEOUT = Duration.ofSeconds(30);
    private static final int FILLED_AT_ONCE = 250;

    /** Of {@code /proc/PID/stat}. */
    private static final double TICKS_PER_SECOND = 100;

    private SagaSpeed() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> given = new TreeMap<>(Map.of(
                "batch",
                "64",
                "lanes",
                "1",
                "open",
                "200",
                "branches",
                "3",
                "seconds",
                "5",
                "rounds",
                "3",
                "sagas",
                "0",
                "keys",
                "none",
                "pid",
                ""));
        for (String argument : arguments) given.put(argument.split("=", 2)[0], argument.split("=", 2)[1]);
        String store = given.getOrDefault("store", "");
        try (SagaRepository repository = store.startsWith("jdbc:")
                ? ServerRepository.at(store, DatabaseServer.USER, DatabaseServer.PASSWORD)
                : EmbeddedRepository.in(Path.of(store))) {
            System.out.println(repository.durability());
            int branches = number(given, "branches");
            String keys = given.getOrDefault("keys", "");
            List<Lane> lanes = IntStream.range(0, number(given, "lanes"))
                    .mapToObj(lane ->
                            new Lane(repository, number(given, "open") / number(given, "lanes"), branches, keys, lane))
                    .toList();
            fill(repository, number(given, "sagas"), branches, keys);
            for (int round = 0; round <= number(given, "rounds"); round++) {
                measure(
                        lanes,
                        number(given, "batch"),
                        number(given, "seconds"),
                        given.getOrDefault("pid", ""),
                        round == 0);
            }
        }
    }

    private static int number(Map<String, String> given, String name) {
        return Integer.parseInt(given.getOrDefault(name, ""));
    }

    private static void fill(SagaRepository repository, int sagas, int branches, String keys) {
        Lane filling = new Lane(repository, FILLED_AT_ONCE, branches, keys, 99);
        while (filling.ended < sagas)
            filling.append(IntStream.range(0, FILLED_AT_ONCE).toArray());
    }

    private static void measure(List<Lane> lanes, int batch, int seconds, String pid, boolean warmUp) throws Exception {
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        double server = pid.isEmpty() ? 0 : cpuMicros(pid);
        long began = System.nanoTime();
        List<Thread> threads = lanes.stream()
                .map(lane -> Thread.ofPlatform().start(() -> lane.run(batch, until)))
                .toList();
        for (Thread thread : threads) thread.join();
        double elapsed = System.nanoTime() - began;
        server = pid.isEmpty() ? 0 : cpuMicros(pid) - server;
        long appends = lanes.stream().mapToLong(lane -> lane.appends).sum();
        long batches = lanes.stream().mapToLong(lane -> lane.batches).sum();
        double cpu = lanes.stream().mapToLong(lane -> lane.cpu).sum() / 1e3;
        System.out.printf(
                Locale.ROOT,
                "%s%d appends, %.1f per batch: %.0f appends/s, %.0f µs per batch, CPU per append %.2f µs here and %.2f µs in the server%n",
                warmUp ? "(warm-up) " : "",
                appends,
                (double) appends / batches,
                appends * 1e9 / elapsed,
                elapsed / 1e3 * lanes.size() / batches,
                cpu / appends,
                server / appends);
    }

    private static double cpuMicros(String pid) {
        try {
            String[] words = Files.readString(Path.of("/proc", pid, "stat"))
                    .split("\\) ", 2)[1]
                    .split(" ", -1);
            return (Long.parseLong(words[11]) + Long.parseLong(words[12])) * 1e6 / TICKS_PER_SECOND;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One writer with sagas of its own. */
    private static final class Lane {
        private final SagaRepository repository;
        private final int branches;
        private final String keys;
        private final Random random;
        private final Running[] open;
        private final Instant start = Instant.ofEpochMilli(1_790_000_000_000L);
        private long named;
        private long ended;
        private long appends;
        private long batches;
        private long cpu;

        Lane(SagaRepository repository, int open, int branches, String keys, int number) {
            this.repository = repository;
            this.branches = branches;
            this.keys = keys;
            this.random = new Random(ProcessHandle.current().pid() * 100L + number);
            this.open = new Running[open];
            for (int i = 0; i < open; i++) this.open[i] = next();
        }

        private Running next() {
            long number = named++;
            String key =
                    switch (keys) {
                        case "random" -> "order %09d".formatted(random.nextInt(1_000_000_000));
                        case "ascending" -> "order %09d".formatted(number);
                        default -> "";
                    };
            return new Running(new SagaId(id(number, random)), key, start.plusMillis(number / 5), Version.NONE, 0);
        }

        void run(int batch, long until) {
            appends = 0;
            batches = 0;
            cpu = 0;
            int start = 0;
            while (System.nanoTime() < until) {
                // Whoever has waited longest, as the clients do.
                int first = start;
                int size = Math.min(batch, open.length);
                append(IntStream.range(0, size)
                        .map(i -> (first + i) % open.length)
                        .toArray());
                start = (start + size) % open.length;
            }
        }

        void append(int[] picked) {
            List<Append> batch = new ArrayList<>(picked.length);
            for (int i : picked) batch.add(open[i].append(branches));
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            List<AppendResult> results = repository.append(batch);
            cpu += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
            for (int k = 0; k < picked.length; k++) {
                Running saga = open[picked[k]];
                boolean over = saga.step() == 2 * branches + 1;
                if (over) ended++;
                open[picked[k]] = over
                        ? next()
                        : new Running(
                                saga.id(),
                                saga.key(),
                                saga.begun(),
                                ((Appended) results.get(k)).version(),
                                saga.step() + 1);
            }
            appends += picked.length;
            batches++;
        }
    }

    private record Running(SagaId id, String key, Instant begun, Version version, int step) {
        Append append(int branches) {
            boolean ends = step == 2 * branches + 1;
            int began = (step + 1) / 2;
            Instant now = begun.plusMillis(step);
            Set<String> services = new TreeSet<>(Set.of("booking"));
            for (int i = 1; i <= Math.min(began, branches); i++) services.add("service-" + i % 10);
            boolean running = step % 2 == 1 && !ends;
            List<StoredEvent> events = ends
                    ? List.of(
                            StoredEvent.of("SagaEnded", EVENT),
                            StoredEvent.of("Committed", EVENT),
                            StoredEvent.of("Ended", EVENT))
                    : List.of(StoredEvent.of(step == 0 ? "Begun" : running ? "BranchBegan" : "BranchEnded", EVENT));
            return new Append(
                    id,
                    version,
                    events,
                    new SagaSummary(
                            id,
                            ends ? State.COMMITTED : State.ACTIVE,
                            "booking",
                            "trips/book",
                            key,
                            services,
                            Math.min(began, branches),
                            "",
                            false,
                            begun,
                            now,
                            ends ? Optional.of(now) : Optional.empty(),
                            ends
                                    ? Optional.empty()
                                    : Optional.of(running ? now.plus(BRANCH_TIMEOUT) : begun.plus(SAGA_TIMEOUT)),
                            Map.of(),
                            Optional.empty()));
        }
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
