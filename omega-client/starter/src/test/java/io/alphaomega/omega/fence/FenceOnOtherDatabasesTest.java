package io.alphaomega.omega.fence;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * H2 as itself and as others. It also stands for the databases that the fence has no dialect of, and in its compatibility modes for those that cannot be
 * had here: it takes their statements, and shows neither their locks nor their errors.
 */
@ParameterizedClass
@EnumSource
final class FenceOnOtherDatabasesTest extends FenceContract {
    private final Kind kind;

    FenceOnOtherDatabasesTest(Kind kind) {
        this.kind = kind;
    }

    enum Kind {
        ANY("Some Database", ""),
        H2("H2", ""),
        H2_AS_POSTGRESQL("H2", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"),
        H2_AS_MYSQL("H2", ";MODE=MySQL;IGNORECASE=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"),
        H2_AS_MARIADB("H2", ";MODE=MariaDB;DATABASE_TO_LOWER=TRUE"),
        H2_AS_ORACLE("H2", ";MODE=Oracle"),
        H2_AS_SQL_SERVER("H2", ";MODE=MSSQLServer"),
        H2_AS_DB2("H2", ";MODE=DB2"),
        H2_AS_DERBY("H2", ";MODE=Derby"),
        H2_AS_HSQLDB("H2", ";MODE=HSQLDB"),
        H2_STRICT("H2", ";MODE=STRICT"),
        ORACLE("Oracle", ";MODE=Oracle"),
        SQL_SERVER("Microsoft SQL Server", ";MODE=MSSQLServer");

        private final String product;
        private final String mode;

        Kind(String product, String mode) {
            this.product = product;
            this.mode = mode;
        }
    }

    @Override
    Participant emptyDatabase() throws Exception {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=30000" + kind.mode);
        if (kind == Kind.SQL_SERVER) withoutCollations(dataSource);
        return new JdbcParticipant(named(dataSource));
    }

    /** H2 knows none of a column; its default tells upper case from lower. */
    private void withoutCollations(DataSource dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : Fence.ddl(kind.product)) {
                statement.execute(sql.replace(" COLLATE Latin1_General_BIN2", ""));
            }
        }
    }

    /** Says that it is the product which it stands for. */
    private DataSource named(DataSource dataSource) {
        return proxy(
                DataSource.class,
                dataSource,
                (connections, got) -> got instanceof Connection connection
                        ? proxy(
                                Connection.class,
                                connection,
                                (connectionMethod, had) -> had instanceof DatabaseMetaData data
                                        ? proxy(
                                                DatabaseMetaData.class,
                                                data,
                                                (name, said) ->
                                                        name.equals("getDatabaseProductName") ? kind.product : said)
                                        : had)
                        : got);
    }

    private interface Change {
        Object of(String method, Object result);
    }

    private static <T> T proxy(Class<T> type, T target, Change change) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return change.of(method.getName(), method.invoke(target, arguments));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
