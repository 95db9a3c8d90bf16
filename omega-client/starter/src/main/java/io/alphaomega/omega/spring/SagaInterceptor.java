package io.alphaomega.omega.spring;

import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Puts {@link SagaStart} and {@link SagaEnd} methods into sagas, outside their local transactions. */
final class SagaInterceptor implements MethodInterceptor {
    private final OmegaDefinitions definitions;
    private final SagaRunner runner;

    SagaInterceptor(OmegaDefinitions definitions, SagaRunner runner) {
        this.definitions = definitions;
        this.runner = runner;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        SagaDefinition definition = definitions.saga(invocation);
        if (definition == null) return invocation.proceed();
        Later later = Later.of(invocation);
        if (later != Later.NOW) return new LaterSagas(definition, runner).call(invocation, later);
        if (!definition.begins()) return runner.end(definition, invocation::proceed);
        return runner.run(definition, () -> definition.labels().of(invocation), invocation::proceed);
    }
}
