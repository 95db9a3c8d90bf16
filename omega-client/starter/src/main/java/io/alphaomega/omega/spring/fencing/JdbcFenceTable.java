package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

/** Through JDBC. */
final class JdbcFenceTable implements FenceTable {
    private final Fence fence;
    private final FenceIds ids;
    private final DataSource dataSource;

    JdbcFenceTable(Fence fence, FenceIds ids, DataSource dataSource) {
        this.fence = fence;
        this.ids = ids;
        this.dataSource = dataSource;
    }

    @Override
    public void create() throws SQLException {
        fence.createTableIfMissing(dataSource);
    }

    @Override
    public Optional<String> missing() throws SQLException {
        return fence.missingTable(dataSource);
    }

    @Override
    public void identify() throws SQLException {
        String unused = ids.byDataSource(); // No tenant is at work yet.
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
    public int purge(Instant before, int limit) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            int deleted = fence.purge(connection, before, limit);
            connection.commit();
            return deleted;
        }
    }
}
