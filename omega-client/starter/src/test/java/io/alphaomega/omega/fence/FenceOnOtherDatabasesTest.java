package io.alphaomega.omega.fence;

import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** H2 stands for the databases that the fence has no dialect of. */
final class FenceOnOtherDatabasesTest extends FenceContract {

    @Override
    DataSource emptyDatabase() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=30000");
        return dataSource;
    }
}
