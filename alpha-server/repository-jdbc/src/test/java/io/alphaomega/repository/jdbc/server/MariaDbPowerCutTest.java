package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.campaign.PowerCutContract;
import io.alphaomega.repository.campaign.StoreOnDisk;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class MariaDbPowerCutTest extends PowerCutContract {
    @Override
    protected StoreOnDisk store() {
        return new ServerOnDisk.MariaDb();
    }

    @Override
    protected StoreOnDisk unsafe() {
        return new ServerOnDisk.MariaDbNotSynced();
    }

    @Override
    protected int diskMebibytes() {
        return 400;
    }
}
