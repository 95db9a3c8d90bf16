package io.alphaomega.benchmark.preset;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The connections of one service to its database: opened when needed, the last used first, closed after a failure. */
final class ConnectionPool implements AutoCloseable {
    private final DataSource dataSource;
    private final int size;
    private final Semaphore places;
    private final ConcurrentLinkedDeque<Connection> idle = new ConcurrentLinkedDeque<>();

    ConnectionPool(DataSource dataSource, int size) {
        this.dataSource = dataSource;
        this.size = size;
        this.places = new Semaphore(size);
    }

    /** Work in one local transaction. */
    interface Local<T extends @Nullable Object> {
        T run(Connection connection) throws SQLException;
    }

    /** Begins, works, commits; as many statements as a driver of DTM's sends: {@code START TRANSACTION} is one. */
    <T extends @Nullable Object> T inTransaction(Local<T> work) throws SQLException {
        places.acquireUninterruptibly();
        try {
            Connection connection = idle.pollFirst();
            if (connection == null) connection = opened();
            boolean sound = false;
            try {
                execute(connection, "START TRANSACTION");
                T result = work.run(connection);
                connection.commit();
                sound = true;
                return result;
            } finally {
                if (sound) idle.addFirst(connection);
                else connection.close(); // Which rolls back.
            }
        } finally {
            places.release();
        }
    }

    private Connection opened() throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        places.acquireUninterruptibly(size);
        for (Connection each = idle.poll(); each != null; each = idle.poll()) each.close();
    }
}
