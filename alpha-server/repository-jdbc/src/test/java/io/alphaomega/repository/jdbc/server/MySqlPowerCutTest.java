package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.campaign.PowerCutContract;
import io.alphaomega.repository.campaign.StoreOnDisk;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class MySqlPowerCutTest extends PowerCutContract {
    @Override
    protected StoreOnDisk store() {
        return new ServerOnDisk.MySql();
    }

    @Override
    protected StoreOnDisk unsafe() {
        return new ServerOnDisk.MySqlNotSynced();
    }

    @Override
    protected int diskMebibytes() {
        return 600;
    }
}
