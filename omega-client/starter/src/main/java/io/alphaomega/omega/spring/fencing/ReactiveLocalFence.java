package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.fence.Forward;
import io.alphaomega.omega.fence.Found;
import io.alphaomega.omega.fence.ReactiveFence;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.method.ReturnedPublishers;
import io.alphaomega.omega.spring.payload.Payloads;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.r2dbc.connection.ConnectionFactoryUtils;
import org.springframework.r2dbc.connection.ConnectionHolder;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/** The fence in Spring's transactions of R2DBC: joins the one of its subscriber, and opens one where none is. */
public final class ReactiveLocalFence {
    private static final Logger log = LoggerFactory.getLogger(ReactiveLocalFence.class);

    private final ReactiveFence fence;
    private final R2dbcTransactionManager transactions;
    private final ConnectionFactory connections;
    private final Payloads payloads;
    private final Duration retention;
    private final ReactiveFenceIds ids;

    /** @param retention how long rows are kept: of an older branch, no row says nothing */
    ReactiveLocalFence(
            ReactiveFence fence,
            R2dbcTransactionManager transactions,
            Payloads payloads,
            Duration retention,
            ReactiveFenceIds ids) {
        this.fence = fence;
        this.transactions = transactions;
        this.connections = Objects.requireNonNull(transactions.getConnectionFactory());
        this.payloads = payloads;
        this.retention = retention;
        this.ids = ids;
    }

    /** The id of the fence that a branch which begins now begins behind. */
    CompletableFuture<String> id() {
        return ids.current();
    }

    /** As {@link BlockingFence#begin}. */
    public Mono<Void> begin(String saga, String branch) {
        return inTransaction(
                "The begin of branch " + branch,
                connection -> fence.begin(connection, saga, branch).thenReturn(true),
                (connection, noted) -> Mono.empty());
    }

    /** Runs the business of a branch at most once, or has what that said before. */
    public Mono<Object> forward(Attempt attempt, Supplier<Publisher<?>> business) {
        String operation = attempt.definition().operation();
        Function<Connection, Mono<Forward>> decision = connection -> Mono.deferContextual(view -> {
            ReactiveTransactions.reached(attempt, view);
            return fence.forward(connection, attempt.saga(), attempt.branch());
        });
        return inTransaction(
                operation,
                connection -> decision.apply(connection)
                        .flatMap(forward -> forward.verdict() == Forward.Verdict.RUN
                                ? ids.require(connection, attempt.fence(), operation)
                                        .thenReturn(forward)
                                : Mono.just(forward)),
                (connection, forward) -> switch (forward.verdict()) {
                    case RUN -> run(attempt, business, connection);
                    case DUPLICATE -> Mono.justOrEmpty(duplicate(attempt, forward));
                    case REFUSED -> Mono.error(attempt.refused());
                });
    }

    /** As {@link LocalFence#again}; nobody waits for it. */
    public CompletableFuture<?> again(CommittedException committed, String branch, BranchDefinition definition) {
        return this.<Forward, Object>inTransaction(
                        definition.operation(),
                        connection -> fence.again(connection, committed.saga(), branch),
                        (connection, forward) ->
                                Mono.fromCallable(() -> committed.unlessDone(forward, definition, payloads)))
                .toFuture();
    }

    private @Nullable Object duplicate(Attempt attempt, Forward forward) {
        byte[] stored = forward.result().orElse(null);
        if (stored == null) return null;
        BranchDefinition definition = attempt.definition();
        if (definition.takesResult()) attempt.returned(stored);
        return payloads.result(definition.resultType(), stored);
    }

    private Mono<Object> run(Attempt attempt, Supplier<Publisher<?>> business, Connection connection) {
        BranchDefinition definition = attempt.definition();
        Mono<Object> work = Mono.defer(() -> Mono.<Object>from(business.get()));
        if (!definition.storesResult()) return work;
        return work.map(Optional::of).defaultIfEmpty(Optional.empty()).flatMap(result -> {
            byte[] encoded = payloads.result(definition, result.orElse(null));
            Mono<Void> stored = asked(
                    FenceSentences.resultNotKept(definition.operation()),
                    fence.storeResult(connection, attempt.saga(), attempt.branch(), encoded));
            return stored.then(Mono.fromRunnable(() -> {
                        if (definition.takesResult()) attempt.returned(encoded);
                    }))
                    .then(Mono.justOrEmpty(result));
        });
    }

    /** As {@link LocalFence#bar}. */
    public Mono<Boolean> bar(String saga, String branch) {
        return this.<Boolean, Boolean>inTransaction(
                        "The failure of branch " + branch,
                        connection -> fence.bar(connection, saga, branch),
                        (connection, barred) -> Mono.just(barred))
                .onErrorResume(e -> {
                    log.warn(
                            "It is unknown whether branch {} of saga {} took effect; alpha compensates it.",
                            branch,
                            saga,
                            e);
                    return Mono.just(false);
                });
    }

    /**
     * As {@link CallbackFence#compensate}.
     *
     * @param here where the work begins
     */
    Mono<Compensation> compensate(
            String saga,
            String branch,
            String began,
            boolean forwardEnded,
            Duration age,
            CallbackFence.CallbackWork work,
            Scheduler here) {
        boolean rowExpected = forwardEnded || age.compareTo(retention) >= 0;
        return inTransaction(
                "The compensation of branch " + branch,
                connection -> ids.requireOf(connection, began)
                        .then(fence.compensation(connection, saga, branch, rowExpected)),
                (connection, said) -> said == Compensation.RUN
                        ? done(connection, saga, branch, work, here).thenReturn(said)
                        : Mono.just(said));
    }

