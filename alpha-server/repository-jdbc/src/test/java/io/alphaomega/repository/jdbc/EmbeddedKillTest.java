package io.alphaomega.repository.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaRepository;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of the writing process: what was acknowledged is there, and nothing is there by half. */
final class EmbeddedKillTest {
    private static final int KILLS = 5;
    private static final int KILLS_LONG = 200;

    /** Enough for the log to be checkpointed in between. */
    private static final int BATCHES_MAX = 400;

    @TempDir
    Path directory;

    @Test
    void a_killed_process_loses_nothing_that_was_acknowledged() throws Exception {
        kill(KILLS);
    }

    @Test
    @Tag("long")
    void many_killed_processes_lose_nothing_that_was_acknowledged() throws Exception {
        kill(KILLS_LONG);
    }

    private void kill(int kills) throws Exception {
        Random random = new Random();
        long batches = 0;
        for (int kill = 1; kill <= kills; kill++) {
            // A few lives share a store: each recovers what the one before it left.
            Path store = directory.resolve("store-" + kill / 5);
            Ledger ledger = new Ledger();
            try (Writer writer = Writer.start(store, SqliteDatabase.SYNCED, kill)) {
                writer.await(1 + random.nextInt(BATCHES_MAX), ledger);
                writer.kill();
                writer.drain(ledger);
            }
            try (SagaRepository repository = JdbcSagaRepository.embedded(store)) {
                assertThat(ledger.missing(repository))
                        .as("sagas that miss acknowledged events after kill %d of %d", kill, kills)
                        .isZero();
            }
            batches += ledger.batches();
        }
        System.out.printf("%d kills, %d batches acknowledged, 0 lost%n", kills, batches);
    }
}
