package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Through JDBC. */
final class JdbcParticipant implements Participant {
    private final DataSource dataSource;
    private final Fence fence;

    private JdbcParticipant(DataSource dataSource, Instant time) {
        this.dataSource = dataSource;
        this.fence = new Fence(Clock.fixed(time, ZoneOffset.UTC));
    }

    /** Makes the tables. */
    JdbcParticipant(DataSource dataSource) throws SQLException {
        this(dataSource, NOW);
        createTableIfMissing();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS booking (branch VARCHAR(64) NOT NULL)");
        }
    }

    @Override
    public void createTableIfMissing() throws SQLException {
        fence.createTableIfMissing(dataSource);
    }

    @Override
    public Optional<byte[]> remembered() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            return fence.remembered(connection);
        }
    }

    @Override
    public void remember(byte[] memory) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            fence.remember(connection, memory);
            connection.commit();
        }
    }

    @Override
    public Participant at(Instant time) {
        return new JdbcParticipant(dataSource, time);
    }

    @Override
    public boolean hasLost(Exception e) {
        return e instanceof SQLException lost
                && lost.getSQLState() != null
                && lost.getSQLState().startsWith("40");
    }

    @Override
    public Transaction open() throws SQLException {
        Connection connection = dataSource.getConnection();
        connection.setAutoCommit(false);
        return new Open(fence, connection);
    }

    private record Open(Fence fence, Connection connection) implements Transaction {
        @Override
        public Forward forward(String saga, String branch) throws SQLException {
            return fence.forward(connection, saga, branch);
        }

        @Override
        public Forward again(String branch) throws SQLException {
            return fence.again(connection, "saga", branch);
        }

        @Override
        public void storeResult(String branch, byte[] result) throws SQLException {
            fence.storeResult(connection, "saga", branch, result);
        }

        @Override
        public void begin(String branch) throws SQLException {
            fence.begin(connection, "saga", branch);
        }

        @Override
        public boolean bar(String branch) throws SQLException {
            return fence.bar(connection, "saga", branch);
        }

        @Override
        public Compensation compensation(String branch, boolean forwardEnded) throws SQLException {
            return fence.compensation(connection, "saga", branch, forwardEnded);
        }

        @Override
        public Confirmation confirmation(String branch, boolean fenced) throws SQLException {
            return fence.confirmation(connection, "saga", branch, fenced);
        }

        @Override
        public boolean sequel(String branch) throws SQLException {
            return fence.sequel(connection, "saga", branch);
        }

        @Override
        public int purge(Instant before, int limit) throws SQLException {
            return fence.purge(connection, before, limit);
        }

        @Override
        public void book(String branch) throws SQLException {
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO booking (branch) VALUES (?)")) {
                insert.setString(1, branch);
                insert.executeUpdate();
            }
        }

        @Override
        public void cancel(String branch) throws SQLException {
            try (PreparedStatement delete = connection.prepareStatement("DELETE FROM booking WHERE branch = ?")) {
                delete.setString(1, branch);
                if (delete.executeUpdate() != 1) throw new AssertionError("undoing what was not done: " + branch);
            }
        }

        @Override
        public int count(String sql, String branch) throws SQLException {
            try (PreparedStatement select = connection.prepareStatement(sql + "?")) {
                select.setString(1, branch);
                try (ResultSet rows = select.executeQuery()) {
                    rows.next();
                    return rows.getInt(1);
                }
            }
        }

        @Override
        public Map<String, Found.Row> rows(String branch) throws SQLException {
            return new JdbcRows(Dialect.of(connection), connection, 0).all("saga", branch);
        }

        @Override
        public Optional<byte[]> result(String branch) throws SQLException {
            return fence.result(connection, "saga", branch);
        }

        @Override
        public void commit() throws SQLException {
            connection.commit();
            connection.close();
        }

        @Override
        public void rollback() throws SQLException {
            try (connection) {
                if (!connection.isClosed()) connection.rollback();
            }
        }
    }
}
