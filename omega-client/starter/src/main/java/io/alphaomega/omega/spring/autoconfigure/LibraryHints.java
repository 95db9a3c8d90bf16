package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.SagaBranch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Says to Spring's AOT processing what omega reaches by reflection in itself and, if they are there, in libraries. */
final class LibraryHints implements RuntimeHintsRegistrar {
    /** Whether each is there tells whether suspend functions can be called. */
    private static final List<String> KOTLIN =
            List.of("kotlinx.coroutines.reactor.MonoKt", "kotlin.reflect.full.KClasses");

    /** Each is asked for its database. */
    private static final List<String> TRANSACTION_MANAGERS = List.of(
            "org.springframework.jdbc.datasource.DataSourceTransactionManager",
            "org.springframework.orm.jpa.JpaTransactionManager");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        ReflectionHints reflection = hints.reflection();
        method(reflection, classLoader, CompensationHandler.class.getName(), "compensate", Object.class);
        method(reflection, classLoader, SagaBranch.Call.class.getName(), "call");
        for (String name : KOTLIN) reflection.registerTypeIfPresent(classLoader, name, type -> {});
        for (String name : TRANSACTION_MANAGERS) method(reflection, classLoader, name, "getDataSource");
        method(
                reflection,
                classLoader,
                "org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource",
                "determineTargetDataSource");
        field(reflection, classLoader, "org.springframework.web.client.DefaultRestClientBuilder", "requestFactory");
        field(reflection, classLoader, "org.springframework.amqp.rabbit.core.RabbitTemplate", "retryTemplate");
    }

    private static void method(
            ReflectionHints hints,
            @Nullable ClassLoader classLoader,
            String type,
            String name,
            Class<?>... parameters) {
        hints.registerTypeIfPresent(
                classLoader, type, it -> it.withMethod(name, TypeReference.listOf(parameters), ExecutableMode.INVOKE));
    }

    private static void field(ReflectionHints hints, @Nullable ClassLoader classLoader, String type, String name) {
        hints.registerTypeIfPresent(classLoader, type, it -> it.withField(name));
    }
}
