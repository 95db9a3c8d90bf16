package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;

final class MySqlRepositoryTest extends SagaRepositoryContract {

    @Override
    protected Store store() {
        return new ServerStore(Servers.MYSQL.shared());
    }
}
