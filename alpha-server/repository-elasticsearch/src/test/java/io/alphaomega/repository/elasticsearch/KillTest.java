package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.campaign.KillContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class KillTest extends KillContract {
    @Override
    protected StoreOnDisk store() {
        return new ElasticsearchOnDisk();
    }

    @Override
    protected int kills() {
        return 2;
    }
}
