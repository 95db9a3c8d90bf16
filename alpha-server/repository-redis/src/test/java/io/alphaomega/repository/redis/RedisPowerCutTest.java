package io.alphaomega.repository.redis;

import io.alphaomega.repository.campaign.PowerCutContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

final class RedisPowerCutTest extends PowerCutContract {
    @Override
    protected StoreOnDisk store() {
        return new RedisOnDisk();
    }

    @Override
    protected StoreOnDisk unsafe() {
        return new RedisOnDisk.NotSynced();
    }

    @Override
    protected int diskMebibytes() {
        return 96;
    }
}
