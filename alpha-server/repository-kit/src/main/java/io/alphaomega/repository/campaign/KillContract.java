package io.alphaomega.repository.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kill -9} of the store while a process appends to it, or of that process where the store is a part of it: what
 * was acknowledged is there, and nothing is there by half. A writer that survives goes on as soon as the store is back.
 */
public abstract class KillContract {
    private static final int KILLS = 5;

    /** Enough for logs to be rewritten in between. */
    private static final int BATCHES_MAX = 400;

    /** A few lives share a store and a writer: each recovers what the one before it left. */
    private static final int LIVES = 5;

    @TempDir
    Path directory;

    private final Random random = new Random();

    protected abstract StoreOnDisk store();

    /** How many kills are in every run of the tests; fewer for a store that starts slowly. */
    protected int kills() {
        return KILLS;
    }

    /** How many kills are a campaign. */
    protected int killsOfCampaign() {
        return 50;
    }

    @Test
    final void a_store_that_is_killed_loses_nothing_that_was_acknowledged() {
        kill(kills());
    }

    @Test
    @Tag("long")
    final void a_store_that_is_killed_again_and_again_loses_nothing_that_was_acknowledged() {
        kill(killsOfCampaign());
    }

    private void kill(int kills) {
        long batches = 0;
        for (int kill = 0; kill < kills; kill += LIVES) {
            batches += live(kill, Math.min(LIVES, kills - kill));
        }
        System.out.printf(
                "== %s: %d kills, %d batches acknowledged, 0 lost%n",
                store().getClass().getSimpleName(), kills, batches);
    }

    private long live(int first, int lives) {
        StoreOnDisk store = store();
        Ledger ledger = new Ledger();
        try (StoreOnDisk.Running running = store.start(directory.resolve("store-" + first))) {
            if (running.processes().isEmpty()) killTheWriter(store, running, first, lives, ledger);
            else killTheStore(store, running, first, lives, ledger);
            // What a killed writer had sent is still under way, and some stores show late what is in them.
            Awaitility.await()
                    .atMost(Patience.LIMIT)
                    .pollDelay(Duration.ZERO)
                    .ignoreExceptionsInstanceOf(
                            RepositoryUnavailableException.class) // A busy machine is slow to answer.
                    .untilAsserted(() -> assertNothingMissing(store, running, ledger, first + lives));
        }
        return ledger.batches();
    }

    private void killTheStore(StoreOnDisk store, StoreOnDisk.Running running, int first, int lives, Ledger ledger) {
        try (Writer writer = Writer.start(store.getClass(), running.address(), first, directory)) {
            for (int life = 0; life < lives; life++) {
                writer.await(1 + random.nextInt(BATCHES_MAX), ledger);
                running.kill();
                running.startAgain();
            }
            writer.await(1, ledger);
            writer.kill();
            writer.drain(ledger);
        }
    }

    private void killTheWriter(StoreOnDisk store, StoreOnDisk.Running running, int first, int lives, Ledger ledger) {
        for (int life = first; life < first + lives; life++) {
            try (Writer writer = Writer.start(store.getClass(), running.address(), life, directory)) {
                writer.await(1 + random.nextInt(BATCHES_MAX), ledger);
                writer.kill();
                writer.drain(ledger);
            }
            assertNothingMissing(store, running, ledger, life + 1);
        }
    }

    private static void assertNothingMissing(StoreOnDisk store, StoreOnDisk.Running running, Ledger ledger, int kill) {
        try (SagaRepository repository = store.open(running.address())) {
            assertThat(ledger.missing(repository))
                    .as("sagas that miss acknowledged events after kill %d", kill)
                    .isZero();
        }
    }
}
