package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.context.HandedOver;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ReflectionUtils;

/**
 * Tells a task that an executor has refused, so that its caller has an exception and may do without it, from one that was
 * dropped in silence. The executor keeps its decorator and its handler; omega's stand around them.
 */
final class RejectedTasks implements BeanPostProcessor {
    private static final Field DECORATOR = field(ThreadPoolTaskExecutor.class, "taskDecorator", TaskDecorator.class);
    private static final Field HANDLER =
            field(ExecutorConfigurationSupport.class, "rejectedExecutionHandler", RejectedExecutionHandler.class);

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        if (!(bean instanceof ThreadPoolTaskExecutor executor)) return bean;
        if (!(ReflectionUtils.getField(DECORATOR, executor) instanceof TaskDecorator its)) return bean;
        if (!(ReflectionUtils.getField(HANDLER, executor) instanceof RejectedExecutionHandler handler)) return bean;
        executor.setTaskDecorator(task -> counted(its, task));
        executor.setRejectedExecutionHandler(new Telling(handler));
        return bean;
    }

    /** One that its bean method has initialized has its pool already. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof ThreadPoolTaskExecutor executor)) return bean;
        if (!(ReflectionUtils.getField(HANDLER, executor) instanceof Telling telling)) return bean;
        ThreadPoolExecutor pool = executor.getThreadPoolExecutor();
        if (!(pool.getRejectedExecutionHandler() instanceof Telling)) pool.setRejectedExecutionHandler(telling);
        return bean;
    }

    private static Runnable counted(TaskDecorator decorator, Runnable task) {
        HandedOver.Added<Runnable> added = HandedOver.added(() -> decorator.decorate(task));
        return added.tasks().isEmpty() ? added.result() : new Counted(added.result(), added.tasks());
    }

    private static Field field(Class<?> type, String name, Class<?> of) {
        Field field = Objects.requireNonNull(ReflectionUtils.findField(type, name, of));
        ReflectionUtils.makeAccessible(field);
        return field;
    }

    /** A task that sagas wait for. */
    private record Counted(Runnable decorated, List<HandedOver.Task> tasks) implements Runnable {
        @Override
        public void run() {
            decorated.run();
        }
    }

    /** Withdraws what its executor refuses with an exception. */
    private record Telling(RejectedExecutionHandler handler) implements RejectedExecutionHandler {
        @Override
        public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
            try {
                handler.rejectedExecution(task, pool);
            } catch (RejectedExecutionException refused) {
                if (task instanceof Counted counted) counted.tasks.forEach(HandedOver.Task::refused);
                throw refused;
            }
        }
    }
}
