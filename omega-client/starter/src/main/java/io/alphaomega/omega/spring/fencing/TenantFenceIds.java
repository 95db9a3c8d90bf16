package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.Fence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/** The fence's id where only a transaction shows which database it is in: each is asked for in one of its own. */
final class TenantFenceIds {
    private final Fence fence;
    private final DataSource dataSource;
    private final PlatformTransactionManager transactions;

    private interface Question<T extends @Nullable Object> {
        T ask(Connection connection) throws SQLException;
    }

    TenantFenceIds(Fence fence, DataSource dataSource, PlatformTransactionManager transactions) {
        this.fence = fence;
        this.dataSource = dataSource;
        this.transactions = transactions;
    }

    /** That of the tenant which a transaction begun now would be of. */
    String current() throws SQLException {
        Optional<String> known = inTransaction(fence::id);
        if (known.isPresent()) return known.get();
        // What inserts must not have read before, at SQLite.
        boolean unused = inTransaction(fence::giveId);
        return inTransaction(fence::id).orElseThrow();
    }

    private <T extends @Nullable Object> T inTransaction(Question<T> question) throws SQLException {
        TransactionStatus status = transactions.getTransaction(
                new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
        T answer;
        try {
            Connection connection = DataSourceUtils.getConnection(dataSource);
            try {
                answer = question.ask(connection);
            } finally {
                DataSourceUtils.releaseConnection(connection, dataSource);
            }
        } catch (SQLException | RuntimeException | Error e) {
            transactions.rollback(status);
            throw e;
        }
        transactions.commit(status);
        return answer;
    }
}
