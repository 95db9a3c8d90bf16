package io.alphaomega.benchmark.preset;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * What a MySQL or MariaDB server has counted since it started, for everybody who uses it.
 *
 * @param commits {@code COMMIT} statements
 * @param statements whatever clients have sent to be executed
 */
record DatabaseCounters(long commits, long statements) {

    static DatabaseCounters read(DataSource dataSource) throws SQLException {
        long commits = 0;
        long statements = 0;
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_commit', 'Questions')")) {
            while (row.next()) {
                if (row.getString(1).equalsIgnoreCase("Com_commit")) commits = row.getLong(2);
                else statements = row.getLong(2);
            }
        }
        return new DatabaseCounters(commits, statements);
    }

    DatabaseCounters since(DatabaseCounters earlier) {
        return new DatabaseCounters(commits - earlier.commits, statements - earlier.statements);
    }
}
