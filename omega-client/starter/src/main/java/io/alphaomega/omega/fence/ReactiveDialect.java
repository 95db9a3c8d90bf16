package io.alphaomega.omega.fence;

import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcRollbackException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How one kind of database takes the fence's statements through R2DBC. */
enum ReactiveDialect {
    /** Its driver reads no BLOB as bytes. */
    H2("INSERT", "", "", "CAST(result AS VARBINARY(65536))"),
    /** Also MariaDB. */
    MYSQL("INSERT IGNORE", "", " LOCK IN SHARE MODE", "result"),
    POSTGRESQL("INSERT", " ON CONFLICT (saga, branch, op) DO NOTHING", "", "result");

    private static final Pattern MARKER = Pattern.compile("\\?");

    private static final int H2_DUPLICATE_KEY = 23505;

    /** What an insert begins with: see {@link Dialect}. */
    final String insert;

    /** What ends an insert. */
    final String unlessTaken;

    /** What ends a read of one row by its key: see {@link Dialect#lockingRead()}. */
    final String lockingRead;

    /** The column of results, as it is read. */
    final String result;

    ReactiveDialect(String insert, String unlessTaken, String lockingRead, String result) {
        this.insert = insert;
        this.unlessTaken = unlessTaken;
        this.lockingRead = lockingRead;
        this.result = result;
    }

    static Optional<ReactiveDialect> find(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> Optional.of(H2);
            case "mysql", "mariadb" -> Optional.of(MYSQL);
            case "postgresql" -> Optional.of(POSTGRESQL);
            default -> Optional.empty();
        };
    }

    static ReactiveDialect of(String product) {
        return find(product)
                .orElseThrow(() -> new IllegalArgumentException("The fence does not know " + product
                        + " through R2DBC, only H2, MariaDB, MySQL and PostgreSQL."));
    }

    /** The statement with this database's markers in the place of {@code ?}: R2DBC takes it as it is. */
    String sql(String statement) {
        if (this == MYSQL) return statement;
        int[] number = {0};
        return MARKER.matcher(statement).replaceAll(marker -> Matcher.quoteReplacement("$" + ++number[0]));
    }

    /** As {@link Dialect#readsLatest}. */
    boolean readsLatest() {
        return !lockingRead.isEmpty();
    }

    /** As {@link Dialect#translated}. */
    R2dbcException translated(R2dbcException e) {
        return this == MYSQL && e.getErrorCode() == Dialect.MARIADB_RECORD_CHANGED
                ? new R2dbcRollbackException(e.getMessage(), "40001", e.getErrorCode(), e)
                : e;
    }

    /** Whether an insert has failed because its key is taken; after that the transaction goes on. */
    boolean isTaken(R2dbcException e) {
        return switch (this) {
            case H2 -> e.getErrorCode() == H2_DUPLICATE_KEY;
            case MYSQL, POSTGRESQL -> false; // There it is no error.
        };
    }
}
