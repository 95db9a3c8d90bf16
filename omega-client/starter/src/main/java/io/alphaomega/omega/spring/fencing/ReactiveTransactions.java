package io.alphaomega.omega.spring.fencing;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The transactions of Reactor's subscribers, as R2DBC's: what becomes of the work of branches in them. */
public final class ReactiveTransactions {
    private ReactiveTransactions() {}

    public static boolean isActive(ContextView view) {
        return current(view) != null;
    }

    /** The business of a branch is about to run, in that subscriber's transaction if it has one. */
    public static void reached(Attempt attempt, ContextView view) {
        TransactionSynchronizationManager transaction = current(view);
        if (transaction != null) transaction.registerSynchronization(new Watching(attempt));
        attempt.reached(transaction != null);
    }

    /** Whether a branch of that saga has joined the transaction. */
    public static boolean isJoined(TransactionSynchronizationManager transaction, String saga) {
        return transaction.isSynchronizationActive()
                && transaction.getSynchronizations().stream()
                        .anyMatch(each -> each instanceof Watching watching
                                && watching.attempt().saga().equals(saga));
    }

    /** The transaction that is open there, or null. */
    public static @Nullable TransactionSynchronizationManager current(ContextView view) {
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
