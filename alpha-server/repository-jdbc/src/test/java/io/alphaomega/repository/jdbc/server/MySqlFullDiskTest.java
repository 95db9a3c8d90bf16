package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.campaign.FullDiskContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class MySqlFullDiskTest extends FullDiskContract {
    @Override
    protected StoreOnDisk store() {
        return new ServerOnDisk.MySql();
    }

    @Override
    protected int diskMebibytes() {
        return 300;
    }
}
