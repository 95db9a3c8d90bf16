package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.fence.Forward;
import io.alphaomega.omega.fence.Found;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.payload.Payloads;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
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
public final class LocalFence implements BlockingFence {
    private static final Logger log = LoggerFactory.getLogger(LocalFence.class);

    /** Of one decision by itself: who loses several times in a row meets a crowd, and alpha comes again. */
    static final int DECISION_TRIES = 3;

    private static final SQLExceptionTranslator TRANSLATOR = new SQLExceptionSubclassTranslator();

    private final Fence fence;
    private final DataSource dataSource;
    private final PlatformTransactionManager transactions;
    private final Payloads payloads;
    private final Duration retention;
    private final FenceIds ids;

    /** @param retention how long rows are kept: of an older branch, no row says nothing */
    LocalFence(
            Fence fence,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            Payloads payloads,
            Duration retention,
            FenceIds ids) {
        this.fence = fence;
        this.dataSource = dataSource;
        this.transactions = transactions;
        this.payloads = payloads;
        this.retention = retention;
        this.ids = ids;
    }

    /** What the fence says, of which nothing is left if its transaction is rolled back. */
    private interface Decision<A extends @Nullable Object> {
        A make(Connection connection) throws SQLException;
    }

    /** What follows from it, in the same transaction. */
    private interface Sequel<A extends @Nullable Object, T extends @Nullable Object> {
        T run(Connection connection, A decided) throws Throwable;
    }

    /** What is asked of the fence itself, or told to it. */
    private interface Question<T extends @Nullable Object> {
        T ask() throws SQLException;
    }

    /**
     * Asks the fence. Its errors are unchecked, as Spring's transactions commit on checked exceptions, of which some
     * drivers throw others than SQL's; and whoever swallows one cannot commit a transaction that the fence is not part of.
     */
    private <T extends @Nullable Object> T ask(String task, Question<T> question) {
        try {
            return question.ask();
        } catch (Exception e) {
            if (TransactionSynchronizationManager.isActualTransactionActive()) forbidCommit(e);
            throw unchecked("Omega's fence " + task, e);
        }
    }

    private static RuntimeException unchecked(String task, Exception e) {
        if (e instanceof RuntimeException already) return already;
        if (!(e instanceof SQLException sql)) return new DataAccessResourceFailureException(task, e);
        DataAccessException translated = TRANSLATOR.translate(task, null, sql);
        return translated == null ? new UncategorizedSQLException(task, null, sql) : translated;
    }

