package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.context.HandedOver;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.execution.AsyncRun;
import io.alphaomega.omega.spring.execution.AsyncSaga;
import io.alphaomega.omega.spring.execution.Futures;
import io.alphaomega.omega.spring.execution.NestedSagas;
import io.alphaomega.omega.spring.execution.Publishers;
import io.alphaomega.omega.spring.execution.RepeatedRun;
import io.alphaomega.omega.spring.execution.SagaRunner;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.observe.Observations;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Begins and ends sagas around methods whose work is done {@link ReturnKind later}; of a publisher's, with each subscription. */
final class AsyncSagas {
    private final SagaDefinition definition;
    private final SagaRunner runner;

    AsyncSagas(SagaDefinition definition, SagaRunner runner) {
        this.definition = definition;
        this.runner = runner;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It is what the method returns.
    Object call(MethodInvocation invocation, ReturnKind later) {
        if (later.isReactive()) {
            return Publishers.subscribed(
                    ReturnKind.called(invocation), (caller, inTransaction) -> started(invocation, caller));
        }
        try {
            return Futures.of(started(invocation, SagaContext.current().orElse(null)));
        } catch (SagaException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private AsyncRun.Started started(MethodInvocation invocation, @Nullable SagaContext caller) {
        SagaContext current = caller == null || !caller.isForward() ? null : caller;
        if (current != null && definition.propagation() == SagaPropagation.NESTED) return nested(invocation, current);
        CompletableFuture<SagaContext> saga;
        if (definition.begins()) {
            // The start has refused what would have to join.
            if (current != null && definition.propagation() == SagaPropagation.OUTERMOST) {
                throw SagaRunner.nested(definition, current);
            }
            saga = runner.begins().beginLater(definition, definition.labels().of(invocation));
        } else {
            if (current == null) throw SagaRunner.outside(definition);
            saga = CompletableFuture.completedFuture(current);
        }
        return started(saga.thenApply(begun -> run(invocation, begun, null)), null);
    }

    private AsyncRun.Started nested(MethodInvocation invocation, SagaContext outer) {
        CompletableFuture<AsyncRun> run = runner.nested()
                .beginLater(definition, definition.labels().of(invocation), outer)
                .thenApply(begun -> begun.repeated()
                        ? new RepeatedRun(begun.saga(), invocation)
                        : run(invocation, begun.saga(), begun));
        return started(run, outer.untold().handedOver().add(definition.operation()));
    }

    private static AsyncRun.Started started(CompletableFuture<? extends AsyncRun> run, HandedOver.@Nullable Task task) {
        CompletableFuture<? extends AsyncRun> wanted = run.copy();
        return new AsyncRun.Started(
                wanted,
                () -> {
                    boolean unused = wanted.cancel(false);
                    // What begins all the same is cancelled then: an outer saga waits for it.
                    CompletableFuture<Void> unusedToo = run.thenAccept(AsyncRun::cancelled);
                },
                task);
    }

    private AsyncSaga run(MethodInvocation invocation, SagaContext saga, NestedSagas.@Nullable Nested nested) {
        Observations.Observed observed = definition.begins()
                ? runner.observations().saga(definition.operation(), saga.saga())
                : Observations.Observed.NOBODY;
        observed.leave();
        return new AsyncSaga(runner, definition, saga, nested, observed, invocation);
    }
}
