package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.fencing.Fences;
import io.alphaomega.omega.spring.fencing.ReactiveFences;
import io.alphaomega.omega.spring.fencing.ReactiveLocalFence;
import io.alphaomega.omega.spring.payload.Payloads;
import io.r2dbc.spi.ConnectionFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** The fences of methods that return a {@code Mono}, where there is R2DBC with its transaction manager. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
            "org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration",
            "org.springframework.boot.autoconfigure.r2dbc.R2dbcTransactionManagerAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(
        name = {"omega.enabled", "omega.fence.enabled"},
        matchIfMissing = true)
@ConditionalOnClass({ConnectionFactory.class, R2dbcTransactionManager.class})
@ConditionalOnBean(R2dbcTransactionManager.class)
public class OmegaReactiveFenceAutoConfiguration {
    /** After Flyway, Liquibase and scripts, as those of JDBC. */
    @Bean
    @DependsOnDatabaseInitialization
    Fences<ReactiveLocalFence> omegaReactiveFences(
            ConfigurableListableBeanFactory beans, Payloads payloads, OmegaProperties properties) {
        return new Fences<>(new ReactiveFences(beans, payloads, properties.fence()));
    }
}
