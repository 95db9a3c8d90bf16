package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.campaign.PowerCutContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class EmbeddedPowerCutTest extends PowerCutContract {
    @Override
    protected StoreOnDisk store() {
        return new EmbeddedOnDisk();
    }

    @Override
    protected StoreOnDisk unsafe() {
        return new EmbeddedOnDisk.NotSynced();
    }

    @Override
    protected int diskMebibytes() {
        return 96;
    }

    /** What is above one is the file system's own and the checkpoints'. */
    @Override
    protected double flushesPerBatchMax() {
        return 2.5;
    }

    @Override
    protected int disksOfCampaign() {
        return 20;
    }
}
