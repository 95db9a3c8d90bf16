package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import java.nio.file.Path;

/** The embedded store: SQLite in a directory that one repository has for itself until it is closed. */
public final class EmbeddedRepository {
    private EmbeddedRepository() {}

    /**
     * Every append is synced to the disk before it returns, once per batch.
     *
     * @param directory is created if only it is missing
     */
    public static JdbcSagaRepository in(Path directory) {
        return new JdbcSagaRepository(SqliteDatabase.in(directory, SqliteDatabase.SYNCED));
    }
}
