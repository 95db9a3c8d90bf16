package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.fencing.Fences;
import io.alphaomega.omega.spring.fencing.JdbcFences;
import io.alphaomega.omega.spring.fencing.LocalFence;
import io.alphaomega.omega.spring.payload.Payloads;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/** The fences through JDBC, where there is a {@code DataSource} and a transaction manager. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.transaction.jta.autoconfigure.JtaAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.jta.JtaAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(
        name = {"omega.enabled", "omega.fence.enabled"},
        matchIfMissing = true)
@ConditionalOnClass({DataSource.class, DataSourceUtils.class})
@ConditionalOnBean(DataSource.class)
public class OmegaFenceAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Fence omegaFence() {
        return new Fence(Clock.systemUTC());
    }

    /** After Flyway, Liquibase and scripts: they want an empty schema, or may make the table themselves. */
    @Bean
    @ConditionalOnBean(PlatformTransactionManager.class)
    @DependsOnDatabaseInitialization
    Fences<LocalFence> omegaFences(
            ConfigurableListableBeanFactory beans, Fence fence, Payloads payloads, OmegaProperties properties) {
        return new Fences<>(new JdbcFences(beans, fence, payloads, properties.fence()));
    }
}
