package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.redis.RedisStep;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.payload.Payloads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.TransactionManager;

/** The fences in Redis: one for each {@link FencedRedis} that branches name. None guards a branch that names none. */
public final class RedisFences implements SmartInitializingSingleton {
    /** What branches say for the only or primary one. */
    static final String ONLY = "redis";

    private static final Logger log = LoggerFactory.getLogger(RedisFences.class);

    private final ConfigurableListableBeanFactory beans;
    private final Payloads payloads;
    private final OmegaProperties.Fence properties;

    /** By what branches say; empty of what is no fence in Redis. */
    private final Map<String, Optional<RedisLocalFence>> byName = new ConcurrentHashMap<>();

    /** By bean name. */
    private final Map<String, Guard> guards = new TreeMap<>();

    /** @param id as it was at start; empty if that could not be found out */
    private record Guard(RedisLocalFence fence, String id) {}

    public RedisFences(ConfigurableListableBeanFactory beans, Payloads payloads, OmegaProperties.Fence properties) {
        this.beans = beans;
        this.payloads = payloads;
        this.properties = properties;
    }

    @Override
    public void afterSingletonsInstantiated() {
        beans.getBeanProvider(FencedRedis.class).stream().forEach(RedisStep::guard);
    }

    private boolean has(String name) {
        if (beans.containsBean(name)) return beans.isTypeMatch(name, FencedRedis.class);
        return name.equals(ONLY) && !isTransactionManager(name);
    }

    private boolean isTransactionManager(String qualifier) {
        return List.of(beans.getBeanNamesForType(TransactionManager.class)).stream()
                .anyMatch(each -> BeanFactoryAnnotationUtils.isQualifierMatch(qualifier::equals, each, beans));
    }

    /** The fence of that name; null if it is none in Redis. */
    @Nullable
    RedisLocalFence of(String name) {
        return name.isEmpty() ? null : byName.computeIfAbsent(name, this::found).orElse(null);
    }

    private Optional<RedisLocalFence> found(String name) {
        if (!has(name)) return Optional.empty();
        String bean = beans.containsBean(name) ? name : only();
        synchronized (guards) {
            return Optional.of(guards.computeIfAbsent(bean, this::make).fence());
        }
    }

    private String only() {
        try {
            return beans.resolveNamedBean(FencedRedis.class).getBeanName();
        } catch (NoUniqueBeanDefinitionException several) {
            throw new OmegaConfigurationException(
                    "A branch is behind the fence 'redis', but this service has several (%s), and none is primary."
                            .formatted(String.join(", ", beans.getBeanNamesForType(FencedRedis.class))),
                    "Say which guards each branch, as in @Compensable(fence = \"%s\"), or mark one as @Primary."
                            .formatted(beans.getBeanNamesForType(FencedRedis.class)[0]));
        } catch (NoSuchBeanDefinitionException none) {
            throw new OmegaConfigurationException(
                    "A branch is behind the fence 'redis', but this service has several RedisConnectionFactories, none of them primary, and no FencedRedis.",
                    "Define a FencedRedis for each Redis that branches write to, and let them name it.");
        }
    }

    private Guard make(String bean) {
        FencedRedis redis = beans.getBean(bean, FencedRedis.class);
        RedisLocalFence fence = new RedisLocalFence(bean, redis, payloads, properties.retention());
        String id = "";
        try {
            id = fence.id();
        } catch (OmegaConfigurationException unfit) {
            throw unfit;
        } catch (RuntimeException e) {
            // Away: branches will ask it.
            log.warn("Whether the Redis '{}' can have a fence could not be found out: {}", bean, e.toString());
        }
        return new Guard(fence, id);
    }

    /** Those that branches name, for people. */
    List<FencedExecution.KnownFence> known() {
        List<FencedExecution.KnownFence> all = new ArrayList<>();
        synchronized (guards) {
            guards.forEach((bean, guard) -> {
                Collection<String> ids = guard.id().isEmpty() ? List.of() : List.of(guard.id());
                all.add(new FencedExecution.KnownFence(bean, "REDIS", ids));
            });
        }
        return all;
    }
}
