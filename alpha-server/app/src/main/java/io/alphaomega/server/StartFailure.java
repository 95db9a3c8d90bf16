package io.alphaomega.server;

import io.alphaomega.server.process.Stop;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/**
 * What a person reads when alpha does not start: one line on stderr, without a stack trace. What no {@link
 * FailureAnalyzer} can explain is a bug and is left to Spring Boot, which logs it with its stack trace.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class StartFailure implements SpringBootExceptionReporter {
    private final @Nullable ConfigurableApplicationContext context;

    /** By Spring Boot; the context is missing when the start failed before there was one. */
    StartFailure(@Nullable ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public boolean reportException(Throwable failure) {
        if (Stop.isUnderWay()) return true; // It was stopped, which is no failure.
        SpringFactoriesLoader factories =
                SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader());
        // Some of Spring Boot's analyzers are for libraries that are not here.
        FailureHandler unusable = (type, name, reason) -> {};
        for (FailureAnalyzer analyzer : factories.load(FailureAnalyzer.class, arguments(), unusable)) {
            FailureAnalysis analysis = analyzer.analyze(failure);
            if (analysis != null) {
                System.err.println("alpha cannot start: " + oneLine(analysis));
                return true;
            }
        }
        return false;
    }

    private @Nullable ArgumentResolver arguments() {
        if (context == null) return null;
        return ArgumentResolver.of(BeanFactory.class, context.getBeanFactory())
                .and(Environment.class, context.getEnvironment());
    }

    private static String oneLine(FailureAnalysis analysis) {
        String action = Objects.requireNonNullElse(analysis.getAction(), "");
        return (analysis.getDescription() + " " + action).strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
