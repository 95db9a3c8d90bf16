package io.alphaomega.omega.fence;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The {@link Fence} in transactions of R2DBC: the same table, the same rows and the same answers, and no thread that
 * waits. Each method is the one of that name there, and a {@code Mono} is empty where that has nothing to say. One database
 * may be guarded by both.
 *
 * <p>Every method but the administrative ones belongs into the subscriber's transaction, before the business, and neither
 * commits nor rolls back. Whether there is one cannot be seen here: drivers say different things of a connection. An
 * error of R2DBC leaves nothing decided: roll back; the callback or the call may be tried again.
 */
public final class ReactiveFence {
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

    public Mono<Void> begin(Connection connection, String saga, String branch) {
        return decided(connection, saga, branch, FenceRules::begin).then();
    }

    public Mono<Forward> forward(Connection connection, String saga, String branch) {
        return decided(connection, saga, branch, FenceRules::forward);
    }

    public Mono<Forward> again(Connection connection, String saga, String branch) {
        return decided(connection, saga, branch, FenceRules::again);
    }

    public Mono<Void> storeResult(Connection connection, String saga, String branch, byte[] result) {
        return decided(connection, saga, branch, rules -> rules.storeResult(result))
                .then();
    }

    public Mono<Boolean> bar(Connection connection, String saga, String branch) {
        return decided(connection, saga, branch, FenceRules::bar);
    }

    public Mono<Compensation> compensation(Connection connection, String saga, String branch, boolean forwardEnded) {
        return decided(connection, saga, branch, rules -> rules.compensation(forwardEnded));
    }

    public Mono<Confirmation> confirmation(Connection connection, String saga, String branch, boolean fenced) {
        return decided(connection, saga, branch, rules -> rules.confirmation(fenced));
    }

    public Mono<Boolean> sequel(Connection connection, String saga, String branch) {
        return decided(connection, saga, branch, FenceRules::sequel);
    }

    private <V> Mono<V> decided(
            Connection connection, String saga, String branch, Function<FenceRules, Step<V>> decision) {
        FenceRules rules = new FenceRules(saga, branch, dialect.readsLatest());
        return Mono.defer(() -> rows(connection, clock.millis()).decided(decision.apply(rules)));
    }

    public Mono<Found> look(Connection connection, String saga, String branch) {
        return rows(connection, 0).all(saga, branch).map(Found::of);
    }

    public Mono<byte[]> result(Connection connection, String saga, String branch) {
        return rows(connection, 0).result(FenceRow.forward(saga, branch)).flatMap(Mono::justOrEmpty);
    }

    public Mono<String> id(Connection connection) {
        return rows(connection, 0).reason(FenceRow.id(""));
    }

    public Mono<String> id(ConnectionFactory connections) {
        // Two transactions: of two instances that have read before they insert, one would lose at MySQL.
        return within(connections, this::id)
                .switchIfEmpty(Mono.defer(() -> within(connections, connection -> given(connection))));
    }

    private Mono<String> given(Connection connection) {
        FenceRow row = FenceRow.id(FenceRow.newFenceId());
        return rows(connection, FenceRow.NEVER_PURGED)
                .insert(row)
                .flatMap(ours -> ours ? Mono.just(row.reason()) : id(connection));
    }

    public Mono<byte[]> remembered(ConnectionFactory connections) {
        return within(
                connections,
                connection -> rows(connection, 0).result(FenceRow.MEMORY).flatMap(Mono::justOrEmpty));
    }

    public Mono<Void> remember(ConnectionFactory connections, byte[] memory) {
        return within(
                connections,
                connection -> rows(connection, FenceRow.NEVER_PURGED)
                        .decided(FenceRules.remember(memory))
                        .then());
    }

    public Mono<String> missingTable(ConnectionFactory connections) {
        return withoutTransaction(
                connections,
                connection -> tableMissing(connection)
                        .map(missing -> blocking(connections).tableSentence("cannot be read", missing.getMessage())));
    }

    public Mono<Void> createTableIfMissing(ConnectionFactory connections) {
        Dialect its = blocking(connections);
        return withoutTransaction(
                connections,
                connection -> tableMissing(connection)
                        .flatMap(missing -> Flux.fromIterable(its.ddl())
                                .concatMap(sql -> ReactiveRows.executed(connection.createStatement(sql)))
                                .then()
                                .onErrorResume(
                                        R2dbcException.class,
                                        e -> tableMissing(connection)
                                                // If there is one, another instance was faster.
                                                .flatMap(still -> Mono.error(new IllegalStateException(
                                                        its.tableSentence("could not be created", e.getMessage()),
                                                        e))))));
    }

    /** The table is the same through JDBC. */
    private static Dialect blocking(ConnectionFactory connections) {
        return Dialect.of(connections.getMetadata().getName());
    }

    /** What goes wrong when the table is read; empty if nothing does. */
    private static Mono<R2dbcException> tableMissing(Connection connection) {
        return ReactiveRows.executed(connection.createStatement("SELECT 1 FROM omega_fence WHERE 1 = 0"))
                .then(Mono.<R2dbcException>empty())
                .onErrorResume(R2dbcException.class, Mono::just);
    }

    public Mono<Integer> purge(Connection connection, Instant before, int limit) {
        ReactiveRows rows = rows(connection, 0);
        return rows.old(before.toEpochMilli(), limit)
                .collectList()
                .flatMap(old -> Flux.fromIterable(old).concatMap(rows::delete).then(Mono.just(old.size())));
    }

    /** In a transaction of its own. */
    public Mono<Integer> purge(ConnectionFactory connections, Instant before, int limit) {
        return within(connections, connection -> purge(connection, before, limit));
    }

    ReactiveRows rows(Connection connection, long createdAt) {
        return new ReactiveRows(dialect, connection, createdAt);
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
