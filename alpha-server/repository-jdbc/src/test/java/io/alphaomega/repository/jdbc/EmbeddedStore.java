package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The embedded store in a directory. Its outage: somebody else holds the lock of its writers, a backup that hangs. */
final class EmbeddedStore implements Store {
    private final Path directory;
    private @Nullable Connection holder;

    EmbeddedStore(Path directory) {
        this.directory = directory;
    }

    @Override
    public SagaRepository open() {
        return JdbcSagaRepository.embedded(directory);
    }

    @Override
    public void stop() {
        try {
            Connection connection =
                    DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteDatabase.FILE));
            holder = connection;
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA busy_timeout = 10000");
                statement.execute("BEGIN IMMEDIATE");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void start() {
        try {
            if (holder != null) holder.close();
            holder = null;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        start();
    }
}
