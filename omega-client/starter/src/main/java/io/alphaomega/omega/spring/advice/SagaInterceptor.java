package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.definition.OmegaDefinitions;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.execution.SagaRunner;
import io.alphaomega.omega.spring.method.ReturnKind;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Puts {@link SagaStart} and {@link SagaEnd} methods into sagas, outside their local transactions. */
public final class SagaInterceptor implements MethodInterceptor {
    private final OmegaDefinitions definitions;
    private final SagaRunner runner;

    public SagaInterceptor(OmegaDefinitions definitions, SagaRunner runner) {
        this.definitions = definitions;
        this.runner = runner;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        SagaDefinition definition = definitions.saga(invocation);
        if (definition == null) return invocation.proceed();
        ReturnKind later = ReturnKind.of(invocation);
        if (later != ReturnKind.NOW) return new AsyncSagas(definition, runner).call(invocation, later);
        if (!definition.begins()) return runner.end(definition, invocation::proceed);
        return runner.run(definition, () -> definition.labels().of(invocation), invocation::proceed);
    }
}
