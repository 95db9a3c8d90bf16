package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.campaign.StoreOnDisk;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import java.nio.file.Path;
import java.util.List;

/** The embedded store: it has no server, and its address is its directory. */
class EmbeddedOnDisk implements StoreOnDisk {
    @Override
    public final Running start(Path directory) {
        return new Running(directory.toString(), List.of());
    }

    @Override
    public SagaRepository open(String address) {
        return EmbeddedRepository.in(Path.of(address));
    }

    static final class NotSynced extends EmbeddedOnDisk {
        private static final List<String> SETTINGS = List.of("PRAGMA journal_mode = WAL", "PRAGMA synchronous = OFF");

        @Override
        public SagaRepository open(String address) {
            return new JdbcSagaRepository(SqliteDatabase.in(Path.of(address), SETTINGS));
        }
    }
}
