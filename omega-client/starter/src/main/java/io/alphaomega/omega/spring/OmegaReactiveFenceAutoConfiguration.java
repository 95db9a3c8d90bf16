package io.alphaomega.omega.spring;

import io.alphaomega.omega.fence.ReactiveFence;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.connection.lookup.AbstractRoutingConnectionFactory;

/** The fence of methods that return a {@code Mono}, where there is R2DBC with its transaction manager. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcTransactionManagerAutoConfiguration"
        })
@ConditionalOnBooleanProperty(
        name = {"omega.enabled", "omega.fence.enabled"},
        matchIfMissing = true)
@ConditionalOnClass({ConnectionFactory.class, R2dbcTransactionManager.class})
@ConditionalOnSingleCandidate(R2dbcTransactionManager.class)
class OmegaReactiveFenceAutoConfiguration {
    private static final Logger log = LoggerFactory.getLogger(OmegaReactiveFenceAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    ReactiveFence omegaReactiveFence() {
        return new ReactiveFence(Clock.systemUTC());
    }

    /** Null if there can be no fence; then the methods that have none are named at start. */
    @Bean
    @DependsOn("omegaReactiveFenceKeeper")
    @Nullable
    ReactiveLocalFence omegaReactiveLocalFence(
            ReactiveFence fence,
            R2dbcTransactionManager transactions,
            Payloads payloads,
            ReactiveFenceIds ids,
            OmegaProperties properties) {
        String obstacle = obstacle(connections(transactions));
        if (obstacle != null) {
            log.info("Methods that return a Mono are not fenced: {}.", obstacle);
            return null;
        }
        return new ReactiveLocalFence(
                fence, transactions, payloads, properties.fence().retention(), ids);
    }

    @Bean
    ReactiveFenceIds omegaReactiveFenceIds(ReactiveFence fence, R2dbcTransactionManager transactions) {
        return new ReactiveFenceIds(fence, connections(transactions));
    }

    /** After Flyway, Liquibase and scripts, as that of JDBC. */
    @Bean
    @DependsOnDatabaseInitialization
    @Nullable
    FenceKeeper omegaReactiveFenceKeeper(
            ReactiveFence fence,
            ReactiveFenceIds ids,
            R2dbcTransactionManager transactions,
            OmegaProperties properties) {
        ConnectionFactory connections = connections(transactions);
        if (obstacle(connections) != null) return null;
        return new FenceKeeper(new ReactiveFenceTable(fence, ids, connections), properties.fence(), Clock.systemUTC());
    }

    private static ConnectionFactory connections(R2dbcTransactionManager transactions) {
        return Objects.requireNonNull(transactions.getConnectionFactory());
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
