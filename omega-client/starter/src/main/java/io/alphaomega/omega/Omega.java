package io.alphaomega.omega;

import java.util.Optional;

/** The current saga of a thread, for code in the middle of it; a bean to inject. */
public interface Omega {
    /**
     * The saga this thread is in, or whose compensation it runs. The caller may pass the id on, so the saga is reported
     * to alpha at its end, even if no branch has begun in it.
     */
    Optional<String> sagaId();

    /** The branch whose method, or whose compensation, this thread runs. */
    Optional<String> branchId();

    /**
     * Aborts the saga this thread is in, and returns when that is decided. The running method continues; the saga's
     * {@link SagaStart} method throws {@link SagaAbortedException} at its end.
     *
     * @param reason a sentence for people, cut at 512 characters
     * @throws SagaException if this thread is in no saga, or the saga is committed already
     * @throws AlphaUnavailableException if alpha did not answer in time: the saga is perhaps aborted, perhaps not
     */
    void abort(String reason);
}