    /** As {@link CallbackFence#confirm}. */
    Mono<Confirmation> confirm(
            String saga, String branch, String began, CallbackFence.CallbackWork work, Scheduler here) {
        return inTransaction(
                "The confirmation of branch " + branch,
                connection -> ids.requireOf(connection, began).then(fence.confirmation(connection, saga, branch, true)),
                (connection, said) -> said == Confirmation.RUN
                        ? done(connection, saga, branch, work, here).thenReturn(said)
                        : Mono.just(said));
    }

    /** As {@link CallbackFence#follow}; says whether it was done now. */
    Mono<Boolean> follow(String saga, String branch, String began, CallbackFence.CallbackWork work, Scheduler here) {
        return inTransaction(
                "What follows the callback of branch " + branch,
                connection -> ids.requireOf(connection, began).then(fence.sequel(connection, saga, branch)),
                (connection, first) ->
                        first ? done(connection, saga, branch, work, here).thenReturn(true) : Mono.just(false));
    }

    /** As {@link CallbackFence#look}. */
    Mono<Found> look(String saga, String branch, String began) {
        return inTransaction(
                "What became of branch " + branch,
                connection -> ids.requireOf(connection, began).then(fence.look(connection, saga, branch)),
                (connection, found) -> Mono.just(found));
    }

    Duration retention() {
        return retention;
    }

    private Mono<Void> done(
            Connection connection, String saga, String branch, CallbackFence.CallbackWork work, Scheduler here) {
        return asked(FenceSentences.resultNotRead(branch), fence.result(connection, saga, branch))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .publishOn(here)
                .flatMap(result -> {
                    try {
                        return Flux.from(ReturnedPublishers.require(work.run(result.orElse(null))))
                                .then();
                    } catch (Throwable thrown) {
                        return Mono.error(thrown);
                    }
                });
    }

    /** Whether that manager surely commits something else than the fence's rows: another database, or no database. */
    boolean isApartFrom(TransactionManager other) {
        if (other instanceof R2dbcTransactionManager same) return !connections.equals(same.getConnectionFactory());
        return other instanceof AbstractReactiveTransactionManager;
    }

    /**
     * Decides, and does what follows from it in the same transaction. An error of the fence is one of Spring's, and whoever
     * swallows it cannot commit a transaction that the fence is not part of.
     */
    private <A, T> Mono<T> inTransaction(
            String who, Function<Connection, Mono<A>> decision, BiFunction<Connection, A, Mono<T>> sequel) {
        return Mono.deferContextual(view -> {
            TransactionSynchronizationManager active = ReactiveTransactions.current(view);
            if (active == null) return inOwnTransaction(who, decision, sequel);
            if (active.isCurrentTransactionReadOnly()) return Mono.error(FenceSentences.readOnly(who));
            return requireOurs(who).then(Mono.defer(() -> {
                Connection connection = connection(active);
                return asked(FenceSentences.notAsked(who), decision.apply(connection))
                        .flatMap(decided -> sequel.apply(connection, decided));
            }));
        });
    }

    private <A, T> Mono<T> inOwnTransaction(
            String who, Function<Connection, Mono<A>> decision, BiFunction<Connection, A, Mono<T>> sequel) {
        // What may be there still has ended, and its listeners are being told: nobody would commit what joins it.
        TransactionalOperator own = TransactionalOperator.create(
                transactions, new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        return Mono.<T>deferContextual(view -> {
                    Connection connection = connection(Objects.requireNonNull(ReactiveTransactions.current(view)));
                    return asked(FenceSentences.notAsked(who), decision.apply(connection))
                            .onErrorMap(ConcurrencyFailureException.class, LocalFence.VictimException::new)
                            .flatMap(decided -> sequel.apply(connection, decided));
                })
                .as(own::transactional)
                .retryWhen(Retry.max(LocalFence.DECISION_TRIES - 1)
                        .filter(LocalFence.VictimException.class::isInstance)
                        .onRetryExhaustedThrow((tries, last) -> last.failure()))
                .onErrorMap(LocalFence.VictimException.class, victim -> victim.failure());
    }

    private Connection connection(TransactionSynchronizationManager transaction) {
        ConnectionHolder holder = (ConnectionHolder) Objects.requireNonNull(transaction.getResource(connections));
        return holder.getConnection();
    }

    /** The manager knows its own. */
    private Mono<Void> requireOurs(String who) {
        return transactions
                .getReactiveTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY))
                .flatMap(transactions::commit)
                .onErrorMap(
                        IllegalTransactionStateException.class,
                        e -> new SagaException(
                                who
                                        + " runs in a transaction that is not one of the fence's ConnectionFactory; it"
                                        + " did not run. Use that ConnectionFactory's transaction manager, or say"
                                        + " fenced = false.",
                                e));
    }

    private static <T> Mono<T> asked(String task, Mono<T> question) {
        return question.onErrorMap(
                        R2dbcException.class,
                        e -> ConnectionFactoryUtils.convertR2dbcException("Omega's fence " + task, null, e))
                .onErrorResume(e -> Mono.deferContextual(view -> {
                    TransactionSynchronizationManager open = ReactiveTransactions.current(view);
                    if (open != null) open.registerSynchronization(new NoCommit(e));
                    return Mono.error(e);
                }));
    }

    private record NoCommit(Throwable because) implements TransactionSynchronization {
        @Override
        public Mono<Void> beforeCommit(boolean readOnly) {
            return Mono.error(because);
        }
    }
}
