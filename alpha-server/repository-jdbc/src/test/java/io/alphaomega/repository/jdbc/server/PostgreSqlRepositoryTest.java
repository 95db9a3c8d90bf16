package io.alphaomega.repository.jdbc.server;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;

final class PostgreSqlRepositoryTest extends SagaRepositoryContract {

    @Override
    protected Store store() {
        return new ServerStore(Servers.POSTGRESQL.shared());
    }
}
