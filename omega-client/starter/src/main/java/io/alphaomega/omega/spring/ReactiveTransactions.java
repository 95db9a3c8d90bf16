package io.alphaomega.omega.spring;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The transactions of Reactor's subscribers, as R2DBC's: what becomes of the work of branches in them. */
final class ReactiveTransactions {
    private ReactiveTransactions() {}

    static boolean isActive(ContextView view) {
        return current(view) != null;
    }

    /** The business of a branch is about to run, in that subscriber's transaction if it has one. */
    static void reached(Attempt attempt, ContextView view) {
        TransactionSynchronizationManager transaction = current(view);
        if (transaction != null) transaction.registerSynchronization(new Watching(attempt));
        attempt.reached(transaction != null);
    }

    /** Tells a saga whether its branches have joined the transaction around it. */
    static LaterRun.Started watched(LaterRun.Started started, ContextView view) {
        TransactionSynchronizationManager around = current(view);
        if (around == null) return started;
        CompletableFuture<LaterRun> begun = started.begun().thenApply(run -> {
            if (run instanceof SagaRun saga) saga.joined(() -> isJoined(around, saga.saga()));
            return run;
        });
        return new LaterRun.Started(begun, started.cancelled(), started.task());
    }

    private static boolean isJoined(TransactionSynchronizationManager transaction, String saga) {
        return transaction.isSynchronizationActive()
                && transaction.getSynchronizations().stream()
                        .anyMatch(each -> each instanceof Watching watching
                                && watching.attempt().saga().equals(saga));
    }

    /** The transaction that is open there, or null. */
    static @Nullable TransactionSynchronizationManager current(ContextView view) {
        TransactionSynchronizationManager found = TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorResume(NoTransactionException.class, none -> Mono.empty())
                .contextWrite(view)
                .toFuture()
                .getNow(null); // It is in the context, or not.
        boolean active = found != null && found.isSynchronizationActive() && found.isActualTransactionActive();
        return active ? found : null;
    }

    private record Watching(Attempt attempt) implements TransactionSynchronization {
        @Override
        public Mono<Void> beforeCompletion() {
            return Mono.fromRunnable(attempt::beforeCompletion);
        }

        @Override
        public Mono<Void> afterCompletion(int status) {
            return Mono.fromRunnable(() -> attempt.afterCompletion(status));
        }
    }
}
