package io.alphaomega.server.repository;

import io.alphaomega.repository.SagaRepository;

/** What stands between group commit and the store, and is told of every batch. */
@FunctionalInterface
public interface RepositoryDecorator {
    /** A repository that does what {@code plugin} does and more, and closes it. */
    SagaRepository around(SagaRepository plugin);
}
