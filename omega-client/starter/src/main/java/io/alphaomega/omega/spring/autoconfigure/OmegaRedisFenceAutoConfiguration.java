package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.fencing.RedisFences;
import io.alphaomega.omega.spring.payload.Payloads;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.script.RedisScript;

/** The fence in Redis, of branches that name it. Without omega, or its fences, scripts run as they are. */
@AutoConfiguration(
        after = OmegaAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(RedisScript.class)
@ConditionalOnBean(RedisConnectionFactory.class)
public class OmegaRedisFenceAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
    FencedRedis fencedRedis(RedisConnectionFactory connections) {
        return new FencedRedis(connections);
    }

    @Bean
    @ConditionalOnBooleanProperty(
            name = {"omega.enabled", "omega.fence.enabled"},
            matchIfMissing = true)
    RedisFences omegaRedisFences(ConfigurableListableBeanFactory beans, Payloads payloads, OmegaProperties properties) {
        return new RedisFences(beans, payloads, properties.fence());
    }
}
