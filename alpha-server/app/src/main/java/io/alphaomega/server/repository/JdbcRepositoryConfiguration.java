package io.alphaomega.server.repository;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.JdbcSagaRepository;
import io.alphaomega.repository.jdbc.server.ServerRepository;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.properties.RepositoryProperties;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code alpha.repository.type=mysql} or {@code postgresql}: a database on a server. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnExpression("{'mysql', 'postgresql'}.contains('${alpha.repository.type:}'.toLowerCase())")
class JdbcRepositoryConfiguration {
    private static final String URL = "alpha.repository.jdbc.url";

    /**
     * While one batch is synced the next is on its way. With more, batches only become smaller:
     * docs/internals/measurements/stores.md.
     */
    private static final int LANES = 2;

    /** Opened here and not by the first saga: a database that cannot be used is a reason not to start. */
    @Bean(defaultCandidate = false, destroyMethod = "")
    @Qualifier(RepositoryConfiguration.PLUGIN)
    SagaRepository jdbcRepository(AlphaProperties properties) {
        return new StoreOpening(URL, properties.repository().awaitAtStart())
                .open(repository(properties.repository().jdbc()));
    }

    private static JdbcSagaRepository repository(RepositoryProperties.Jdbc jdbc) {
        try {
            return ServerRepository.at(jdbc.url(), jdbc.username(), jdbc.password());
        } catch (IllegalArgumentException e) {
            throw new RefusedPropertyException(URL + ": " + e.getMessage() + ".", e);
        }
    }

    @Bean
    GroupCommit.Limits jdbcRepositoryLimits(AlphaProperties properties) {
        return GroupCommit.Limits.ofLanes(LANES)
                .filling(GroupCommit.Limits.FEW)
                .gathering(properties.repository().jdbc().gather());
    }
}
