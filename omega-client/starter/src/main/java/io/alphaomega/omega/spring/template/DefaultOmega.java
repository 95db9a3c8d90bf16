package io.alphaomega.omega.spring.template;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Answers for the saga that the calling thread is in. */
public final class DefaultOmega implements Omega {
    private final BiConsumer<SagaContext, String> abort;

    /** @param abort aborts a saga for a reason, and returns when that is decided */
    public DefaultOmega(BiConsumer<SagaContext, String> abort) {
        this.abort = abort;
    }

    @Override
    public Optional<String> sagaId() {
        Optional<SagaContext> current = SagaContext.current();
        current.ifPresent(saga -> saga.untold().share());
        return current.map(SagaContext::saga);
    }

    @Override
    public Optional<String> branchId() {
        return SagaContext.current().map(SagaContext::branch).filter(branch -> !branch.isEmpty());
    }

    @Override
    public void abort(String reason) {
        SagaContext saga = SagaContext.current()
                .filter(SagaContext::isForward)
                .orElseThrow(() -> new SagaException(
                        "There is nothing to abort: this thread is in no saga, or runs one of its callbacks."));
        abort.accept(saga, reason);
    }
}
