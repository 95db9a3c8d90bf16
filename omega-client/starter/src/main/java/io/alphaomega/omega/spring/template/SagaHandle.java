package io.alphaomega.omega.spring.template;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.OpenSaga;
import io.alphaomega.omega.SagaBranch;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A saga in the hands of code that a {@link DefaultSagaTemplate} runs. */
final class SagaHandle implements OpenSaga {
    private final @Nullable SagaContext saga;
    private final Omega omega;
    private final TemplateBranch.Surroundings branches;
    private final @Nullable Runnable ender;

    /**
     * @param saga null if there is none
     * @param ender null if the saga ends by itself, or there is none
     */
    SagaHandle(
            @Nullable SagaContext saga, Omega omega, TemplateBranch.Surroundings branches, @Nullable Runnable ender) {
        this.saga = saga;
        this.omega = omega;
        this.branches = branches;
        this.ender = ender;
    }

    @Override
    public Optional<String> id() {
        return in(omega::sagaId);
    }

    @Override
    public Branch branch(String operation) {
        TemplateBranch.requireName(operation);
        return new Branch() {
            @Override
            public <A extends @Nullable Object> SagaBranch compensateWith(CompensationHandler<A> handler, A argument) {
                return TemplateBranch.of(branches, here(), operation, handler, argument);
            }
        };
    }

    @Override
    public void abort(String reason) {
        boolean unused = in(() -> {
            omega.abort(reason);
            return true;
        });
    }

    @Override
    public void end() {
        if (ender == null) {
            throw new SagaException(
                    saga == null
                            ? "There is nothing to end: this code runs in no saga."
                            : saga
                                    + " ends with the code that began it, and not before; leave it open (leftOpen) to end"
                                    + " it here.");
        }
        ender.run();
    }

    private interface Question<T> {
        T ask();
    }

    private <T> T in(Question<T> question) {
        SagaContext here = here();
        SagaContext.Scope scope = here == null ? SagaContext.outside() : here.open();
        try {
            return question.ask();
        } finally {
            scope.close();
        }
    }

    /** Within a branch of the saga, that branch; on a thread that knows nothing of the saga, its top. */
    private @Nullable SagaContext here() {
        if (saga == null) return null;
        return SagaContext.current()
                .filter(current -> current.isForward() && current.saga().equals(saga.saga()))
                .orElse(saga);
    }
}
