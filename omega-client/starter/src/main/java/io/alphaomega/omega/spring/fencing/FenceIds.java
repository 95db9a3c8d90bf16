package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.fence.Fence;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.WeakHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * Which fence a branch begins behind: that of the database which the DataSource leads to at the time. A branch is begun
 * before its transaction is, so the id is asked for outside of it, once for each database, and checked inside.
 */
final class FenceIds {
    private static final Method ROUTE = Objects.requireNonNull(
            ReflectionUtils.findMethod(AbstractRoutingDataSource.class, "determineTargetDataSource"));

    /** Of more databases than a service has tenants at a time, some are asked for their id again. */
    private static final int MET_MAX = 10_000;

    static {
        ReflectionUtils.makeAccessible(ROUTE);
    }

    private final Fence fence;
    private final DataSource dataSource;

    /** By database, where the DataSource is one of just one; tenants may go. */
    private final Map<DataSource, String> known = Collections.synchronizedMap(new WeakHashMap<>());

    /** By the database that a connection leads to, where the DataSource does not tell. */
    private final Map<ConnectedDatabase, String> met = limited();

    /** Those that only transactions have shown. */
    private final Map<String, Boolean> ofTenants = limited();

    private final PlatformTransactionManager transactions;

    /** Whether a transaction may be in another database than the DataSource leads to; null until that is known. */
    private volatile @Nullable Boolean tenants;

    FenceIds(Fence fence, DataSource dataSource, PlatformTransactionManager transactions) {
        this.fence = fence;
        this.dataSource = dataSource;
        this.transactions = transactions;
    }

    /** The id of the fence that a transaction begun now would meet. */
    String current() throws SQLException {
        return hasTenants() ? byTransaction() : byDataSource();
    }

    /** That of the database which the DataSource leads to now. */
    String byDataSource() throws SQLException {
        DataSource target = routed(dataSource);
        boolean one = ConnectedDatabase.isOne(target);
        String id = one ? known.get(target) : null;
        if (id != null) return id;
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            Optional<String> seen = seenHere();
            if (seen.isPresent()) return seen.get();
        }
        if (!one) return byConnection(target);
        id = fence.id(target);
        known.put(target, id);
        return id;
    }

    /** Not before it is needed: Hibernate may be started in the background. */
    private boolean hasTenants() {
        Boolean known = tenants;
        if (known == null) {
            known = HibernateTenants.choose(transactions);
            tenants = known;
        }
        return known;
    }

    private String byTransaction() throws SQLException {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            Optional<String> seen = seenHere();
            if (seen.isPresent()) return seen.get();
        }
        String id = new TenantFenceIds(fence, dataSource, transactions).current();
        ofTenants.put(id, true);
        return id;
    }

    /** By the transaction that is open: a second connection may not come before it ends. */
    private Optional<String> seenHere() throws SQLException {
        Connection connection = DataSourceUtils.getConnection(dataSource);
        try {
            return fence.id(connection);
        } finally {
            DataSourceUtils.releaseConnection(connection, dataSource);
        }
    }

    /** A router of another make, or what stands before one, shows only by its connections where it leads to now. */
    private String byConnection(DataSource target) throws SQLException {
        ConnectedDatabase database;
        try (Connection connection = target.getConnection()) {
            database = ConnectedDatabase.of(connection);
        }
        String id = met.get(database);
        if (id != null) return id;
        id = fence.id(target);
        met.put(database, id);
        return id;
    }

    /**
     * The branch's row has just been written through that connection.
     *
     * @throws SagaException if it is not behind the fence that alpha was told of
     */
    void require(Connection connection, String told, String operation) throws SQLException {
        String here = fence.id(connection).orElse("");
        if (here.equals(told)) return;
        known.clear(); // It may be the table that has changed: the next branch asks anew.
        met.clear();
        throw elsewhere(operation, told, here);
    }

    static SagaException elsewhere(String operation, String told, String here) {
        return new SagaException(
                "%s began behind the fence %s, but its transaction is in a database whose fence is %s; it did not run. Choose the database (tenant, schema) before the method is called, outside of its proxy."
                        .formatted(operation, told, here.isEmpty() ? "none" : here));
    }

    /** @throws OtherFenceException if the branch did not begin behind the fence of this connection's database */
    void requireOf(Connection connection, String told) throws SQLException {
        String here = fence.id(connection).orElse("");
        if (told.isEmpty() || here.equals(told)) return;
        throw OtherFenceException.of(told, here);
    }

    /** A callback has come to a database that its branch has not written to: what is missing there says nothing. */
    static final class OtherFenceException extends UnknowableException {
        private OtherFenceException(String message) {
            super(message);
        }

        static OtherFenceException of(String told, String here) {
            return new OtherFenceException("the branch began behind the fence " + told + ", this database's is "
                    + (here.isEmpty() ? "none" : here)
                    + ": it is another database (tenant, schema), or its table is another one");
        }
    }

    /** What stands behind wrappers that change nothing. */
    static DataSource unwrapped(DataSource source) {
        DataSource target = source;
        while (target instanceof DelegatingDataSource proxy) {
            DataSource next = proxy.getTargetDataSource();
            if (next == null) break;
            target = next;
        }
        return target;
    }

    /** Those that have been met. */
    Collection<String> known() {
        TreeSet<String> all = new TreeSet<>();
        synchronized (known) {
            all.addAll(known.values());
        }
        synchronized (met) {
            all.addAll(met.values());
        }
        synchronized (ofTenants) {
            all.addAll(ofTenants.keySet());
        }
        return all;
    }

    private static <K, V> Map<K, V> limited() {
        return Collections.synchronizedMap(new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MET_MAX;
            }
        });
    }

    private static DataSource routed(DataSource source) {
        DataSource target = unwrapped(source);
        if (!(target instanceof AbstractRoutingDataSource)) return target;
        @Nullable Object next = ReflectionUtils.invokeMethod(ROUTE, target);
        return routed((DataSource) Objects.requireNonNull(next));
    }
}
