package io.alphaomega.repository.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that takes no more is an outage: refused while it lasts, over when there is room, nothing lost. */
final class EmbeddedFullDiskTest {
    private static final int APPENDS_MAX = 100_000;

    @TempDir
    Path directory;

    @Test
    void a_full_disk_is_an_outage_that_ends_with_it() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        if (run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()) != 0) {
            System.out.println("No small disk can be mounted here (that takes root): see the test with a page limit.");
            assertThat(run("umount", disk.toString())).isNotZero();
            return;
        }
        try {
            Path ballast = disk.resolve("ballast");
            Files.write(ballast, new byte[4 << 20]);
            fillAndGoOn(JdbcSagaRepository.embedded(disk.resolve("store")), () -> Files.delete(ballast));
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    @Test
    void a_full_database_is_an_outage_that_ends_with_it() throws Exception {
        List<String> settings = new ArrayList<>(SqliteDatabase.SYNCED);
        settings.add("PRAGMA max_page_count = 300");
        fillAndGoOn(
                new JdbcSagaRepository(SqliteDatabase.in(directory.resolve("store"), settings)), settings::removeLast);
    }

    /** Makes room. */
    private interface Room {
        void make() throws IOException;
    }

    private static void fillAndGoOn(SagaRepository repository, Room room) throws IOException {
        try (repository) {
            Ledger ledger = new Ledger();
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> fill(repository, ledger))
                    .withMessageContaining("full");
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
            assertThat(ledger.missing(repository)).isZero();

            room.make();

            assertThat(repository.check()).isInstanceOf(Health.Up.class);
            assertThat(repository.append(List.of(Ledger.item("after", Version.NONE, 3))))
                    .allMatch(Appended.class::isInstance);
            assertThat(ledger.missing(repository)).isZero();
        }
    }

    private static void fill(SagaRepository repository, Ledger ledger) {
        for (int i = 0; i < APPENDS_MAX; i++) {
            var item = Ledger.item("s" + i, Version.NONE, 50);
            Appended appended = (Appended) repository.append(List.of(item)).getFirst();
            ledger.acknowledge(Ledger.line(List.of(item), List.of(appended.version())));
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
