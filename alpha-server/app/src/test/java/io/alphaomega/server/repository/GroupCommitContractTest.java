package io.alphaomega.server.repository;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.InMemoryStore;
import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/** The decorators change when appends happen and what is measured, nothing that the contract says. */
class GroupCommitContractTest extends SagaRepositoryContract {
    @Override
    protected Store store() {
        InMemoryStore memory = new InMemoryStore();
        return new Store() {
            @Override
            public SagaRepository open() {
                return new GroupCommit(
                        new MeteredRepository(memory.open(), new SimpleMeterRegistry()), GroupCommit.Limits.ofLanes(3));
            }

            @Override
            public void stop() {
                memory.stop();
            }

            @Override
            public void start() {
                memory.start();
            }

            @Override
            public void loseAnswers() {
                memory.loseAnswers();
            }

            @Override
            public void slowDown(Duration delay) {
                memory.slowDown(delay);
            }

            @Override
            public void close() {
                memory.close();
            }
        };
    }
}
