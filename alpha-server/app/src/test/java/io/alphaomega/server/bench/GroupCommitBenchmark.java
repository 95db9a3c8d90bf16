package io.alphaomega.server.bench;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.repository.GroupCommit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What one append costs through group commit, while so many sagas wait for theirs at a time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class GroupCommitBenchmark {
    private static final int APPENDS = 4096;

    @Param({"instant", "embedded"})
    public String store = "";

    @Param({"1", "50", "500"})
    public int inFlight;

    private SagaRepository repository = new InstantRepository();
    private Optional<Path> directory = Optional.empty();
    private Saga[] sagas = {};

    @Setup
    public void open() throws IOException {
        directory = store.equals("embedded") ? Optional.of(Files.createTempDirectory("bench")) : Optional.empty();
        SagaRepository plugin =
                directory.<SagaRepository>map(EmbeddedRepository::in).orElseGet(InstantRepository::new);
        repository = new GroupCommit(plugin, GroupCommit.Limits.ofLanes(1));
        sagas = new Saga[inFlight];
        for (int i = 0; i < inFlight; i++) sagas[i] = new Saga();
    }

    @TearDown
    public void close() throws IOException {
        repository.close();
        if (directory.isEmpty()) return;
        try (var files = Files.list(directory.get())) {
            files.forEach(GroupCommitBenchmark::delete);
        }
        Files.delete(directory.get());
    }

    @Benchmark
    @OperationsPerInvocation(APPENDS)
    public void append() {
        GroupCommit commit = (GroupCommit) repository;
        for (int i = 0; i < APPENDS; i++) {
            Saga saga = sagas[i % inFlight];
            saga.stored.join();
            saga.stored = commit.submit(saga.next())
                    .thenAccept(result -> saga.version = ((AppendResult.Appended) result).version());
        }
        for (Saga saga : sagas) saga.stored.join();
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A saga of three branches is eight appends; then the next one takes its place. */
    private static final class Saga {
        private static final int APPENDS = 8;

        private static final Set<String> SERVICES = Set.of("booking", "hotel", "car", "flight");

        /** About what an event of such a saga comes to. */
        private static final StoredEvent EVENT = StoredEvent.of("branch.began.v1", new byte[110]);

        CompletableFuture<Void> stored = CompletableFuture.completedFuture(null);
        volatile Version version = Version.NONE;
        private SagaId id = Life.newId();
        private int appends;

        Append next() {
            if (appends == APPENDS) {
                appends = 0;
                id = Life.newId();
                version = Version.NONE;
            }
            boolean last = ++appends == APPENDS;
            SagaSummary summary = new SagaSummary(
                    id,
                    last ? SagaSummary.State.COMMITTED : SagaSummary.State.ACTIVE,
                    "booking",
                    "Trips.book",
                    "",
                    SERVICES,
                    appends / 2,
                    "",
                    false,
                    Life.AT,
                    Life.AT,
                    last ? Optional.of(Life.AT) : Optional.empty(),
                    last ? Optional.empty() : Optional.of(Life.AT.plus(Duration.ofMinutes(5))),
                    Map.of(),
                    Optional.empty());
            return new Append(id, version, List.of(EVENT), summary);
        }
    }
}
