package io.alphaomega.omega.fence;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** Through R2DBC. Only the test waits. */
final class R2dbcParticipant implements Participant {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final ConnectionFactory connections;
    private final IsolationLevel isolation;
    private final ReactiveFence fence;

    /** To be used again. */
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    private R2dbcParticipant(ConnectionFactory connections, IsolationLevel isolation, Instant time) {
        this.connections = connections;
        this.isolation = isolation;
        this.fence = new ReactiveFence(
                Clock.fixed(time, ZoneOffset.UTC), connections.getMetadata().getName());
    }

    /** Makes the tables. */
    R2dbcParticipant(ConnectionFactory connections, IsolationLevel isolation) throws Exception {
        this(connections, isolation, NOW);
        createTableIfMissing();
        execute("CREATE TABLE IF NOT EXISTS booking (branch VARCHAR(64) NOT NULL)");
    }

    void execute(String sql) throws Exception {
        run(Mono.usingWhen(
                connections.create(),
                connection -> ReactiveRows.executed(connection.createStatement(sql)),
                Connection::close));
    }

    @Override
    public void createTableIfMissing() throws Exception {
        run(fence.createTableIfMissing(connections));
    }

    @Override
    public Optional<byte[]> remembered() throws Exception {
        return Optional.ofNullable(run(fence.remembered(connections)));
    }

    @Override
    public void remember(byte[] memory) throws Exception {
        run(fence.remember(connections, memory));
    }

    @Override
    public Participant at(Instant time) {
        return new R2dbcParticipant(connections, isolation, time);
    }

    @Override
    public boolean hasLost(Exception e) {
        return lost(e);
    }

    private static boolean lost(Throwable e) {
        return e instanceof R2dbcException lost
                && lost.getSqlState() != null
                && lost.getSqlState().startsWith("40");
    }

    private static <T> @Nullable T run(Mono<T> work) throws Exception {
        try {
            return work.block(LIMIT);
        } catch (RuntimeException e) {
            throw Exceptions.unwrap(e) instanceof Exception cause ? cause : e;
        }
    }

    private static <T> T get(Mono<T> work) throws Exception {
        return Objects.requireNonNull(run(work));
    }

    @Override
    public Transaction open() throws Exception {
        return new Open(fence, get(begun()), idle);
    }

    private Mono<Connection> begun() {
        return Mono.defer(() -> {
                    Connection connection = idle.poll();
                    return connection == null ? Mono.<Connection>from(connections.create()) : Mono.just(connection);
                })
                .delayUntil(connection -> connection.setTransactionIsolationLevel(isolation))
                .delayUntil(Connection::beginTransaction);
    }

    @Override
    public Forward.Verdict forward(String saga, String branch) throws Exception {
        return get(within(connection -> fence.forward(connection, saga, branch).flatMap(forward -> {
            Mono<?> business = forward.verdict() == Forward.Verdict.RUN ? booked(connection, branch) : Mono.empty();
            return business.then(Mono.just(forward.verdict()));
        })));
    }

    @Override
    public Compensation compensate(String branch, boolean forwardEnded) throws Exception {
        return get(within(connection -> fence.compensation(connection, "saga", branch, forwardEnded)
                .flatMap(said -> {
                    Mono<?> business = said == Compensation.RUN ? cancelled(connection, branch) : Mono.empty();
                    return business.then(Mono.just(said));
                })));
    }

    @Override
    public Confirmation confirm(String branch, boolean fenced) throws Exception {
        return get(within(connection -> fence.confirmation(connection, "saga", branch, fenced)));
    }

    /** As {@link #inTransaction}, and nobody waits until it is over. */
    private <T> Mono<T> within(Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(
                        begun(),
                        connection -> work.apply(connection).delayUntil(done -> connection.commitTransaction()),
                        connection -> Mono.fromRunnable(() -> idle.add(connection)),
                        (connection, failure) -> rolledBack(connection),
                        this::rolledBack)
                .retryWhen(Retry.max(TRIES - 1).filter(R2dbcParticipant::lost));
    }

    private Mono<Void> rolledBack(Connection connection) {
        return Mono.from(connection.rollbackTransaction()).then(Mono.fromRunnable(() -> idle.add(connection)));
    }

    private static Mono<Long> booked(Connection connection, String branch) {
        return ReactiveRows.executed(
                connection.createStatement("INSERT INTO booking (branch) VALUES ('" + branch + "')"));
    }

    private static Mono<Long> cancelled(Connection connection, String branch) {
        return ReactiveRows.executed(connection.createStatement("DELETE FROM booking WHERE branch = '" + branch + "'"))
                .doOnNext(deleted -> {
                    if (deleted != 1) throw new AssertionError("undoing what was not done: " + branch);
                });
    }

    private record Open(ReactiveFence fence, Connection connection, Queue<Connection> idle) implements Transaction {
        @Override
        public Forward forward(String saga, String branch) throws Exception {
            return get(fence.forward(connection, saga, branch));
        }

        @Override
        public Forward again(String branch) throws Exception {
            return get(fence.again(connection, "saga", branch));
        }

        @Override
        public void storeResult(String branch, byte[] result) throws Exception {
            run(fence.storeResult(connection, "saga", branch, result));
        }

        @Override
        public void begin(String branch) throws Exception {
            run(fence.begin(connection, "saga", branch));
        }

        @Override
        public boolean bar(String branch) throws Exception {
            return get(fence.bar(connection, "saga", branch));
        }

        @Override
        public Compensation compensation(String branch, boolean forwardEnded) throws Exception {
            return get(fence.compensation(connection, "saga", branch, forwardEnded));
        }

        @Override
        public Confirmation confirmation(String branch, boolean fenced) throws Exception {
            return get(fence.confirmation(connection, "saga", branch, fenced));
        }

        @Override
        public boolean sequel(String branch) throws Exception {
            return get(fence.sequel(connection, "saga", branch));
        }

        @Override
        public int purge(Instant before, int limit) throws Exception {
            return get(fence.purge(connection, before, limit));
        }

        @Override
        public void book(String branch) throws Exception {
            run(booked(connection, branch));
        }

        @Override
        public void cancel(String branch) throws Exception {
            run(cancelled(connection, branch));
        }

        @Override
        public int count(String sql, String branch) throws Exception {
            List<Long> found = get(Flux.from(
                            connection.createStatement(sql + "'" + branch + "'").execute())
                    .concatMap(result -> result.map((row, columns) -> Objects.requireNonNull(row.get(0, Long.class))))
                    .collectList());
            return found.get(0).intValue();
        }

        @Override
        public Map<String, Found.Row> rows(String branch) throws Exception {
            return get(fence.rows(connection, 0).all("saga", branch));
        }

        @Override
        public Optional<byte[]> result(String branch) throws Exception {
            return Optional.ofNullable(run(fence.result(connection, "saga", branch)));
        }

        @Override
        public void commit() throws Exception {
            run(Mono.from(connection.commitTransaction()));
            idle.add(connection);
        }

        @Override
        public void rollback() throws Exception {
            run(Mono.from(connection.rollbackTransaction()));
            idle.add(connection);
        }
    }
}
