package io.alphaomega.omega.fence;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.R2dbcDataIntegrityViolationException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The rows of one branch, through one connection of R2DBC.
 *
 * @param createdAt of the rows that it inserts, in milliseconds since 1970
 */
record ReactiveRows(ReactiveDialect dialect, Connection connection, String saga, String branch, long createdAt) {

    /** Inserts the row and says whether it did; false when its key is taken, for which it waits if that is undecided. */
    Mono<Boolean> insert(String op, String reason) {
        return Mono.defer(() -> {
            FenceRow row = new FenceRow(saga, branch, op, reason);
            if (dialect == ReactiveDialect.MYSQL && !row.fits()) {
                return Mono.error(new R2dbcDataIntegrityViolationException(row.misfit(), "22001"));
            }
            String sql = " INTO omega_fence (saga, branch, op, reason, created_at) VALUES (?, ?, ?, ?, ?)";
            Statement insert = connection
                    .createStatement(dialect.sql(dialect.insert + sql + dialect.unlessTaken))
                    .bind(0, saga)
                    .bind(1, branch)
                    .bind(2, op)
                    .bind(3, reason)
                    .bind(4, createdAt);
            return executed(insert)
                    .map(rows -> rows == 1)
                    .onErrorResume(
                            e -> e instanceof R2dbcException sqlError && dialect.isTaken(sqlError),
                            taken -> Mono.just(false))
                    .onErrorMap(R2dbcException.class, dialect::translated);
        });
    }

    /** Whether the row is there, put there by the operation itself; also if committed since the transaction began. */
    Mono<Boolean> isStored(String op) {
        return reason(op).map(op::equals).defaultIfEmpty(false);
    }

    /** Whether the row is there, as {@link Fence} finds out. */
    Mono<Boolean> isThere(String op) {
        Mono<Boolean> missing = Mono.defer(() -> dialect.readsLatest()
                ? Mono.just(false)
                : insert(op, op).flatMap(ours -> ours ? delete(op).thenReturn(false) : isStored(op)));
        return isStored(op).flatMap(stored -> stored ? Mono.just(true) : missing);
    }

    /** The reason of the row, if there is one. */
    Mono<String> reason(String op) {
        return Mono.defer(() -> Flux.from(read("reason", op).execute())
                .concatMap(result -> result.map((row, columns) -> text(row.get(0, String.class))))
                .singleOrEmpty()
                .onErrorMap(R2dbcException.class, dialect::translated));
    }

    /** What the forward call has stored. */
    Mono<Optional<byte[]>> result() {
        return result(FenceRow.FORWARD);
    }

    Mono<Optional<byte[]>> result(String op) {
        return Mono.defer(() -> Flux.from(read(dialect.result, op).execute())
                .concatMap(result -> result.map((row, columns) -> Optional.ofNullable(row.get(0, byte[].class))))
                .singleOrEmpty()
                .defaultIfEmpty(Optional.empty())
                .onErrorMap(R2dbcException.class, dialect::translated));
    }

    /** Those that there are, by their operations. */
    Mono<Map<String, Found.Row>> all() {
        return Mono.defer(() -> {
            String sql = "SELECT op, reason, created_at FROM omega_fence WHERE saga = ? AND branch = ?";
            Statement select =
                    connection.createStatement(dialect.sql(sql)).bind(0, saga).bind(1, branch);
            return Flux.from(select.execute())
                    .concatMap(result -> result.map((row, columns) -> Map.entry(
                            text(row.get(0, String.class)),
                            new Found.Row(
                                    text(row.get(1, String.class)),
                                    Objects.requireNonNull(row.get(2, Long.class), "no column is null")))))
                    .collectMap(Map.Entry::getKey, Map.Entry::getValue);
        });
    }

    /** Says whether there was a forward row to store it in. */
    Mono<Boolean> storeResult(byte[] result) {
        return store(FenceRow.FORWARD, result);
    }

    /** Says whether the row was there to store it in. */
    Mono<Boolean> store(String op, byte[] result) {
        return Mono.defer(() -> {
            String sql = "UPDATE omega_fence SET result = ? WHERE saga = ? AND branch = ? AND op = ?";
            Statement update = connection
                    .createStatement(dialect.sql(sql))
                    .bind(0, result)
                    .bind(1, saga)
                    .bind(2, branch)
                    .bind(3, op);
            return executed(update).map(rows -> rows == 1);
        });
    }

    /** Takes back what this transaction has just inserted, or deletes what is old. */
    Mono<Void> delete(String op) {
        return Mono.defer(() -> executed(byKey("DELETE FROM omega_fence", op, "")))
                .then();
    }

    private Statement read(String column, String op) {
        return byKey("SELECT " + column + " FROM omega_fence", op, dialect.lockingRead);
    }

    private Statement byKey(String statement, String op, String suffix) {
        String sql = statement + " WHERE saga = ? AND branch = ? AND op = ?" + suffix;
        return connection
                .createStatement(dialect.sql(sql))
                .bind(0, saga)
                .bind(1, branch)
                .bind(2, op);
    }

    /** Rows as old as that, oldest first. */
    static Flux<FenceRow> old(ReactiveDialect dialect, Connection connection, long before, int limit) {
        return Flux.defer(() -> {
            String sql =
                    "SELECT saga, branch, op, reason FROM omega_fence WHERE created_at < ? ORDER BY created_at LIMIT "
                            + limit;
            Statement select = connection.createStatement(dialect.sql(sql)).bind(0, before);
            return Flux.from(select.execute())
                    .concatMap(result -> result.map((row, columns) -> new FenceRow(
                            text(row.get(0, String.class)),
                            text(row.get(1, String.class)),
                            text(row.get(2, String.class)),
                            text(row.get(3, String.class)))));
        });
    }

    /** How many rows it has changed. */
    static Mono<Long> executed(Statement statement) {
        return Flux.from(statement.execute()).concatMap(Result::getRowsUpdated).reduce(0L, Long::sum);
    }

    /** No column that is read with it is ever null. */
    private static String text(@Nullable String column) {
        return String.valueOf(column);
    }
}
