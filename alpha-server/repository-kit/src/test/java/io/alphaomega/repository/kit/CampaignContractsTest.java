package io.alphaomega.repository.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.alphaomega.repository.campaign.FullDiskContract;
import io.alphaomega.repository.campaign.KillContract;
import io.alphaomega.repository.campaign.PowerCutContract;
import io.alphaomega.repository.campaign.StoreOnDisk;
import io.alphaomega.repository.servers.LoopDisk;
import io.alphaomega.repository.servers.Patience;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The campaigns accept a store that syncs and reject each that is broken on purpose. */
final class CampaignContractsTest {
    private static final String KILLED = "a_store_that_is_killed_loses_nothing_that_was_acknowledged";
    private static final String CUT_OFF = "a_power_cut_loses_nothing_that_was_acknowledged";
    private static final String CONTROL = "the_same_cut_takes_from_a_store_that_does_not_sync";
    /** Who stays down is waited for in vain. */
    private static final Duration BACK_NEVER = Duration.ofSeconds(3);

    private static final String FULL = "a_full_disk_is_an_outage_that_ends_with_it";

    private static volatile StoreOnDisk onTrial = new FileStore();
    private static volatile StoreOnDisk unsafe = new FileStore.NotSynced();
    private static volatile Duration backWithin = Patience.LIMIT;

    @TempDir
    Path directory;

    /** Not found by the build, as the two others: their names do not end in Test. */
    static final class Killing extends KillContract {
        @Override
        protected StoreOnDisk store() {
            return onTrial;
        }
    }

    static final class CuttingOff extends PowerCutContract {
        @Override
        protected StoreOnDisk store() {
            return onTrial;
        }

        @Override
        protected StoreOnDisk unsafe() {
            return unsafe;
        }

        @Override
        protected int diskMebibytes() {
            return 32;
        }
    }

    static final class FillingUp extends FullDiskContract {
        @Override
        protected StoreOnDisk store() {
            return onTrial;
        }

        @Override
        protected int diskMebibytes() {
            return 1;
        }

        @Override
        protected Duration backWithin() {
            return backWithin;
        }
    }

    @Test
    void a_store_that_syncs_is_accepted() {
        assertAccepted(new FileStore(), Killing.class, KILLED);
        assertAccepted(new FileStore(), CuttingOff.class, CUT_OFF);
        assertAccepted(new FileStore(), CuttingOff.class, CONTROL);
        assertAccepted(new FileStore(), FillingUp.class, FULL);
    }

    @Test
    void a_store_that_acknowledges_what_is_in_its_memory_is_rejected() {
        assertRejected(new FileStore.Buffers(), Killing.class, KILLED);
    }

    @Test
    void a_store_that_does_not_sync_is_rejected_by_the_power_cut_and_not_by_the_kill() {
        assertAccepted(new FileStore.LiesAboutSyncing(), Killing.class, KILLED);
        if (canMount()) assertRejected(new FileStore.LiesAboutSyncing(), CuttingOff.class, CUT_OFF);
    }

    @Test
    void a_store_that_does_not_sync_and_says_so_is_not_what_alpha_asks_for() {
        assertRejected(new FileStore.NotSynced(), CuttingOff.class, CUT_OFF);
    }

    @Test
    void a_power_cut_that_takes_nothing_from_anybody_is_rejected() {
        unsafe = new FileStore();
        try {
            assertRejected(new FileStore(), CuttingOff.class, CONTROL);
        } finally {
            unsafe = new FileStore.NotSynced();
        }
    }

    @Test
    void stores_that_do_not_cope_with_a_full_disk_are_rejected() {
        if (!canMount()) return;
        assertRejected(new FileStore.IgnoresAFullDisk(), FillingUp.class, FULL);
        assertRejected(new FileStore.StaysDown(), FillingUp.class, FULL);
    }

    /** Without it the contracts themselves say what they cannot show. */
    private boolean canMount() {
        return LoopDisk.isPossible(directory);
    }

    private static void assertAccepted(StoreOnDisk store, Class<?> contract, String test) {
        onTrial = store;
        backWithin = Patience.LIMIT;
        assertThat(Verdict.of(selectMethod(contract, test)).passed).contains(test);
    }

    private static void assertRejected(StoreOnDisk store, Class<?> contract, String test) {
        onTrial = store;
        backWithin = BACK_NEVER;
        assertThat(Verdict.of(selectMethod(contract, test)).failed).contains(test);
    }
}
