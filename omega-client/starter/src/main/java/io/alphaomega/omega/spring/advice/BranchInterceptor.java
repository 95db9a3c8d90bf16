package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.OmegaDefinitions;
import io.alphaomega.omega.spring.execution.BranchRunner;
import io.alphaomega.omega.spring.fencing.Attempt;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * Makes a call of a {@link Compensable} method a branch of the saga it is called in. It stands outside the local
 * transaction, so that what it tells alpha is about a transaction that has ended.
 */
public final class BranchInterceptor implements MethodInterceptor {
    private final OmegaDefinitions definitions;
    private final BranchRunner runner;
    private final Supplier<OutsideCalls> outside;
    private final Decorators decorators = new Decorators();

    public BranchInterceptor(OmegaDefinitions definitions, BranchRunner runner, Supplier<OutsideCalls> outside) {
        this.definitions = definitions;
        this.runner = runner;
        this.outside = outside;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        SagaContext caller = SagaContext.current().orElse(null);
        BranchDefinition definition = definitions.branch(invocation);
        if (definition == null) return invocation.proceed();
        if (AsyncBranches.isLater(definition, runner)) {
            return AsyncBranches.call((ProxyMethodInvocation) invocation, definition, runner, outside, definitions);
        }
        if (caller == null) {
            outside.get().called(definition);
            return invocation.proceed();
        }
        if (!caller.isForward()) return invocation.proceed(); // A callback is in its saga, but no branch begins in it.
        definitions.requireOffered(definition);
        decorators.requireOther(caller, definition);
        return runner.run(caller, definition, definition.kept(invocation), attempt -> {
            // On a clone, so that the invocation can proceed again.
            ProxyMethodInvocation again = (ProxyMethodInvocation) invocation;
            again.setUserAttribute(Attempt.ATTRIBUTE, attempt);
            return decorators.within(attempt, again.invocableClone()::proceed);
        });
    }
}
