package io.alphaomega.omega.fence;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How one kind of database creates the fence's table and inserts a row unless its key is taken. */
enum Dialect {
    SQLITE("TEXT", "TEXT", "BLOB", "BIGINT", ""),
    POSTGRESQL("VARCHAR(64)", "VARCHAR(16)", "BYTEA", "BIGINT", ""),
    /** Also MariaDB. A BLOB ends one byte short of 64 KiB; the default collation would take two ids for one. */
    MYSQL(
            "VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin",
            "VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin",
            "MEDIUMBLOB",
            "BIGINT",
            " LOCK IN SHARE MODE"),
    /** It knows no BIGINT. An empty string would be null there: no column ever has one. */
    ORACLE("VARCHAR2(64 CHAR)", "VARCHAR2(16 CHAR)", "BLOB", "NUMBER(19)", ""),
    /**
     * The default collation would take two ids for one. Its driver sends strings as Unicode: beside a column that is not,
     * each row would be converted.
     */
    SQLSERVER(
            "NVARCHAR(64) COLLATE Latin1_General_BIN2",
            "NVARCHAR(16) COLLATE Latin1_General_BIN2",
            "VARBINARY(MAX)",
            "BIGINT",
            ""),
    /** In whichever mode it imitates another: as PostgreSQL it has no BLOB, and with IGNORECASE two ids would be one. */
    H2("VARCHAR_CASESENSITIVE(64)", "VARCHAR_CASESENSITIVE(16)", "VARBINARY(65536)", "BIGINT", ""),
    /** Any other: what the SQL standard and JDBC offer. */
    GENERIC("VARCHAR(64)", "VARCHAR(16)", "BLOB", "BIGINT", "");

    private static final String ROW = " INTO omega_fence (saga, branch, op, reason, created_at) VALUES (?, ?, ?, ?, ?)";

    private static final String INSERT = "INSERT" + ROW;
    private static final String INSERT_IGNORE = "INSERT IGNORE" + ROW;

    /** Of MariaDB since 11.6.2, at REPEATABLE READ and beyond: what is to be locked has changed since the snapshot. */
    static final int MARIADB_RECORD_CHANGED = 1020;

    private static final int SQLITE_BUSY = 5;

    private final String idType;
    private final String wordType;
    private final String bytesType;
    private final String millisType;
    private final String lockingRead;

    Dialect(String idType, String wordType, String bytesType, String millisType, String lockingRead) {
        this.idType = idType;
        this.wordType = wordType;
        this.bytesType = bytesType;
        this.millisType = millisType;
        this.lockingRead = lockingRead;
    }

    static Dialect of(Connection connection) throws SQLException {
        return of(connection.getMetaData().getDatabaseProductName());
    }

    static Dialect of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "sqlite" -> SQLITE;
            case "postgresql" -> POSTGRESQL;
            case "mysql", "mariadb" -> MYSQL;
            case "oracle" -> ORACLE;
            case "microsoft sql server" -> SQLSERVER;
            case "h2" -> H2;
            default -> GENERIC;
        };
    }

    List<String> ddl() {
        String columns = "saga " + idType + " NOT NULL,\n"
                + "  branch " + idType + " NOT NULL,\n"
                + "  op " + wordType + " NOT NULL,\n"
                + "  reason " + wordType + " NOT NULL,\n"
                + "  result " + bytesType + ",\n"
                + "  created_at " + millisType + " NOT NULL,\n"
                + "  PRIMARY KEY (saga, branch, op)";
        if (this == MYSQL) {
            return List.of("CREATE TABLE omega_fence (\n  " + columns
                    + ",\n  KEY omega_fence_created_at (created_at)\n) ENGINE = InnoDB");
        }
        return List.of(
                "CREATE TABLE omega_fence (\n  " + columns + "\n)",
                "CREATE INDEX omega_fence_created_at ON omega_fence (created_at)");
    }

    /** What has become of the table, and why, and how to create it. */
    String tableSentence(String complaint, @Nullable String because) {
        return "The fence's table omega_fence " + complaint + " (" + because + "). Create it with: "
                + String.join("; ", ddl());
    }

    /**
     * What ends a read of one row by its key. At MySQL's default isolation a plain read would show a snapshot from
     * before the other transaction's commit, and a stronger lock than the refused insert has left would deadlock with
     * another that waits likewise; elsewhere a statement sees what made the one before it fail.
     */
    String lockingRead() {
        return lockingRead;
    }

    /** Whether the fence reads what is committed by now, whenever the transaction began. */
    boolean readsLatest() {
        return !lockingRead.isEmpty();
    }

    /** The error as its state should have said it: MariaDB has rolled the transaction back, as the victim of a deadlock. */
    SQLException translated(SQLException e) {
        return this == MYSQL && e.getErrorCode() == MARIADB_RECORD_CHANGED
                ? new SQLTransactionRollbackException(e.getMessage(), "40001", e.getErrorCode(), e)
                : e;
    }

    /** What is said of a row that could not be inserted. */
    SQLException notInserted(FenceRow row, SQLException e) {
        if (this != SQLITE || e.getErrorCode() != SQLITE_BUSY) return translated(e);
        return new SQLTransientException(
                "The fence could not write " + row + ": another transaction held SQLite's write lock for longer than"
                        + " busy_timeout, or this one has read before it wrote. Roll back and try again.",
                e.getSQLState(),
                e.getErrorCode(),
                e);
    }

    /** As {@link Step.Verb#INSERT}. */
    boolean insert(Connection connection, FenceRow row, long createdAt) throws SQLException {
        return switch (this) {
            // Here a duplicate key would be an error, and PostgreSQL would refuse the rest of the transaction.
            case SQLITE, POSTGRESQL ->
                insert(connection, INSERT + " ON CONFLICT (saga, branch, op) DO NOTHING", row, createdAt) == 1;
            case MYSQL -> insertAtMysql(connection, row, createdAt);
            case ORACLE, SQLSERVER, H2, GENERIC -> insertAnywhere(connection, row, createdAt);
        };
    }

    /**
     * Without an error where the key is taken, since MariaDB's driver logs a warning for each. ON DUPLICATE KEY UPDATE answers
     * the same in both cases to many drivers. What IGNORE would hide besides, a row that does not fit, is looked for before.
     */
    private static boolean insertAtMysql(Connection connection, FenceRow row, long createdAt) throws SQLException {
        if (!row.fits()) throw new SQLDataException(row.misfit(), "22001");
        return insert(connection, INSERT_IGNORE, row, createdAt) == 1;
    }

    private boolean insertAnywhere(Connection connection, FenceRow row, long createdAt) throws SQLException {
        Savepoint before = connection.getMetaData().supportsSavepoints() ? connection.setSavepoint() : null;
        try {
            insert(connection, INSERT, row, createdAt);
            return true;
        } catch (SQLException e) {
            // Class 23: some constraint is violated. What else may be wrong has perhaps ended the transaction already.
            if (e.getSQLState() == null || !e.getSQLState().startsWith("23")) throw e;
            if (before != null) connection.rollback(before);
            // Only a row that is there says that it was the key.
            if (new JdbcRows(this, connection, createdAt).reason(row).isEmpty()) throw e;
            return false;
        }
    }

    private static int insert(Connection connection, String sql, FenceRow row, long createdAt) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            insert.setString(1, row.saga());
            insert.setString(2, row.branch());
            insert.setString(3, row.op());
            insert.setString(4, row.reason());
            insert.setLong(5, createdAt);
            return insert.executeUpdate();
        }
    }
}
