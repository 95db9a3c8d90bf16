package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.campaign.KillContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class EmbeddedKillTest extends KillContract {
    @Override
    protected StoreOnDisk store() {
        return new EmbeddedOnDisk();
    }

    @Override
    protected int killsOfCampaign() {
        return 200;
    }
}
