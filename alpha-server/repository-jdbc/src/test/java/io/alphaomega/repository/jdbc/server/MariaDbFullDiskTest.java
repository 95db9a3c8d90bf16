package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.campaign.FullDiskContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class MariaDbFullDiskTest extends FullDiskContract {
    @Override
    protected StoreOnDisk store() {
        return new ServerOnDisk.MariaDb();
    }

    @Override
    protected int diskMebibytes() {
        return 200;
    }
}
