package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.kit.SagaRepositoryContract;
import io.alphaomega.repository.kit.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class EmbeddedRepositoryTest extends SagaRepositoryContract {
    @TempDir
    Path directory;

    @Override
    protected Store store() {
        return new EmbeddedStore(directory);
    }
}
