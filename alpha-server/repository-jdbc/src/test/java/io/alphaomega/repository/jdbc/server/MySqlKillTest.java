package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.campaign.KillContract;
import io.alphaomega.repository.campaign.StoreOnDisk;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class MySqlKillTest extends KillContract {
    @Override
    protected StoreOnDisk store() {
        return new ServerOnDisk.MySql();
    }
}
