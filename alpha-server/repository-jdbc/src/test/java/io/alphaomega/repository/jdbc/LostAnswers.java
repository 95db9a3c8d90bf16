package io.alphaomega.repository.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.jdbc4.JDBC4Connection;

/**
 * SQLite with a disk that now and then does what it is told and reports an error: in the place of SQLite's driver, of
 * which it is one.
 */
final class LostAnswers implements Driver {
    private static final Set<String> LOSING = ConcurrentHashMap.newKeySet();

    static {
        try {
            DriverManager.deregisterDriver(DriverManager.getDriver(JDBC.PREFIX));
            DriverManager.registerDriver(new LostAnswers());
        } catch (SQLException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private LostAnswers() {}

    /** From now on each commit to the database is done, and fails. */
    static void begin(String url) {
        LOSING.add(url);
    }

    static void end(String url) {
        LOSING.remove(url);
    }

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        if (!acceptsURL(url)) return null;
        return new JDBC4Connection(url, url.substring(JDBC.PREFIX.length()), properties) {
            @Override
            public PreparedStatement prepareStatement(String sql) throws SQLException {
                PreparedStatement statement = super.prepareStatement(sql);
                return sql.equals("COMMIT") ? losing(url, statement) : statement;
            }
        };
    }

    private static PreparedStatement losing(String url, PreparedStatement commit) {
        return (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(commit, arguments);
                        if (method.getName().equals("execute") && LOSING.contains(url)) {
                            throw new SQLiteException("the answer is lost", SQLiteErrorCode.SQLITE_IOERR);
                        }
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    @Override
    public boolean acceptsURL(String url) {
        return JDBC.isValidURL(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 3;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(LostAnswers.class.getName());
    }
}
