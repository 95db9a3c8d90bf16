package io.alphaomega.omega.spring.autoconfigure;

import java.lang.reflect.Field;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.task.SimpleAsyncTaskExecutorCustomizer;
import org.springframework.boot.task.ThreadPoolTaskExecutorCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ReflectionUtils;

/**
 * Spring Boot 3 gives its executors one decorator, where Spring Boot 4 gives them all. So a service's own is the one, and
 * omega's is put inside of it.
 */
@AutoConfiguration(after = OmegaAutoConfiguration.class)
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
public class OmegaExecutorsAutoConfiguration {

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    ThreadPoolTaskExecutorCustomizer omegaThreadPools(ContextPropagatingTaskDecorator omegas) {
        Field its = decoratorOf(ThreadPoolTaskExecutor.class);
        return executor -> add(omegas, ReflectionUtils.getField(its, executor), executor::setTaskDecorator);
    }

    @Bean
    @Order(Ordered.LOWEST_PRECEDENCE)
    SimpleAsyncTaskExecutorCustomizer omegaVirtualThreads(ContextPropagatingTaskDecorator omegas) {
        Field its = decoratorOf(SimpleAsyncTaskExecutor.class);
        return executor -> add(omegas, ReflectionUtils.getField(its, executor), executor::setTaskDecorator);
    }

    /** No executor tells which it has. */
    private static Field decoratorOf(Class<?> executor) {
        Field field = Objects.requireNonNull(ReflectionUtils.findField(executor, "taskDecorator", TaskDecorator.class));
        ReflectionUtils.makeAccessible(field);
        return field;
    }

    private static void add(TaskDecorator omegas, @Nullable Object before, Consumer<TaskDecorator> executor) {
        if (before instanceof ContextPropagatingTaskDecorator) return;
        executor.accept(before instanceof TaskDecorator its ? task -> its.decorate(omegas.decorate(task)) : omegas);
    }
}
