package io.alphaomega.repository.jdbc.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.FullDiskContract;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.campaign.StoreOnDisk;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedFullDiskTest extends FullDiskContract {
    private static final int APPENDS_MAX = 100_000;

    @TempDir
    Path parent;

    @Override
    protected StoreOnDisk store() {
        return new EmbeddedOnDisk();
    }

    @Override
    protected int diskMebibytes() {
        return 8;
    }

    /** Without a disk of its own: SQLite has a limit as well. */
    @Test
    void a_full_database_is_an_outage_that_ends_with_it() {
        List<String> settings = new ArrayList<>(SqliteDatabase.SYNCED);
        settings.add("PRAGMA max_page_count = 300");
        try (SagaRepository repository = new JdbcSagaRepository(SqliteDatabase.in(parent.resolve("store"), settings))) {
            Ledger ledger = new Ledger();
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> fill(repository, ledger))
                    .withMessageContaining("full");
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
            assertThat(ledger.missing(repository)).isZero();

            settings.removeLast();

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
}
