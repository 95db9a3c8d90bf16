package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.payload.Payloads;
import java.lang.reflect.Method;
import java.time.Clock;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ReflectionUtils;

/** Fences through JDBC: that of a transaction manager is in its {@code DataSource}. */
public final class JdbcFences implements Fences.Source<LocalFence> {
    private final ConfigurableListableBeanFactory beans;
    private final Fence fence;
    private final Payloads payloads;
    private final OmegaProperties.Fence properties;

    public JdbcFences(
            ConfigurableListableBeanFactory beans, Fence fence, Payloads payloads, OmegaProperties.Fence properties) {
        this.beans = beans;
        this.fence = fence;
        this.payloads = payloads;
        this.properties = properties;
    }

    @Override
    public @Nullable String standard() {
        String manager = TransactionManagers.standard(beans, PlatformTransactionManager.class);
        return manager == null || dataSource(manager) == null ? null : manager;
    }

    @Override
    public String named(String name) {
        String manager = TransactionManagers.named(beans, PlatformTransactionManager.class, name);
        if (dataSource(manager) != null) return manager;
        throw new OmegaConfigurationException(
                "The fence '%s' is that of a transaction manager which has no DataSource, so there is no table for its rows."
                        .formatted(name),
                "Name the transaction manager of the database that the branch writes to, or say fenced = false and read"
                        + " what that means.");
    }

    @Override
    public Fences.Guard<LocalFence> make(String manager) {
        DataSource dataSource = dataSource(manager);
        if (dataSource == null) throw new IllegalStateException(manager + " has had a DataSource");
        PlatformTransactionManager transactions = beans.getBean(manager, PlatformTransactionManager.class);
        FenceIds ids = new FenceIds(fence, dataSource, transactions);
        FenceKeeper keeper =
                new FenceKeeper(manager, new JdbcFenceTable(fence, ids, dataSource), properties, Clock.systemUTC());
        LocalFence its = new LocalFence(fence, dataSource, transactions, payloads, properties.retention(), ids);
        return new Fences.Guard<>(manager, its, keeper, ids::known);
    }

    /** That of the manager; of one that may be of any, as JTA's, that of the service; null if there is none. */
    private @Nullable DataSource dataSource(String manager) {
        TransactionManager transactions = beans.getBean(manager, TransactionManager.class);
        Method accessor = ReflectionUtils.findMethod(transactions.getClass(), "getDataSource");
        if (accessor == null && transactions instanceof ResourceTransactionManager) return null;
        if (accessor != null && DataSource.class.isAssignableFrom(accessor.getReturnType())) {
            ReflectionUtils.makeAccessible(accessor);
            DataSource its = (DataSource) ReflectionUtils.invokeMethod(accessor, transactions);
            // Another than its own would be committed apart.
            if (its != null || transactions instanceof ResourceTransactionManager) return its;
        }
        try {
            return beans.resolveNamedBean(DataSource.class).getBeanInstance();
        } catch (NoUniqueBeanDefinitionException several) {
            throw new OmegaConfigurationException(
                    "The transaction manager '%s' is not of one DataSource, this service has several (%s), and none is primary: nobody knows in which of them the fence's table is."
                            .formatted(manager, String.join(", ", names(several))),
                    "Mark the one that the branches write to as @Primary, or say fenced = false and read what that means.");
        } catch (NoSuchBeanDefinitionException none) {
            return null;
        }
    }

    private List<String> names(NoUniqueBeanDefinitionException several) {
        return several.getBeanNamesFound() == null
                ? List.of(beans.getBeanNamesForType(DataSource.class))
                : List.copyOf(several.getBeanNamesFound());
    }
}
