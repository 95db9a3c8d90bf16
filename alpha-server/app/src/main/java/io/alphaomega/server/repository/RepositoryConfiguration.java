package io.alphaomega.server.repository;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.properties.AlphaProperties;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The repository that the server uses: group commit over metrics over the plugin.
 *
 * <p>Each plugin has a configuration of its own, chosen by {@code alpha.repository.type}. It defines the plugin as a bean
 * that is qualified as {@value #PLUGIN} and injected nowhere else, and the {@link GroupCommit.Limits} that suit it.
 */
@Configuration(proxyBeanMethods = false)
class RepositoryConfiguration {
    static final String PLUGIN = "repositoryPlugin";

    /** The properties come first: a type that there is not is refused by its name, before a plugin is missed. */
    @Bean
    GroupCommit repository(
            AlphaProperties properties,
            @Qualifier(PLUGIN) SagaRepository plugin,
            GroupCommit.Limits limits,
            MeterRegistry registry,
            Optional<RepositoryDecorator> decorator) {
        SagaRepository metered = new MeteredRepository(plugin, registry);
        return new GroupCommit(decorator.map(each -> each.around(metered)).orElse(metered), limits);
    }

    @Bean
    MeterBinder repositoryQueueMeters(GroupCommit repository) {
        return new GroupCommitMeters(repository);
    }
}
