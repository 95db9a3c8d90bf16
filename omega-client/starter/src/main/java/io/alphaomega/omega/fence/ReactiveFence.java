package io.alphaomega.omega.fence;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The {@link Fence} in transactions of R2DBC: the same table, the same rows and the same answers, and no thread that
 * waits. One database may be guarded by both.
 *
 * <p>Every method but the administrative ones belongs into the subscriber's transaction, before the business, and neither
 * commits nor rolls back. Whether there is one cannot be seen here: drivers say different things of a connection. An
 * error of R2DBC leaves nothing decided: roll back; the callback or the call may be tried again.
 */
public final class ReactiveFence {
    /** As many characters as a reason may have; 60 random bits tell the databases of a service apart. */
    private static final int ID_CHARS = 16;

    private final Clock clock;
    private final ReactiveDialect dialect;

    /**
     * @param clock dates the rows, for {@link #purge}
     * @param databaseProduct one that it {@link #knows}, as the factory of its connections says it: what a connection says
     *     may be the server's own comment, as "MySQL Community Server - GPL"
     */
    public ReactiveFence(Clock clock, String databaseProduct) {
        this.clock = clock;
        this.dialect = ReactiveDialect.of(databaseProduct);
    }

    /**
     * Whether there is a fence for that kind of database: H2, MariaDB, MySQL and PostgreSQL have one.
     *
     * @param databaseProduct as {@link io.r2dbc.spi.ConnectionFactoryMetadata#getName} says it
     */
    public static boolean knows(String databaseProduct) {
        return ReactiveDialect.find(databaseProduct).isPresent();
    }

    /** As {@link Fence#begin}. */
    public Mono<Void> begin(Connection connection, String saga, String branch) {
        return rows(connection, saga, branch)
                .insert(FenceRow.BEGIN, FenceRow.BEGIN)
                .then();
    }

    /** As {@link Fence#forward}. */
    public Mono<Forward> forward(Connection connection, String saga, String branch) {
        return rows(connection, saga, branch)
                .insert(FenceRow.FORWARD, FenceRow.FORWARD)
                .flatMap(first -> first ? Mono.just(Forward.RUN) : again(connection, saga, branch));
    }

    /** As {@link Fence#again}. */
    public Mono<Forward> again(Connection connection, String saga, String branch) {
        ReactiveRows rows = rows(connection, saga, branch);
        return rows.isThere(FenceRow.FORWARD)
                .flatMap(ran -> !ran ? Mono.just(true) : rows.isStored(FenceRow.COMPENSATION))
                .flatMap(over -> over ? Mono.just(Forward.REFUSED) : duplicate(rows));
    }

    private static Mono<Forward> duplicate(ReactiveRows rows) {
        return rows.result().map(result -> Forward.duplicate(result.orElse(null)));
    }

    /** As {@link Fence#storeResult}. */
    public Mono<Void> storeResult(Connection connection, String saga, String branch, byte[] result) {
        if (result.length > Fence.RESULT_BYTES) {
            return Mono.error(new IllegalArgumentException(Fence.tooLarge(saga, branch, result)));
        }
        return rows(connection, saga, branch).storeResult(result).flatMap(stored -> {
            if (stored) return Mono.empty();
            return Mono.error(new IllegalStateException(Fence.noForwardRow(saga, branch)));
        });
    }

    /** As {@link Fence#bar}. */
    public Mono<Boolean> bar(Connection connection, String saga, String branch) {
        ReactiveRows rows = rows(connection, saga, branch);
        return rows.insert(FenceRow.FORWARD, FenceRow.FAILURE)
                .flatMap(first -> first
                        ? Mono.just(true)
                        : rows.isStored(FenceRow.FORWARD).map(ran -> !ran));
    }

    /** As {@link Fence#compensation}. */
    public Mono<Compensation> compensation(Connection connection, String saga, String branch, boolean forwardEnded) {
        ReactiveRows rows = rows(connection, saga, branch);
        return rows.insert(FenceRow.FORWARD, FenceRow.COMPENSATION).flatMap(neverRan -> {
            Mono<Boolean> whetherRan = neverRan ? Mono.just(false) : rows.isStored(FenceRow.FORWARD);
            return whetherRan.flatMap(ran -> {
                if (!forwardEnded || ran) return undone(rows, ran);
                Mono<Void> takenBack = neverRan ? rows.delete(FenceRow.FORWARD) : Mono.empty();
                return takenBack.thenReturn(Compensation.FENCE_ROW_MISSING);
            });
        });
    }

