package io.alphaomega.omega.spring;

import io.alphaomega.omega.fence.Fence;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.PlatformTransactionManager;

/** The fence, where there is one {@code DataSource} (or a primary one) and a transaction manager. */
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
@ConditionalOnBooleanProperty(
        name = {"omega.enabled", "omega.fence.enabled"},
        matchIfMissing = true)
@ConditionalOnClass({DataSource.class, DataSourceUtils.class})
@ConditionalOnSingleCandidate(DataSource.class)
class OmegaFenceAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Fence omegaFence() {
        return new Fence(Clock.systemUTC());
    }

    @Bean
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    @DependsOn("omegaFenceKeeper")
    LocalFence omegaLocalFence(
            Fence fence,
            DataSource dataSource,
            PlatformTransactionManager transactions,
            Payloads payloads,
            FenceIds ids,
            OmegaProperties properties) {
        return new LocalFence(
                fence, dataSource, transactions, payloads, properties.fence().retention(), ids);
    }

    @Bean
    FenceIds omegaFenceIds(Fence fence, DataSource dataSource) {
        return new FenceIds(fence, dataSource);
    }

    /** After Flyway, Liquibase and scripts: they want an empty schema, or may make the table themselves. */
    @Bean
    @ConditionalOnSingleCandidate(PlatformTransactionManager.class)
    @DependsOnDatabaseInitialization
    FenceKeeper omegaFenceKeeper(Fence fence, FenceIds ids, DataSource dataSource, OmegaProperties properties) {
        return new FenceKeeper(new JdbcFenceTable(fence, ids, dataSource), properties.fence(), Clock.systemUTC());
    }
}
