package io.alphaomega.repository.redis;

import io.alphaomega.repository.campaign.KillContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class RedisKillTest extends KillContract {
    @Override
    protected StoreOnDisk store() {
        return new RedisOnDisk();
    }

    @Override
    protected int kills() {
        return 3;
    }
}
