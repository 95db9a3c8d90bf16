package io.alphaomega.omega;

import io.alphaomega.omega.context.SagaContext;
import java.util.Optional;
import java.util.function.BiConsumer;

/** The current saga of a thread, for code in the middle of it; a bean to inject. */
public final class Omega {
    private final BiConsumer<SagaContext, String> abort;

    /**
     * For the auto-configuration.
     *
     * @param abort aborts a saga for a reason, and returns when that is decided
     */
    public Omega(BiConsumer<SagaContext, String> abort) {
        this.abort = abort;
    }

    /**
     * The saga this thread is in, or whose compensation it runs. The caller may pass the id on, so the saga is reported
     * to alpha at its end, even if no branch has begun in it.
     */
    public Optional<String> sagaId() {
        Optional<SagaContext> current = SagaContext.current();
        current.ifPresent(saga -> saga.untold().share());
        return current.map(SagaContext::saga);
    }

    /** The branch whose method, or whose compensation, this thread runs. */
    public Optional<String> branchId() {
        return SagaContext.current().map(SagaContext::branch).filter(branch -> !branch.isEmpty());
    }

    /**
     * Aborts the saga this thread is in, and returns when that is decided. The running method continues; the saga's
     * {@link SagaStart} method throws {@link SagaAbortedException} at its end.
     *
     * @param reason a sentence for people, cut at 512 characters
     * @throws SagaException if this thread is in no saga, or the saga is committed already
     * @throws AlphaUnavailableException if alpha did not answer in time: the saga is perhaps aborted, perhaps not
     */
    public void abort(String reason) {
        SagaContext saga = SagaContext.current()
                .filter(SagaContext::isForward)
                .orElseThrow(() -> new SagaException(
                        "There is nothing to abort: this thread is in no saga, or runs one of its callbacks."));
        abort.accept(saga, reason);
    }
}
