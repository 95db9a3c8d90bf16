package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.observe.Observations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A method whose work is done later, and whose nested saga was through before the outer one was committed. It runs again so
 * that its branches answer as they did then; there is nothing to end.
 */
public final class RepeatedRun implements AsyncRun {
    private final SagaContext saga;
    private final ProxyMethodInvocation invocation;

    public RepeatedRun(SagaContext saga, MethodInvocation invocation) {
        this.saga = saga;
        this.invocation = (ProxyMethodInvocation) invocation;
    }

    @Override
    public Place next() {
        return new Place(saga, Observations.Observed.NOBODY, null);
    }

    @Override
    public @Nullable Object call() throws Throwable {
        return ReturnKind.proceed(invocation);
    }

    @Override
    public CompletableFuture<Void> returned(@Nullable Object value) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Duration> threw(Throwable thrown) {
        return CompletableFuture.failedFuture(thrown);
    }

    @Override
    public void cancelled() {
        // Its branches are cancelled by themselves.
    }
}
