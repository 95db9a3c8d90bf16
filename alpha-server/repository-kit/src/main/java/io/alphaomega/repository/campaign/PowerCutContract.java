package io.alphaomega.repository.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.LoopDisk;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails while a process appends: what was acknowledged is on the disk. The same test with settings that do not
 * sync must see losses, or it is blind.
 *
 * <p>Where no disk can be mounted (that takes root), the files are copied instead: that shows that the store starts on
 * what it has at any moment, and nothing about syncs.
 */
public abstract class PowerCutContract {
    private static final int CUTS = 5;

    /** One may come just after a server has synced of its own accord. */
    private static final int CUTS_WITH_LOSSES = 2;

    private static final int BATCHES_MAX = 200;

    @TempDir
    Path directory;

    private final Random random = new Random();

    /** With the settings that alpha asks for. */
    protected abstract StoreOnDisk store();

    /** With settings that do not sync before they acknowledge. */
    protected abstract StoreOnDisk unsafe();

    /** Room for an empty store and what one test writes; copied at every cut. */
    protected abstract int diskMebibytes();

    /** How often the disk is flushed for a batch at most, on the average: the price of an acknowledgement. */
    protected double flushesPerBatchMax() {
        return Double.POSITIVE_INFINITY;
    }

    /** How many disks are a campaign; each is cut off five times. */
    protected int disksOfCampaign() {
        return 4;
    }

    private record Result(long sagas, long batches, long lost, double flushesPerBatch) {}

    @Test
    final void a_power_cut_loses_nothing_that_was_acknowledged() throws Exception {
        assertNothingLost();
    }

    @Test
    @Tag("long")
    final void many_power_cuts_lose_nothing_that_was_acknowledged() throws Exception {
        for (int disk = 0; disk < disksOfCampaign(); disk++) assertNothingLost();
    }

    @Test
    final void the_same_cut_takes_from_a_store_that_does_not_sync() throws Exception {
        if (!LoopDisk.isPossible(directory)) {
            System.out.println("No loop device can be mounted here (that takes root): what is checked is only that a"
                    + " store that does not sync declares less.");
            assertThat(declared(unsafe())).isEqualTo(Durability.Level.PROCESS_CRASH);
            return;
        }
        Result result = cut(unsafe(), CUTS_WITH_LOSSES, PowerCutContract::missingOrAll);
        System.out.printf(
                "== %s, a control: %d sagas of %d lost in %d cuts, as they should be%n",
                unsafe().getClass().getSimpleName(), result.lost(), result.sagas(), CUTS_WITH_LOSSES);
        assertThat(result.lost()).isPositive();
    }

    private void assertNothingLost() throws Exception {
        assertThat(declared(store())).isGreaterThanOrEqualTo(Durability.Level.POWER_LOSS);
        if (!LoopDisk.isPossible(directory)) {
            System.out.println("No loop device can be mounted here (that takes root): the power is not cut, the files"
                    + " are copied while nothing runs.");
            assertThat(copy(store())).isZero();
            return;
        }
        Result result = cut(store(), CUTS, PowerCutContract::missing);
        System.out.printf(
                "== %s: %d power cuts, %d batches acknowledged, %d sagas lost something, %.2f flushes of the disk per batch%n",
                store().getClass().getSimpleName(), CUTS, result.batches(), result.lost(), result.flushesPerBatch());
        assertThat(result.lost()).isZero();
        assertThat(result.flushesPerBatch()).isBetween(1.0, flushesPerBatchMax());
    }

    private Durability.Level declared(StoreOnDisk store) {
        try (StoreOnDisk.Running running = store.start(directory.resolve("declared-" + random.nextInt()));
                SagaRepository repository = store.open(running.address())) {
            return repository.durability().level();
        }
    }

    private Result cut(StoreOnDisk store, int cuts, Finding finding) throws Exception {
        Ledger ledger = new Ledger();
        long lost = 0;
        long flushes;
        try (LoopDisk disk = LoopDisk.blank(directory.resolve("disk"), diskMebibytes());
                StoreOnDisk.Running running = store.start(disk.path().resolve("store"));
                Writer writer = Writer.start(store.getClass(), running.address(), 1, directory)) {
            writer.await(1, ledger);
            disk.sync();
            flushes = disk.flushes();
            for (int cut = 1; cut <= cuts; cut++) {
                writer.await(1 + random.nextInt(BATCHES_MAX), ledger);
                pause(running, writer);
                writer.drain(ledger);
                lost += lostOn(disk, store, ledger, finding);
                resume(running, writer);
            }
            pause(running, writer);
            writer.drain(ledger);
            flushes = disk.flushes() - flushes;
        }
        return new Result(ledger.sagas(), ledger.batches(), lost, (double) flushes / ledger.batches());
    }

    /** How much of the ledger is missing on a store in a directory. */
    private interface Finding {
        long missing(StoreOnDisk store, Path place, Ledger ledger);
    }

    private long lostOn(LoopDisk disk, StoreOnDisk store, Ledger ledger, Finding finding) throws Exception {
        try (LoopDisk after = disk.cut(directory.resolve("after"))) {
            return finding.missing(store, after.path().resolve("store"), ledger);
        }
    }

    /** What cannot be opened any more is lost as a whole. */
    private static long missingOrAll(StoreOnDisk store, Path place, Ledger ledger) {
        try {
            return missing(store, place, ledger);
        } catch (RuntimeException | AssertionError lost) {
            System.out.println("What a store that does not sync has left is of no use: " + lost.getMessage());
            return ledger.sagas();
        }
    }

    private static long missing(StoreOnDisk store, Path place, Ledger ledger) {
        try (StoreOnDisk.Running again = store.start(place);
                SagaRepository repository = store.open(again.address())) {
            return ledger.missing(repository);
        }
    }

    private long copy(StoreOnDisk store) throws Exception {
        Ledger ledger = new Ledger();
        Path original = directory.resolve("store");
        long lost = 0;
        try (StoreOnDisk.Running running = store.start(original);
                Writer writer = Writer.start(store.getClass(), running.address(), 1, directory)) {
            for (int cut = 1; cut <= CUTS; cut++) {
                writer.await(1 + random.nextInt(BATCHES_MAX), ledger);
                pause(running, writer);
                writer.drain(ledger);
                Path copy = directory.resolve("copy-" + cut);
                Command.of("cp", "-a", original, copy).run(directory);
                lost += missing(store, copy, ledger);
                resume(running, writer);
            }
        }
        return lost;
    }

    /** The store first: what it does after the last acknowledgement would be to its favour. */
    private static void pause(StoreOnDisk.Running running, Writer writer) {
        running.pause();
        writer.pause();
    }

    private static void resume(StoreOnDisk.Running running, Writer writer) {
        running.resume();
        writer.resume();
    }
}
