package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.campaign.KillContract;
import io.alphaomega.repository.campaign.StoreOnDisk;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class KillTest extends KillContract {
    @Override
    protected StoreOnDisk store() {
        return new ElasticsearchOnDisk();
    }
}
