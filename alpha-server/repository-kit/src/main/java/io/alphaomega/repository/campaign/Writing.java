package io.alphaomega.repository.campaign;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.AppendResult.Locked;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * The program of a {@link Writer}: appends batches of varying size for ever. After an append whose outcome is unknown it
 * loads the sagas concerned, as a server does, and goes on.
 */
final class Writing {
    private static final int SAGAS = 200;
    private static final int BATCH_MAX = 32;

    /** A line must fit into one write to the pipe, so that it is read whole or not at all. */
    private static final int ID_CHARS_MAX = 12;

    private static final long PAUSE_NANOS = 20_000_000;

    private final SagaRepository repository;
    private final int seed;
    private final Random random;
    private final Map<String, Version> versions = new HashMap<>();

    private Writing(SagaRepository repository, int seed) {
        this.repository = repository;
        this.seed = seed;
        random = new Random(seed);
    }

    /** Arguments: the class of the store, its address, a seed. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        var constructor = Class.forName(arguments[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        StoreOnDisk store = (StoreOnDisk) constructor.newInstance();
        try (SagaRepository repository = store.open(arguments[1])) {
            Writing writing = new Writing(repository, Integer.parseInt(arguments[2]));
            while (true) writing.write();
        }
    }

    private void write() {
        List<Append> batch = random.ints(0, SAGAS)
                .limit(1 + random.nextInt(BATCH_MAX))
                .distinct()
                .mapToObj(this::item)
                .toList();
        try {
            List<AppendResult> results = repository.append(batch);
            List<Append> appended = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                Append item = batch.get(i);
                switch (results.get(i)) {
                    case Appended(Version version) -> {
                        versions.put(item.id().value(), version);
                        appended.add(item);
                    }
                    // An append that was given up was under way still when the saga was loaded, and came after that.
                    case Conflict conflict -> learnVersion(item);
                    // By a transaction of ours whose connection was cut.
                    case Locked locked -> {}
                }
            }
            if (!appended.isEmpty()) {
                say(Ledger.line(
                        appended,
                        appended.stream()
                                .map(item -> versions.getOrDefault(item.id().value(), Version.NONE))
                                .toList()));
            }
        } catch (RepositoryUnavailableException unknown) {
            batch.forEach(this::learnVersion);
        }
    }

    private Append item(int number) {
        String saga = "s" + seed + "-" + number;
        if (saga.length() > ID_CHARS_MAX) throw new IllegalArgumentException(saga);
        return Ledger.item(saga, versions.getOrDefault(saga, Version.NONE), 1 + random.nextInt(3));
    }

    private void learnVersion(Append unknown) {
        SagaId id = unknown.id();
        Version now = load(id).version();
        // It may have regrown by the next check, so it is told now.
        if (!Ledger.includes(now, unknown.expected())) say(Ledger.lost(id.value()));
        versions.put(id.value(), now);
    }

    private Loaded load(SagaId id) {
        while (true) {
            try {
                return repository.load(id);
            } catch (RepositoryUnavailableException away) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static void say(String text) {
        byte[] line = (text + "\n").getBytes(StandardCharsets.US_ASCII);
        System.out.write(line, 0, line.length);
        System.out.flush();
    }
}
