package io.alphaomega.repository.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.LoopDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails while a process appends: what was acknowledged is on the disk. The same test with a store that does
 * not sync must see losses, or it is blind.
 */
final class EmbeddedPowerCutTest {
    private static final int CUTS = 5;
    private static final int DISKS_LONG = 20;
    private static final int BATCHES_MAX = 200;

    /** Room for what one test writes; copied at every cut. */
    private static final int DISK_MEBIBYTES = 96;

    private static final List<String> NOT_SYNCED = List.of("PRAGMA journal_mode = WAL", "PRAGMA synchronous = OFF");

    @TempDir
    Path directory;

    private record Result(long batches, long lost, double flushesPerBatch) {}

    @Test
    void a_power_cut_loses_nothing_that_was_acknowledged() throws Exception {
        assertNothingLost(CUTS);
    }

    @Test
    @Tag("long")
    void many_power_cuts_lose_nothing_that_was_acknowledged() throws Exception {
        for (int disk = 1; disk <= DISKS_LONG; disk++) assertNothingLost(CUTS);
    }

    @Test
    void the_same_cut_takes_from_a_store_that_does_not_sync() throws Exception {
        if (!LoopDisk.isPossible(directory)) {
            declaredOnly();
            return;
        }
        Result result = cut(NOT_SYNCED, 1);
        System.out.printf("control, synchronous=OFF: %d sagas lost, as they should be%n", result.lost());
        assertThat(result.lost()).isPositive();
        assertThat(result.flushesPerBatch()).isLessThan(0.5);
    }

    private void assertNothingLost(int cuts) throws Exception {
        if (!LoopDisk.isPossible(directory)) {
            copyFilesOnly(cuts);
            return;
        }
        Result result = cut(SqliteDatabase.SYNCED, cuts);
        System.out.printf(
                "%d power cuts, %d batches acknowledged, %d lost, %.2f flushes of the disk per batch%n",
                cuts, result.batches(), result.lost(), result.flushesPerBatch());
        assertThat(result.lost()).isZero();
        // Each batch is on the disk before it returns; what is above one is the file system's own and the checkpoints'.
        assertThat(result.flushesPerBatch()).isBetween(1.0, 2.5);
    }

    private Result cut(List<String> durability, int cuts) throws Exception {
        Random random = new Random();
        Ledger ledger = new Ledger();
        long lost = 0;
        try (LoopDisk disk = LoopDisk.blank(directory.resolve("disk"), DISK_MEBIBYTES)) {
            long flushes;
            try (Writer writer = Writer.start(disk.path().resolve("store"), durability, 1)) {
                writer.await(1, ledger);
                disk.sync();
                flushes = disk.flushes();
                for (int cut = 1; cut <= cuts; cut++) {
                    writer.await(1 + random.nextInt(BATCHES_MAX), ledger);
                    stop(writer);
                    writer.drain(ledger);
                    lost += lostOn(disk, ledger);
                    writer.signal("CONT");
                }
                stop(writer);
                writer.drain(ledger);
                flushes = disk.flushes() - flushes;
            }
            return new Result(ledger.batches(), lost, (double) flushes / ledger.batches());
        }
    }

    private long lostOn(LoopDisk disk, Ledger ledger) throws Exception {
        try (LoopDisk after = disk.cut(directory.resolve("after"));
                SagaRepository repository =
                        JdbcSagaRepository.embedded(after.path().resolve("store"))) {
            return ledger.missing(repository);
        }
    }

    private static void stop(Writer writer) throws Exception {
        writer.signal("STOP");
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(writer::isStopped);
    }

    /** Without a disk to cut: a copy of the files shows that any moment can be recovered from, but nothing about syncs. */
    private void copyFilesOnly(int cuts) throws Exception {
        System.out.println("No loop device can be mounted here (that takes root): the power is not cut, the files are"
                + " copied while the writer is stopped, and the settings that sync are read back.");
        Random random = new Random();
        Ledger ledger = new Ledger();
        Path store = directory.resolve("store");
        try (Writer writer = Writer.start(store, SqliteDatabase.SYNCED, 1)) {
            for (int cut = 1; cut <= cuts; cut++) {
                writer.await(1 + random.nextInt(BATCHES_MAX), ledger);
                stop(writer);
                writer.drain(ledger);
                Path copy = Files.createDirectory(directory.resolve("copy-" + cut));
                try (Stream<Path> files = Files.list(store)) {
                    for (Path file : files.toList()) {
                        Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                    }
                }
                try (SagaRepository repository = JdbcSagaRepository.embedded(copy)) {
                    assertThat(ledger.missing(repository)).isZero();
                    assertThat(repository.durability().level()).isEqualTo(Durability.Level.POWER_LOSS);
                }
                writer.signal("CONT");
            }
        }
    }

    private void declaredOnly() {
        System.out.println("No loop device can be mounted here (that takes root): what is checked is only that a store"
                + " that does not sync declares less.");
        Path store = directory.resolve("store");
        try (SagaRepository repository = new JdbcSagaRepository(SqliteDatabase.in(store, NOT_SYNCED))) {
            assertThat(repository.durability().level()).isEqualTo(Durability.Level.PROCESS_CRASH);
        }
    }
}
