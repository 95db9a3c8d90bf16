package io.alphaomega.repository.redis;

import io.alphaomega.repository.campaign.FullDiskContract;
import io.alphaomega.repository.campaign.StoreOnDisk;

/** With {@code appendfsync always} Redis ends when it cannot write: whoever runs it starts it again. */
final class RedisFullDiskTest extends FullDiskContract {
    @Override
    protected StoreOnDisk store() {
        return new RedisOnDisk();
    }

    @Override
    protected int diskMebibytes() {
        return 8;
    }
}
