package io.alphaomega.omega.spring;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.fence.Forward;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The fence in Spring's transactions: joins the one that is active, and opens one where none is. */
final class LocalFence {
    private static final Logger log = LoggerFactory.getLogger(LocalFence.class);

    private final Fence fence;
    private final DataSource dataSource;
    private final PlatformTransactionManager transactions;
    private final Payloads payloads;

    LocalFence(Fence fence, DataSource dataSource, PlatformTransactionManager transactions, Payloads payloads) {
        this.fence = fence;
        this.dataSource = dataSource;
        this.transactions = transactions;
        this.payloads = payloads;
    }

    /** Work that needs the transaction's connection. */
    private interface Work<T extends @Nullable Object> {
        T run(Connection connection) throws Throwable;
    }

    /** Runs the business of a branch at most once, or returns what it returned before. */
    @Nullable
    Object forward(Attempt attempt, LocalWork.Business business) throws Throwable {
        return this.<@Nullable Object>inTransaction(attempt.definition().operation(), connection -> {
            attempt.reached();
            BranchDefinition definition = attempt.definition();
            Forward forward = fence.forward(connection, attempt.saga(), attempt.branch());
            return switch (forward.verdict()) {
                case RUN -> {
                    Object result = business.run();
                    if (definition.returnsSomething()) {
                        byte[] encoded = payloads.result(definition, result);
                        fence.storeResult(connection, attempt.saga(), attempt.branch(), encoded);
                        attempt.returned(encoded);
                    }
                    yield result;
                }
                case DUPLICATE -> {
                    byte[] stored = forward.result().orElse(null);
                    if (stored == null) yield null;
                    attempt.returned(stored);
                    yield payloads.result(definition.resultType(), stored);
                }
                case REFUSED ->
                    throw new SagaAbortedException(
                            attempt.saga(),
                            SagaAbortedException.Cause.OTHER,
                            attempt.branch(),
                            "it has failed or been compensated before, so it did not run");
            };
        });
    }

    /**
     * Whether a branch that threw and was rolled back has surely left nothing behind, in no other run of it either; to
     * be asked outside of transactions.
     */
    boolean bar(String saga, String branch) {
        try {
            return inTransaction("The failure of branch " + branch, c -> fence.bar(c, saga, branch));
        } catch (Throwable e) {
            log.warn("Nobody knows whether branch {} of saga {} took effect; alpha compensates it.", branch, saga, e);
            return false;
        }
    }

    /** A callback's work: given the result that the forward call stored, if it stored one. */
    interface CallbackWork {
        void run(byte @Nullable [] result) throws Throwable;
    }

    /** Runs a compensation at most once, unless there is nothing to undo. */
    Compensation compensate(String saga, String branch, boolean forwardEnded, CallbackWork work) throws Throwable {
        return inTransaction("The compensation of branch " + branch, connection -> {
            Compensation said = fence.compensation(connection, saga, branch, forwardEnded);
            if (said == Compensation.RUN)
                work.run(fence.result(connection, saga, branch).orElse(null));
            return said;
        });
    }

    /** Runs a confirmation at most once. */
    Confirmation confirm(String saga, String branch, boolean fenced, CallbackWork work) throws Throwable {
        return inTransaction("The confirmation of branch " + branch, connection -> {
            Confirmation said = fence.confirmation(connection, saga, branch, fenced);
            if (said == Confirmation.RUN)
                work.run(fence.result(connection, saga, branch).orElse(null));
            return said;
        });
    }

    private <T extends @Nullable Object> T inTransaction(String who, Work<T> work) throws Throwable {
        if (TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive()) {
            requireOurs(who);
            return withConnection(who, work);
        }
        // What may be there still has ended, and its listeners are being told: nobody would commit what joins it.
        TransactionStatus status = transactions.getTransaction(
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        T result;
        try {
            result = withConnection(who, work);
        } catch (Throwable thrown) {
            try {
                transactions.rollback(status);
            } catch (RuntimeException | Error e) {
                thrown.addSuppressed(e);
            }
            throw thrown;
        }
        transactions.commit(status);
        return result;
    }

    /** The manager knows its own. A connection of a pool that never commits by itself looks the same without any. */
    private void requireOurs(String who) {
        try {
            transactions.commit(transactions.getTransaction(
                    new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY)));
        } catch (IllegalTransactionStateException e) {
            throw foreign(who, e);
        }
    }

    private <T extends @Nullable Object> T withConnection(String who, Work<T> work) throws Throwable {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            if (connection.getAutoCommit()) throw foreign(who, null);
            return work.run(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private static SagaException foreign(String who, @Nullable Throwable cause) {
        return new SagaException(
                who + " runs in a transaction that is not one of the fence's DataSource; it did not run. Use that"
                        + " DataSource's transaction manager, the primary one, or say @Compensable(fenced = false).",
                cause);
    }
}