    private void forbidCommit(Exception because) {
        try {
            TransactionStatus ours = transactions.getTransaction(
                    new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY));
            ours.setRollbackOnly();
            transactions.commit(ours);
        } catch (TransactionException e) {
            because.addSuppressed(e);
        }
    }

    @Override
    public String id() {
        try {
            return ids.current();
        } catch (SQLException e) {
            throw unchecked("Omega's fence could not read or write its own id", e);
        }
    }

    @Override
    public void begin(String saga, String branch) throws Throwable {
        this.<@Nullable Object, @Nullable Object>inTransaction(
                "The begin of branch " + branch,
                connection -> {
                    fence.begin(connection, saga, branch);
                    return null;
                },
                (connection, nothing) -> null);
    }

    @Override
    public @Nullable Object forward(Attempt attempt, FencedExecution.Business business) throws Throwable {
        BranchDefinition definition = attempt.definition();
        Decision<Forward> decision = connection -> {
            attempt.reached();
            Forward forward = fence.forward(connection, attempt.saga(), attempt.branch());
            // Only now: at SQLite nothing may be read before it is written.
            if (forward.verdict() == Forward.Verdict.RUN) {
                ids.require(connection, attempt.fence(), definition.operation());
            }
            return forward;
        };
        return this.<Forward, @Nullable Object>inTransaction(
                definition.operation(), decision, (connection, forward) -> switch (forward.verdict()) {
                    case RUN -> run(attempt, business, connection);
                    case DUPLICATE -> {
                        byte[] stored = forward.result().orElse(null);
                        if (stored == null) yield null;
                        if (definition.takesResult()) attempt.returned(stored);
                        yield payloads.result(definition.resultType(), stored);
                    }
                    case REFUSED -> throw attempt.refused();
                });
    }

    /**
     * What the business of a branch returned that comes again after its saga was committed; it does not run.
     *
     * @throws CommittedException that, if the business did not run before
     */
    @Nullable
    Object again(CommittedException committed, String branch, BranchDefinition definition) throws Throwable {
        return this.<Forward, @Nullable Object>inTransaction(
                definition.operation(),
                connection -> fence.again(connection, committed.saga(), branch),
                (connection, forward) -> committed.unlessDone(forward, definition, payloads));
    }

    private @Nullable Object run(Attempt attempt, FencedExecution.Business business, Connection connection)
            throws Throwable {
        BranchDefinition definition = attempt.definition();
        Object result = business.run();
        if (definition.storesResult()) {
            byte[] encoded = payloads.result(definition, result);
            this.<@Nullable Object>ask(FenceSentences.resultNotKept(definition.operation()), () -> {
                fence.storeResult(connection, attempt.saga(), attempt.branch(), encoded);
                return null;
            });
            if (definition.takesResult()) attempt.returned(encoded);
        }
        return result;
    }

    @Override
    public boolean bar(String saga, String branch) {
        try {
            return this.<Boolean, Boolean>inTransaction(
                    "The failure of branch " + branch, c -> fence.bar(c, saga, branch), (c, barred) -> barred);
        } catch (Throwable e) {
            log.warn("It is unknown whether branch {} of saga {} took effect; alpha compensates it.", branch, saga, e);
            return false;
        }
    }

    @Override
    public Compensation compensate(
            String saga, String branch, String began, boolean forwardEnded, Duration age, CallbackWork work)
            throws Throwable {
        boolean rowExpected = forwardEnded || age.compareTo(retention) >= 0;
        Decision<Compensation> decision = connection -> {
            ids.requireOf(connection, began);
            return fence.compensation(connection, saga, branch, rowExpected);
        };
        return this.<Compensation, Compensation>inTransaction(
                "The compensation of branch " + branch, decision, (connection, said) -> {
                    if (said == Compensation.RUN) done(connection, saga, branch, work);
                    return said;
                });
    }

    @Override
    public Confirmation confirm(String saga, String branch, String began, CallbackWork work) throws Throwable {
        Decision<Confirmation> decision = connection -> {
            ids.requireOf(connection, began);
            return fence.confirmation(connection, saga, branch, true);
        };
        return this.<Confirmation, Confirmation>inTransaction(
                "The confirmation of branch " + branch, decision, (connection, said) -> {
                    if (said == Confirmation.RUN) done(connection, saga, branch, work);
                    return said;
                });
    }

    @Override
    public void follow(String saga, String branch, String began, CallbackWork work) throws Throwable {
        Decision<Boolean> decision = connection -> {
            ids.requireOf(connection, began);
            return fence.sequel(connection, saga, branch);
        };
        this.<Boolean, @Nullable Object>inTransaction(
                "What follows the callback of branch " + branch, decision, (connection, first) -> {
                    if (first) done(connection, saga, branch, work);
                    return null;
                });
    }

    @Override
    public Found look(String saga, String branch, String began) throws Throwable {
        Decision<Found> question = connection -> {
            ids.requireOf(connection, began);
            return fence.look(connection, saga, branch);
        };
        return this.<Found, Found>inTransaction("What became of branch " + branch, question, (c, found) -> found);
    }

    @Override
    public Duration retention() {
        return retention;
    }

    private void done(Connection connection, String saga, String branch, CallbackWork work) throws Throwable {
        byte[] result = ask(FenceSentences.resultNotRead(branch), () -> fence.result(connection, saga, branch))
                .orElse(null);
        Object unused = work.run(result); // It waits by itself.
    }

    /** Whether that manager surely commits something else than the fence's rows: another database, or no database. */
    boolean isApartFrom(TransactionManager other) {
        if (other.equals(transactions) || !(other instanceof ResourceTransactionManager)) return false;
        Method accessor = ReflectionUtils.findMethod(other.getClass(), "getDataSource");
        if (accessor == null) return true;
        ReflectionUtils.makeAccessible(accessor);
        Object its = ReflectionUtils.invokeMethod(accessor, other);
        return its instanceof DataSource found && !FenceIds.unwrapped(found).equals(FenceIds.unwrapped(dataSource));
    }

    private <A extends @Nullable Object, T extends @Nullable Object> T inTransaction(
            String who, Decision<A> decision, Sequel<A, T> sequel) throws Throwable {
        if (TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive()) {
            requireOurs(who);
            if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) throw FenceSentences.readOnly(who);
            return withConnection(who, c -> sequel.run(c, ask(FenceSentences.notAsked(who), () -> decision.make(c))));
        }
        for (int tries = 1; ; tries++) {
            try {
                return inOwnTransaction(who, decision, sequel);
            } catch (VictimException e) {
                if (tries == DECISION_TRIES) throw e.failure;
                log.debug("{} lost to another transaction and is tried again.", who, e);
            }
        }
    }

    private <A extends @Nullable Object, T extends @Nullable Object> T inOwnTransaction(
            String who, Decision<A> decision, Sequel<A, T> sequel) throws Throwable {
        // What may be there still has ended, and its listeners are being told: nobody would commit what joins it.
        TransactionStatus status = transactions.getTransaction(
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        T result;
        try {
            result = withConnection(who, connection -> {
                A decided;
                try {
                    decided = ask(FenceSentences.notAsked(who), () -> decision.make(connection));
                } catch (ConcurrencyFailureException e) {
                    throw new VictimException(e);
                }
                return sequel.run(connection, decided);
            });
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

    /** The database has chosen this transaction as a deadlock's victim, or could not serialize it, before any business. */
    static final class VictimException extends RuntimeException {
        private final ConcurrencyFailureException failure;

        VictimException(ConcurrencyFailureException failure) {
            super(failure);
            this.failure = failure;
        }

        ConcurrencyFailureException failure() {
            return failure;
        }
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

    private interface Work<T extends @Nullable Object> {
        T run(Connection connection) throws Throwable;
    }

    private <T extends @Nullable Object> T withConnection(String who, Work<T> work) throws Throwable {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            if (ask(FenceSentences.notAsked(who), connection::getAutoCommit)) throw foreign(who, null);
            return work.run(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    private static SagaException foreign(String who, @Nullable Throwable cause) {
        return new SagaException(
                who + " runs in a transaction that is not one of the fence's DataSource; it did not run. Use that"
                        + " DataSource's transaction manager, or name the fence of this one, or call it outside of"
                        + " transactions, or say fenced = false.",
                cause);
    }
}
