package io.alphaomega.omega;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A saga, as seen by the code that {@link SagaTemplate} runs in it. Any thread may use it until that code returns. */
public interface OpenSaga {

    /**
     * The saga's id, or that of the joined one; empty if there is none, as with {@link SagaPropagation#SUPPORTS}
     * outside of sagas. The caller may pass it on, see {@link Omega#sagaId}.
     */
    Optional<String> id();

    /**
     * A branch of it, which runs here.
     *
     * @param operation its name for people, 1 to 256 characters, such as {@code car}; a part of the branch's id, so
     *     choose one for each kind of work
     */
    Branch branch(String operation);

    /**
     * Aborts the saga, and returns when that is decided, as {@link Omega#abort} does. The code continues;
     * {@link SagaTemplate#execute} throws {@link SagaAbortedException} at its end.
     *
     * @throws SagaException if there is no saga
     */
    void abort(String reason);

    /**
     * Ends the saga, as a {@link SagaEnd} method does: returns only if it is committed. For a saga that was left open
     * ({@link SagaSettings#leftOpen}, {@code autoClose = false}). It may be called once, and nothing begins in the saga
     * afterwards.
     *
     * @throws SagaException as {@link SagaStart} says; also if the saga ends by itself, or there is none
     */
    void end();

    /** A branch that has only a name so far. */
    interface Branch {
        /**
         * Sets the handler that undoes it.
         *
         * @param handler a bean of this service; another one is refused before anything runs
         * @param argument kept by alpha and handed to the handler; as for a {@link Compensable} method's arguments, at
         *     most 64 KiB as JSON
         */
        <A extends @Nullable Object> SagaBranch compensateWith(CompensationHandler<A> handler, A argument);
    }
}
