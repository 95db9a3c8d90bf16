package io.alphaomega.omega.coexistence.service;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskDecorator;

/** Whether its own decorator is around what its executor runs. */
@Import(Plain.Decorating.class)
class Plain implements Trial {
    private static final ThreadLocal<String> DECORATED = ThreadLocal.withInitial(() -> "no");

    static class Decorating {
        @Bean
        TaskDecorator decorator() {
            return task -> () -> {
                DECORATED.set("yes");
                try {
                    task.run();
                } finally {
                    DECORATED.remove();
                }
            };
        }
    }

    private final TaskDecorator decorator;

    Plain(TaskDecorator decorator) {
        this.decorator = decorator;
    }

    @Override
    public void run(ConfigurableApplicationContext service, BiConsumer<String, String> facts) throws Exception {
        Executor executor = service.getBean("applicationTaskExecutor", Executor.class);
        String ran = CompletableFuture.supplyAsync(
                        () -> Thread.currentThread().getName().replaceAll("\\d+", "#") + ", decorated: "
                                + DECORATED.get(),
                        executor)
                .get(30, TimeUnit.SECONDS);
        facts.accept("what its executor runs", ran);
        facts.accept(
                "the decorator that is injected",
                decorator.getClass().getPackageName().startsWith("io.alphaomega") ? "its own" : "another");
    }
}
