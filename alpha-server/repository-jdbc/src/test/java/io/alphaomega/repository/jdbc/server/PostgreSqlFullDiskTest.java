package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.campaign.FullDiskContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class PostgreSqlFullDiskTest extends FullDiskContract {
    @Override
    protected StoreOnDisk store() {
        return new ServerOnDisk.PostgreSql();
    }

    @Override
    protected int diskMebibytes() {
        return 160;
    }
}
