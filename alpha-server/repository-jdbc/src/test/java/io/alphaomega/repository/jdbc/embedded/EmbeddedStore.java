package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.repository.jdbc.server.LostAnswers;
import io.alphaomega.repository.kit.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The embedded store in a directory. Its outage: somebody else holds the lock of its writers, a backup that hangs. It is
 * slow when that is done again and again.
 */
final class EmbeddedStore implements Store {
    /** Who waits for the lock looks for it every tenth of a second. */
    private static final Duration LET_IN = Duration.ofMillis(150);

    private final LostAnswers answers = new LostAnswers();
    private final Path directory;
    private @Nullable Connection holder;
    private CountDownLatch slowDownOver = new CountDownLatch(1);
    private CompletableFuture<Void> slowDown = CompletableFuture.completedFuture(null);

    EmbeddedStore(Path directory) {
        this.directory = directory;
    }

    private String url() {
        return "jdbc:sqlite:" + directory.resolve(SqliteDatabase.FILE);
    }

    @Override
    public SagaRepository open() {
        return new JdbcSagaRepository(SqliteDatabase.in(directory, SqliteDatabase.SYNCED, answers));
    }

    @Override
    public void stop() {
        holder = lockHolder();
    }

    private Connection lockHolder() {
        try {
            Connection connection = DriverManager.getConnection(url());
            execute(connection, "PRAGMA busy_timeout = 10000");
            execute(connection, "BEGIN IMMEDIATE");
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void start() {
        answers.end();
        slowDown(Duration.ZERO);
        try {
            if (holder != null) holder.close();
            holder = null;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void loseAnswers() {
        answers.begin();
    }

    @Override
    public void slowDown(Duration delay) {
        slowDownOver.countDown();
        slowDown.join();
        if (delay.isZero()) return;
        CountDownLatch over = new CountDownLatch(1);
        Connection connection = lockHolder();
        slowDownOver = over;
        slowDown =
                CompletableFuture.runAsync(() -> lockAndRelease(connection, delay, over), Thread::startVirtualThread);
    }

    private static void lockAndRelease(Connection connection, Duration delay, CountDownLatch over) {
        try (connection) {
            while (!over.await(delay.toMillis(), TimeUnit.MILLISECONDS)) {
                execute(connection, "COMMIT");
                if (over.await(LET_IN.toMillis(), TimeUnit.MILLISECONDS)) return;
                execute(connection, "BEGIN IMMEDIATE");
            }
        } catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        start();
    }
}
