package io.alphaomega.omega.spring;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.fence.Forward;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/** The fence in Spring's transactions: joins the one that is active, and opens one where none is. */
final class LocalFence {
    private static final Logger log = LoggerFactory.getLogger(LocalFence.class);

    private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

    private final Fence fence;
    private final DataSource dataSource;
    private final PlatformTransactionManager transactions;
    private final Payloads payloads;
    private final Duration retention;

    /** @param retention how long rows are kept: of an older branch, no row says nothing */
    LocalFence(
            Fence fence,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            Payloads payloads,
            Duration retention) {
        this.fence = fence;
        this.dataSource = dataSource;
        this.transactions = transactions;
        this.payloads = payloads;
        this.retention = retention;
    }

    /** Work that needs the transaction's connection. */
    private interface Work<T extends @Nullable Object> {
        T run(Connection connection) throws Throwable;
    }

    /** What is asked of the fence itself, or told to it. */
    private interface Question<T extends @Nullable Object> {
        T ask() throws SQLException;
    }

    /**
     * Asks the fence. Its errors are unchecked, as Spring's transactions commit on checked exceptions; and whoever
     * swallows one cannot commit a transaction that the fence is not part of.
     */
    private <T extends @Nullable Object> T ask(String task, Question<T> question) {
        try {
            return question.ask();
        } catch (SQLException e) {
            if (TransactionSynchronizationManager.isActualTransactionActive()) forbidCommit(e);
            DataAccessException translated = TRANSLATOR.translate(task, null, e);
            throw translated == null ? new UncategorizedSQLException(task, null, e) : translated;
        }
    }

    private void forbidCommit(SQLException because) {
        try {
            TransactionStatus ours = transactions.getTransaction(
                    new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
            ours.setRollbackOnly();
            transactions.commit(ours);
        } catch (TransactionException e) {
            because.addSuppressed(e);
        }
    }

    /** Notes, and commits, that the business of a branch is about to begin; to be told outside of transactions. */
    void begin(String saga, String branch) throws Throwable {
        this.<@Nullable Object>inTransaction(
                "The begin of branch " + branch,
                connection -> this.<@Nullable Object>ask("Omega's fence: a begin", () -> {
                    fence.begin(connection, saga, branch);
                    return null;
                }));
    }

    /** Runs the business of a branch at most once, or returns what it returned before. */
    @Nullable
    Object forward(Attempt attempt, LocalWork.Business business) throws Throwable {
        return this.<@Nullable Object>inTransaction(attempt.definition().operation(), connection -> {
            attempt.reached();
            BranchDefinition definition = attempt.definition();
            Forward forward = ask("Omega's fence", () -> fence.forward(connection, attempt.saga(), attempt.branch()));
            return switch (forward.verdict()) {
                case RUN -> {
                    Object result = business.run();
                    if (definition.storesResult()) {
                        byte[] encoded = payloads.result(definition, result);
                        this.<@Nullable Object>ask("Omega's fence: storing a result", () -> {
                            fence.storeResult(connection, attempt.saga(), attempt.branch(), encoded);
                            return null;
                        });
                        if (definition.compensation().takesResult()) attempt.returned(encoded);
                    }
                    yield result;
                }
                case DUPLICATE -> {
                    byte[] stored = forward.result().orElse(null);
                    if (stored == null) yield null;
                    if (definition.compensation().takesResult()) attempt.returned(stored);
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
            return inTransaction(
                    "The failure of branch " + branch,
                    c -> ask("Omega's fence: a failure", () -> fence.bar(c, saga, branch)));
        } catch (Throwable e) {
            log.warn("Nobody knows whether branch {} of saga {} took effect; alpha compensates it.", branch, saga, e);
            return false;
        }
    }

    /** A callback's work: given the result that the forward call stored, if it stored one. */
    interface CallbackWork {
        void run(byte @Nullable [] result) throws Throwable;
    }

    /**
     * Runs a compensation at most once, unless there is nothing to undo. That a row is not there means that only while
     * it could not have been purged.
     *
     * @param age of the branch
     */
    Compensation compensate(String saga, String branch, boolean forwardEnded, Duration age, CallbackWork work)
            throws Throwable {
        boolean rowExpected = forwardEnded || age.compareTo(retention) >= 0;
        return inTransaction("The compensation of branch " + branch, connection -> {
            Compensation said = ask(
                    "Omega's fence: a compensation", () -> fence.compensation(connection, saga, branch, rowExpected));
            if (said == Compensation.RUN)
                work.run(ask("Omega's fence: a result", () -> fence.result(connection, saga, branch))
                        .orElse(null));
            return said;
        });
    }

    /** Runs a confirmation at most once. */
    Confirmation confirm(String saga, String branch, boolean fenced, CallbackWork work) throws Throwable {
        return inTransaction("The confirmation of branch " + branch, connection -> {
            Confirmation said =
                    ask("Omega's fence: a confirmation", () -> fence.confirmation(connection, saga, branch, fenced));
            if (said == Confirmation.RUN)
                work.run(ask("Omega's fence: a result", () -> fence.result(connection, saga, branch))
                        .orElse(null));
            return said;
        });
    }

    /** Whether that manager surely commits something else than the fence's rows: another database, or no database. */
    boolean isApartFrom(TransactionManager other) {
        if (other.equals(transactions) || !(other instanceof ResourceTransactionManager)) return false;
        Method accessor = ReflectionUtils.findMethod(other.getClass(), "getDataSource");
        if (accessor == null) return true;
        ReflectionUtils.makeAccessible(accessor);
        Object its = ReflectionUtils.invokeMethod(accessor, other);
        return its instanceof DataSource found && !target(found).equals(target(dataSource));
    }

    private static DataSource target(DataSource source) {
        DataSource target = source;
        while (target instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
            target = proxy.getTargetDataSource();
        }
        return target;
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
            if (ask("Omega's fence", connection::getAutoCommit)) throw foreign(who, null);
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
