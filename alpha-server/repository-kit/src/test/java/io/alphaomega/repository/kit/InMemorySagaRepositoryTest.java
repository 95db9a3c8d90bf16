package io.alphaomega.repository.kit;

final class InMemorySagaRepositoryTest extends SagaRepositoryContract {
    @Override
    protected Store store() {
        return new InMemoryStore();
    }
}
