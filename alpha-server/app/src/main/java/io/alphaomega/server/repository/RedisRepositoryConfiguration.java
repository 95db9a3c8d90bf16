package io.alphaomega.server.repository;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.properties.RepositoryProperties;
import io.alphaomega.server.turn.EventLoops;
import java.nio.file.Path;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@code alpha.repository.type=redis}: a Redis server or a Redis Cluster. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "alpha.repository.type", havingValue = "redis")
class RedisRepositoryConfiguration {
    private static final String URI = "alpha.repository.redis.uri";
    private static final String TLS = "rediss:";

    /** A second batch travels and is written down while Redis, which does one thing at a time, is busy with the first. */
    private static final int LANES = 2;

    /** Opened here and not by the first saga: a server that cannot be used, or is not there for long, is a reason not to start. */
    @Bean(defaultCandidate = false, destroyMethod = "")
    @Qualifier(RepositoryConfiguration.PLUGIN)
    SagaRepository redisRepository(AlphaProperties properties, EventLoops loops) {
        Settings settings = settings(properties.repository().redis());
        return new StoreOpening(URI, properties.repository().awaitAtStart())
                .open(
                        // To agree on TLS takes files and time, which streams do not have.
                        settings.uri().startsWith(TLS)
                                ? new RedisSagaRepository(settings)
                                : new RedisSagaRepository(settings, loops.next()));
    }

    private static Settings settings(RepositoryProperties.Redis redis) {
        try {
            return new Settings(
                    redis.uri(),
                    redis.waitReplicas(),
                    redis.allowVolatile(),
                    Optional.of(redis.caCertificate())
                            .filter(file -> !file.isBlank())
                            .map(Path::of));
        } catch (IllegalArgumentException e) {
            throw new RefusedPropertyException(URI + ": " + e.getMessage() + ".", e);
        }
    }

    @Bean
    GroupCommit.Limits redisRepositoryLimits() {
        return GroupCommit.Limits.ofLanes(LANES).filling(GroupCommit.Limits.FEW);
    }
}
