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
 * Performs the steps of decisions through one connection of R2DBC.
 *
 * @param createdAt of the rows that it inserts, in milliseconds since 1970
 */
record ReactiveRows(ReactiveDialect dialect, Connection connection, long createdAt) {

    <V> Mono<V> decided(Step<V> decision) {
        return decision instanceof Step.Done<V> done
                ? Mono.just(done.verdict())
                : next(decision).flatMap(this::decided);
    }

    private <V> Mono<Step<V>> next(Step<V> step) {
        if (step instanceof Step.Read<V> read) return result(read.row()).map(read.then());
        if (step instanceof Step.Store<V> store)
            return store(store.row(), store.result()).map(store.then());
        Step.Ask<V> asked = (Step.Ask<V>) step;
        Mono<Boolean> answer =
                switch (asked.verb()) {
                    case INSERT -> insert(asked.row());
                    case FIND ->
                        reason(asked.row()).map(asked.row().reason()::equals).defaultIfEmpty(false);
                    case DELETE -> delete(asked.row());
                };
        return answer.map(asked.then());
    }

    Mono<Boolean> insert(FenceRow row) {
        return Mono.defer(() -> {
            if (dialect == ReactiveDialect.MYSQL && !row.fits()) {
                return Mono.error(new R2dbcDataIntegrityViolationException(row.misfit(), "22001"));
            }
            String sql = " INTO omega_fence (saga, branch, op, reason, created_at) VALUES (?, ?, ?, ?, ?)";
            Statement insert = connection
                    .createStatement(dialect.sql(dialect.insert + sql + dialect.unlessTaken))
                    .bind(0, row.saga())
                    .bind(1, row.branch())
                    .bind(2, row.op())
                    .bind(3, row.reason())
                    .bind(4, createdAt);
            return executed(insert)
                    .map(rows -> rows == 1)
                    .onErrorResume(
                            e -> e instanceof R2dbcException sqlError && dialect.isTaken(sqlError),
                            taken -> Mono.just(false))
                    .onErrorMap(R2dbcException.class, dialect::translated);
        });
    }

    /** The reason of the row with this key, if there is one; also if committed since the transaction began. */
    Mono<String> reason(FenceRow key) {
        return Mono.defer(() -> Flux.from(read("reason", key).execute())
                .concatMap(result -> result.map((row, columns) -> text(row.get(0, String.class))))
                .singleOrEmpty()
                .onErrorMap(R2dbcException.class, dialect::translated));
    }

    Mono<Optional<byte[]>> result(FenceRow key) {
        return Mono.defer(() -> Flux.from(read(dialect.result, key).execute())
                .concatMap(result -> result.map((row, columns) -> Optional.ofNullable(row.get(0, byte[].class))))
                .singleOrEmpty()
                .defaultIfEmpty(Optional.empty())
                .onErrorMap(R2dbcException.class, dialect::translated));
    }

    /** Those of a branch, by their operations. */
    Mono<Map<String, Found.Row>> all(String saga, String branch) {
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

    private Mono<Boolean> store(FenceRow row, byte[] result) {
        return Mono.defer(() -> {
            String sql = "UPDATE omega_fence SET result = ? WHERE saga = ? AND branch = ? AND op = ?";
            Statement update = connection
                    .createStatement(dialect.sql(sql))
                    .bind(0, result)
                    .bind(1, row.saga())
                    .bind(2, row.branch())
                    .bind(3, row.op());
            return executed(update).map(rows -> rows == 1).onErrorMap(R2dbcException.class, dialect::translated);
        });
    }

    Mono<Boolean> delete(FenceRow row) {
        return Mono.defer(() -> executed(byKey("DELETE", row, ""))
                .map(rows -> rows == 1)
                .onErrorMap(R2dbcException.class, dialect::translated));
    }

    private Statement read(String column, FenceRow row) {
        return byKey("SELECT " + column, row, dialect.lockingRead);
    }

    private Statement byKey(String statement, FenceRow row, String suffix) {
        String sql = statement + " FROM omega_fence WHERE saga = ? AND branch = ? AND op = ?" + suffix;
        return connection
                .createStatement(dialect.sql(sql))
                .bind(0, row.saga())
                .bind(1, row.branch())
                .bind(2, row.op());
    }

    /** Up to that many rows older than that, oldest first. */
    Flux<FenceRow> old(long before, int limit) {
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
