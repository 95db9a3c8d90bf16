package io.alphaomega.omega.spring;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.context.SagaContext;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Begins and ends sagas around methods whose work is done {@link Later later}; of a publisher's, with each subscription. */
final class LaterSagas {
    private final SagaDefinition definition;
    private final SagaRunner runner;

    LaterSagas(SagaDefinition definition, SagaRunner runner) {
        this.definition = definition;
        this.runner = runner;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It is what the method returns.
    Object call(MethodInvocation invocation, Later later) {
        if (later.isReactive()) {
            return Publishers.subscribed(
                    Later.called(invocation), (caller, inTransaction) -> started(invocation, caller));
        }
        try {
            return Futures.of(started(invocation, SagaContext.current().orElse(null)));
        } catch (SagaException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private LaterRun.Started started(MethodInvocation invocation, @Nullable SagaContext caller) {
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
        CompletableFuture<SagaRun> run = saga.thenApply(begun -> run(invocation, begun, null));
        return new LaterRun.Started(run, () -> {
            // What begins all the same is aborted by its timeout, and nothing is in it.
            if (!run.cancel(false) && !run.isCompletedExceptionally())
                run.join().cancelled();
        });
    }

    private LaterRun.Started nested(MethodInvocation invocation, SagaContext outer) {
        CompletableFuture<NestedSagas.Nested> nested =
                runner.nested().beginLater(definition, definition.labels().of(invocation), outer);
        CompletableFuture<SagaRun> run = nested.thenApply(begun -> run(invocation, begun.saga(), begun));
        return new LaterRun.Started(run, () -> {
            if (run.cancel(false)) {
                // The outer saga waits for what begins all the same.
                CompletableFuture<Void> unused = nested.thenAccept(
                        begun -> run(invocation, begun.saga(), begun).cancelled());
            } else if (!run.isCompletedExceptionally()) {
                run.join().cancelled();
            }
        });
    }

    private SagaRun run(MethodInvocation invocation, SagaContext saga, NestedSagas.@Nullable Nested nested) {
        Observations.Observed observed = definition.begins()
                ? runner.observations().saga(definition.operation(), saga.saga())
                : Observations.Observed.NOBODY;
        observed.leave();
        return new SagaRun(runner, definition, saga, nested, observed, invocation);
    }
}
