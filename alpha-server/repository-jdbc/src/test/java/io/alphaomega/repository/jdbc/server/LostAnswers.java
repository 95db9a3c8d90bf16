package io.alphaomega.repository.jdbc.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.jdbc4.JDBC4Connection;

/** SQLite's driver, with a disk that now and then does what it is told and reports an error. */
public final class LostAnswers extends JDBC {
    private volatile boolean losing;

    /** From now on each commit is done, and fails. */
    public void begin() {
        losing = true;
    }

    public void end() {
        losing = false;
    }

    @Override
    public Connection connect(String url, Properties properties) throws SQLException {
        return new JDBC4Connection(url, url.substring(PREFIX.length()), properties) {
            @Override
            public PreparedStatement prepareStatement(String sql) throws SQLException {
                PreparedStatement statement = super.prepareStatement(sql);
                return sql.equals("COMMIT") ? losing(statement) : statement;
            }
        };
    }

    private PreparedStatement losing(PreparedStatement commit) {
        return (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(commit, arguments);
                        if (method.getName().equals("execute") && losing) {
                            throw new SQLiteException("the answer is lost", SQLiteErrorCode.SQLITE_IOERR);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }
}
