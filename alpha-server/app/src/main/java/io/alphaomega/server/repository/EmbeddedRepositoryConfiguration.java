package io.alphaomega.server.repository;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.server.properties.AlphaProperties;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code alpha.repository.type=embedded}: SQLite in a directory of this machine. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "alpha.repository.type", havingValue = "embedded", matchIfMissing = true)
class EmbeddedRepositoryConfiguration {

    /** Opened here and not by the first saga: a directory that cannot be used is a reason not to start. */
    @Bean(defaultCandidate = false, destroyMethod = "")
    @Qualifier(RepositoryConfiguration.PLUGIN)
    SagaRepository embeddedRepository(AlphaProperties properties) {
        Path directory = properties.repository().embedded().path();
        return new StoreOpening("alpha.repository.embedded.directory", Duration.ZERO)
                .open(EmbeddedRepository.in(directory));
    }

    /** SQLite has one writer: a second lane would only wait for the first. */
    @Bean
    GroupCommit.Limits embeddedRepositoryLimits() {
        return GroupCommit.Limits.ofLanes(1);
    }
}
