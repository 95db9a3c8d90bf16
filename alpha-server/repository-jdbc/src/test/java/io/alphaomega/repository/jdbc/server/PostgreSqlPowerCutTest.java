package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.campaign.PowerCutContract;
import io.alphaomega.repository.campaign.StoreOnDisk;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class PostgreSqlPowerCutTest extends PowerCutContract {
    @Override
    protected StoreOnDisk store() {
        return new ServerOnDisk.PostgreSql();
    }

    @Override
    protected StoreOnDisk unsafe() {
        return new ServerOnDisk.PostgreSqlNotSynced();
    }

    @Override
    protected int diskMebibytes() {
        return 400;
    }
}
