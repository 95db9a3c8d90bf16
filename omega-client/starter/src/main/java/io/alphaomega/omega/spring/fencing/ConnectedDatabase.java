package io.alphaomega.omega.spring.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDriverBasedDataSource;

/**
 * Which database a connection leads to, as far as its driver knows without asking the server where it can.
 *
 * @param url of JDBC; empty if the driver does not tell, as are the others
 */
record ConnectedDatabase(String url, String catalog, String schema) {
    /** Pools of connections to one database, by name: few services have more than one of these on their class path. */
    private static final Set<String> POOLS = Set.of(
            "com.zaxxer.hikari.HikariDataSource",
            "org.apache.tomcat.jdbc.pool.DataSource",
            "org.apache.commons.dbcp2.BasicDataSource",
            "oracle.ucp.jdbc.PoolDataSourceImpl",
            "com.alibaba.druid.pool.DruidDataSource",
            "io.agroal.pool.DataSource",
            "com.mchange.v2.c3p0.ComboPooledDataSource");

    private interface Question {
        @Nullable
        String ask() throws SQLException;
    }

    static ConnectedDatabase of(Connection connection) {
        return new ConnectedDatabase(
                answer(() -> connection.getMetaData().getURL()),
                answer(connection::getCatalog),
                answer(connection::getSchema));
    }

    /** Whether all connections of it are surely to one database. What is not known here may choose among several. */
    static boolean isOne(DataSource source) {
        if (source instanceof AbstractDriverBasedDataSource) return true;
        Class<?> type = source.getClass();
        while (type != null && !POOLS.contains(type.getName())) type = type.getSuperclass();
        return type != null;
    }

    private static String answer(Question question) {
        try {
            String said = question.ask();
            return said == null ? "" : said;
        } catch (SQLException | AbstractMethodError unsupported) {
            return "";
        }
    }
}
