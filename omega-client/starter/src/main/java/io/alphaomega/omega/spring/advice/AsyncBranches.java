package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.HandedOver;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.OmegaDefinitions;
import io.alphaomega.omega.spring.execution.AsyncBranch;
import io.alphaomega.omega.spring.execution.AsyncRun;
import io.alphaomega.omega.spring.execution.BranchRunner;
import io.alphaomega.omega.spring.execution.Futures;
import io.alphaomega.omega.spring.execution.Publishers;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.method.ReturnedPublishers;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Makes a branch of each call whose work is done {@link ReturnKind later}; of a publisher's, of each subscription. */
final class AsyncBranches {
    private final ProxyMethodInvocation invocation;
    private final BranchDefinition definition;
    private final BranchRunner runner;
    private final Supplier<OutsideCalls> outside;
    private final OmegaDefinitions definitions;

    private AsyncBranches(
            ProxyMethodInvocation invocation,
            BranchDefinition definition,
            BranchRunner runner,
            Supplier<OutsideCalls> outside,
            OmegaDefinitions definitions) {
        this.invocation = invocation;
        this.definition = definition;
        this.runner = runner;
        this.outside = outside;
        this.definitions = definitions;
    }

    /** Not a future behind the fence: there it is complete when its transaction ends. */
    static boolean isLater(BranchDefinition definition, BranchRunner runner) {
        return switch (ReturnKind.of(definition.method())) {
            case NOW -> false;
            case FUTURE -> !runner.participation().localWork().fences(definition);
            case MONO, FLUX -> true;
        };
    }

    static @Nullable Object call(
            ProxyMethodInvocation invocation,
            BranchDefinition definition,
            BranchRunner runner,
            Supplier<OutsideCalls> outside,
            OmegaDefinitions definitions)
            throws Throwable {
        AsyncBranches calls = new AsyncBranches(invocation, definition, runner, outside, definitions);
        ReturnKind later = ReturnKind.of(definition.method());
        return later.isReactive() ? Publishers.subscribed(definition.method(), calls::subscribed) : calls.future();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It is what the method returns.
    private @Nullable Object future() throws Throwable {
        SagaContext caller = SagaContext.current().orElse(null);
        AsyncRun.Started started;
        try {
            started = started(caller, TransactionSynchronizationManager.isActualTransactionActive());
        } catch (SagaException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return started == null ? invocation.proceed() : Futures.of(started);
    }

    private Object subscribed(@Nullable SagaContext caller, boolean inTransaction) throws Throwable {
        AsyncRun.Started started = started(caller, inTransaction);
        return started == null
                ? ReturnedPublishers.require(invocation.invocableClone().proceed())
                : started;
    }

    /** Null if the call is no branch. */
    private AsyncRun.@Nullable Started started(@Nullable SagaContext caller, boolean inTransaction) {
        if (caller == null) {
            outside.get().called(definition);
            return null;
        }
        if (!caller.isForward()) return null; // A callback is in its saga, but no branch begins in it.
        definitions.requireOffered(definition);
        AsyncBranch run = new AsyncBranch(caller, definition, invocation, runner.participation());
        CompletableFuture<AsyncBranch> begun = run.begin(inTransaction).thenApply(nothing -> run);
        HandedOver.Task task = caller.untold().handedOver().add(definition.operation());
        return new AsyncRun.Started(begun, run::cancelled, task);
    }
}
