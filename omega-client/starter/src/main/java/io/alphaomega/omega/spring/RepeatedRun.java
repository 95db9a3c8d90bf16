package io.alphaomega.omega.spring;

import io.alphaomega.omega.context.SagaContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A method whose work is done later, and whose nested saga was through before the outer one was committed. It runs again so
 * that its branches answer as they did then; there is nothing to end.
 */
final class RepeatedRun implements LaterRun {
    private final SagaContext saga;
    private final ProxyMethodInvocation invocation;

    RepeatedRun(SagaContext saga, MethodInvocation invocation) {
        this.saga = saga;
        this.invocation = (ProxyMethodInvocation) invocation;
    }

    @Override
    public Place next() {
        return new Place(saga, Observations.Observed.NOBODY, null);
    }

    @Override
    public @Nullable Object call() throws Throwable {
        return Later.proceed(invocation);
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
