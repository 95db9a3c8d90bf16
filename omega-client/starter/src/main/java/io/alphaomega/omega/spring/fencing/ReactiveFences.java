package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.ReactiveFence;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.payload.Payloads;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory;

/** Fences through R2DBC: that of a transaction manager is in its {@code ConnectionFactory}. */
public final class ReactiveFences implements Fences.Source<ReactiveLocalFence> {
    private static final Logger log = LoggerFactory.getLogger(ReactiveFences.class);

    private final ConfigurableListableBeanFactory beans;
    private final Payloads payloads;
    private final OmegaProperties.Fence properties;
    private boolean said;

    public ReactiveFences(ConfigurableListableBeanFactory beans, Payloads payloads, OmegaProperties.Fence properties) {
        this.beans = beans;
        this.payloads = payloads;
        this.properties = properties;
    }

    /** None if there can be no fence; then the methods that have none are named at start. */
    @Override
    public @Nullable String standard() {
        String manager = TransactionManagers.standard(beans, R2dbcTransactionManager.class);
        if (manager == null) return null;
        String obstacle = obstacle(connections(manager));
        if (obstacle == null) return manager;
        if (!said) log.info("Methods that return a Mono are not fenced: {}.", obstacle);
        said = true;
        return null;
    }

    @Override
    public String named(String name) {
        String manager = TransactionManagers.named(beans, R2dbcTransactionManager.class, name);
        String obstacle = obstacle(connections(manager));
        if (obstacle == null) return manager;
        throw new OmegaConfigurationException(
                "Branches are behind the fence '%s', but there is none: %s.".formatted(name, obstacle),
                "Use another transaction manager, or say fenced = false and read what that means.");
    }

    @Override
    public Fences.Guard<ReactiveLocalFence> make(String manager) {
        R2dbcTransactionManager transactions = beans.getBean(manager, R2dbcTransactionManager.class);
        ConnectionFactory connections = connections(manager);
        Clock clock = Clock.systemUTC();
        ReactiveFence fence = new ReactiveFence(clock, connections.getMetadata().getName());
        ReactiveFenceIds ids = new ReactiveFenceIds(fence, connections);
        FenceKeeper keeper =
                new FenceKeeper(manager, new ReactiveFenceTable(fence, ids, connections), properties, clock);
        ReactiveLocalFence its = new ReactiveLocalFence(fence, transactions, payloads, properties.retention(), ids);
        return new Fences.Guard<>(manager, its, keeper, ids::known);
    }

    private ConnectionFactory connections(String manager) {
        return Objects.requireNonNull(
                beans.getBean(manager, R2dbcTransactionManager.class).getConnectionFactory());
    }

    /** Why there can be no fence, or null. */
    private static @Nullable String obstacle(ConnectionFactory connections) {
        if (connections instanceof AbstractRoutingConnectionFactory) {
            return "the ConnectionFactory is a routing one, and it is not known before a transaction which database it"
                    + " leads to";
        }
        String product = connections.getMetadata().getName();
        return ReactiveFence.knows(product)
                ? null
                : "the database is " + product
                        + ", and there is a fence through R2DBC at H2, MariaDB, MySQL and PostgreSQL";
    }
}