    private static Mono<Compensation> undone(ReactiveRows rows, boolean ran) {
        Mono<Boolean> whetherToUndo = ran ? Mono.just(true) : hasBegun(rows);
        return whetherToUndo.flatMap(toUndo -> rows.insert(FenceRow.COMPENSATION, FenceRow.COMPENSATION)
                .map(first -> {
                    if (!first) return Compensation.DONE_BEFORE;
                    return toUndo ? Compensation.RUN : Compensation.NOTHING_TO_UNDO;
                }));
    }

    private static Mono<Boolean> hasBegun(ReactiveRows rows) {
        return rows.insert(FenceRow.BEGIN, FenceRow.COMPENSATION)
                .flatMap(first -> first ? Mono.just(false) : rows.isStored(FenceRow.BEGIN));
    }

    /** As {@link Fence#confirmation}. */
    public Mono<Confirmation> confirmation(Connection connection, String saga, String branch, boolean fenced) {
        ReactiveRows rows = rows(connection, saga, branch);
        return rows.insert(FenceRow.CONFIRMATION, FenceRow.CONFIRMATION).flatMap(first -> {
            if (!first) return Mono.just(Confirmation.DONE_BEFORE);
            if (!fenced) return Mono.just(Confirmation.RUN);
            return rows.isThere(FenceRow.FORWARD)
                    .flatMap(ran -> ran
                            ? Mono.just(Confirmation.RUN)
                            : rows.delete(FenceRow.CONFIRMATION).thenReturn(Confirmation.FORWARD_MISSING));
        });
    }

    /** As {@link Fence#sequel}. */
    public Mono<Boolean> sequel(Connection connection, String saga, String branch) {
        ReactiveRows rows = rows(connection, saga, branch);
        Mono<Boolean> there = either(rows.isThere(FenceRow.CONFIRMATION), isUndone(rows::isThere));
        return both(rows.insert(FenceRow.SEQUEL, FenceRow.SEQUEL), either(isUndone(rows::isStored), there));
    }

    private static Mono<Boolean> isUndone(Function<String, Mono<Boolean>> stored) {
        return both(
                stored.apply(FenceRow.COMPENSATION),
                either(stored.apply(FenceRow.FORWARD), stored.apply(FenceRow.BEGIN)));
    }

    private static Mono<Boolean> both(Mono<Boolean> one, Mono<Boolean> other) {
        return one.flatMap(yes -> yes ? other : Mono.just(false));
    }

    private static Mono<Boolean> either(Mono<Boolean> one, Mono<Boolean> other) {
        return one.flatMap(yes -> yes ? Mono.just(true) : other);
    }

    /** As {@link Fence#look}. */
    public Mono<Found> look(Connection connection, String saga, String branch) {
        return rows(connection, saga, branch).all().map(Found::of);
    }

    /** As {@link Fence#result}; empty if nothing is stored. */
    public Mono<byte[]> result(Connection connection, String saga, String branch) {
        return rows(connection, saga, branch).result().flatMap(Mono::justOrEmpty);
    }

    /** As {@link Fence#id(java.sql.Connection)}; empty if the table has none yet. */
    public Mono<String> id(Connection connection) {
        return idRows(connection).reason(FenceRow.ID);
    }

    /** As {@link Fence#id(javax.sql.DataSource)}. */
    public Mono<String> id(ConnectionFactory connections) {
        // Two transactions: of two instances that have read before they insert, one would lose at MySQL.
        return within(connections, this::id)
                .switchIfEmpty(Mono.defer(() -> within(connections, connection -> given(connection))));
    }

    private Mono<String> given(Connection connection) {
        String id = UUID.randomUUID().toString().replace("-", "").substring(0, ID_CHARS);
        return idRows(connection).insert(FenceRow.ID, id).flatMap(ours -> ours ? Mono.just(id) : id(connection));
    }

