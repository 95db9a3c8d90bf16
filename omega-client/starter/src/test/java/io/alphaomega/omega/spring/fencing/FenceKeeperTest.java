package io.alphaomega.omega.spring.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.spring.Applications;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class FenceKeeperTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration RETENTION = Duration.ofDays(90);

    @TempDir
    Path directory;

    @Test
    void rows_are_deleted_when_they_are_older_than_the_retention() throws SQLException {
        DataSource database = database();
        FenceKeeper keeper = keeper(database, NOW);
        keeper.afterPropertiesSet();
        insert(database, NOW.minus(RETENTION).minusSeconds(1), 600); // More than one transaction deletes.
        insert(database, NOW.minus(RETENTION).plusSeconds(1), 3);

        keeper.purge();
        assertThat(rows(database)).isEqualTo(3);
        keeper.destroy();
    }

    @Test
    void a_purge_that_fails_harms_nobody() {
        FenceKeeper keeper = keeper(database(), NOW);
        keeper.purge(); // There is no table.
        keeper.destroy();
    }

    @Test
    void a_table_that_cannot_be_created_is_named_with_a_way_out() {
        DataSource nowhere = new DriverManagerDataSource("jdbc:sqlite:" + directory.resolve("no/such/directory.db"));
        FenceKeeper keeper = keeper(nowhere, NOW);
        assertThatThrownBy(keeper::afterPropertiesSet)
                .isInstanceOf(OmegaConfigurationException.class)
                .hasMessageStartingWith("The fence's table cannot be created in the database of 'shop':");
        keeper.destroy();
    }

    private DataSource database() {
        return new DriverManagerDataSource(Applications.url(directory));
    }

    private static FenceKeeper keeper(DataSource database, Instant now) {
        Clock clock = Clock.fixed(now, ZoneOffset.UTC);
        OmegaProperties.Fence properties = new OmegaProperties.Fence(true, true, RETENTION, Duration.ofHours(1));
        Fence fence = new Fence(clock);
        JdbcFenceTable table = new JdbcFenceTable(
                fence, new FenceIds(fence, database, new DataSourceTransactionManager(database)), database);
        return new FenceKeeper("shop", table, properties, clock);
    }

    private static void insert(DataSource database, Instant at, int rows) throws SQLException {
        Fence fence = new Fence(Clock.fixed(at, ZoneOffset.UTC));
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            for (int i = 0; i < rows; i++) fence.forward(connection, "saga-" + at, "branch-" + i);
            connection.commit();
        }
    }

    private static int rows(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                ResultSet count = connection
                        .createStatement()
                        .executeQuery("select count(*) from omega_fence where op <> 'id'")) {
            return count.getInt(1);
        }
    }
}