    /** Never old enough to purge. */
    private ReactiveRows idRows(Connection connection) {
        return new ReactiveRows(dialect, connection, "omega", "fence", Long.MAX_VALUE);
    }

    /** As {@link Fence#remembered}; empty if nothing was. */
    public Mono<byte[]> remembered(ConnectionFactory connections) {
        return within(
                connections,
                connection -> idRows(connection).result(FenceRow.SEEN).flatMap(Mono::justOrEmpty));
    }

    /** As {@link Fence#remember}. */
    public Mono<Void> remember(ConnectionFactory connections, byte[] memory) {
        return within(connections, connection -> {
            ReactiveRows rows = idRows(connection);
            Mono<Boolean> first =
                    rows.insert(FenceRow.SEEN, FenceRow.SEEN).flatMap(unused -> rows.store(FenceRow.SEEN, memory));
            return rows.store(FenceRow.SEEN, memory)
                    .flatMap(stored -> stored ? Mono.just(true) : first)
                    .then();
        });
    }

    /** As {@link Fence#missingTable}; empty if there is one. */
    public Mono<String> missingTable(ConnectionFactory connections) {
        return withoutTransaction(
                connections,
                connection -> tableMissing(connection)
                        .map(missing -> "The fence's table omega_fence cannot be read (" + missing.getMessage()
                                + "). Create it with: " + String.join("; ", ddl(connections))));
    }

    /** As {@link Fence#createTableIfMissing}. */
    public Mono<Void> createTableIfMissing(ConnectionFactory connections) {
        return withoutTransaction(
                connections,
                connection -> tableMissing(connection)
                        .flatMap(missing -> Flux.fromIterable(ddl(connections))
                                .concatMap(sql -> ReactiveRows.executed(connection.createStatement(sql)))
                                .then()
                                .onErrorResume(
                                        R2dbcException.class,
                                        e -> tableMissing(connection)
                                                // If there is one, another instance was faster.
                                                .flatMap(still -> Mono.error(notCreated(e, connections))))));
    }

    private static IllegalStateException notCreated(R2dbcException e, ConnectionFactory connections) {
        return new IllegalStateException(
                "The fence's table omega_fence could not be created (" + e.getMessage() + "). Create it with: "
                        + String.join("; ", ddl(connections)),
                e);
    }

    private static List<String> ddl(ConnectionFactory connections) {
        return Fence.ddl(connections.getMetadata().getName());
    }

    /** What goes wrong when the table is read; empty if nothing does. */
    private static Mono<R2dbcException> tableMissing(Connection connection) {
        return ReactiveRows.executed(connection.createStatement("SELECT 1 FROM omega_fence WHERE 1 = 0"))
                .then(Mono.<R2dbcException>empty())
                .onErrorResume(R2dbcException.class, Mono::just);
    }

    /** As {@link Fence#purge}. */
    public Mono<Integer> purge(Connection connection, Instant before, int limit) {
        return ReactiveRows.old(dialect, connection, before.toEpochMilli(), limit)
                .collectList()
                .flatMap(rows -> Flux.fromIterable(rows)
                        .concatMap(row ->
                                new ReactiveRows(dialect, connection, row.saga(), row.branch(), 0).delete(row.op()))
                        .then(Mono.just(rows.size())));
    }

    /** The same in a transaction of its own. */
    public Mono<Integer> purge(ConnectionFactory connections, Instant before, int limit) {
        return within(connections, connection -> purge(connection, before, limit));
    }

    private ReactiveRows rows(Connection connection, String saga, String branch) {
        return new ReactiveRows(dialect, connection, saga, branch, clock.millis());
    }

    private static <T> Mono<T> within(ConnectionFactory connections, Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(
                connections.create(),
                connection -> Mono.usingWhen(
                        Mono.from(connection.beginTransaction()).thenReturn(connection),
                        work,
                        Connection::commitTransaction,
                        (rolledBack, failure) -> rolledBack.rollbackTransaction(),
                        Connection::rollbackTransaction),
                Connection::close);
    }

    private static <T> Mono<T> withoutTransaction(ConnectionFactory connections, Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(connections.create(), work, Connection::close);
    }
}
