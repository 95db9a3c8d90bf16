package io.alphaomega.omega.spring;

import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaContext;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Begins and ends sagas around {@link SagaStart} and {@link SagaEnd} methods, outside their local transactions. */
final class SagaInterceptor implements MethodInterceptor {
    private final OmegaDefinitions definitions;
    private final Supplier<SagaReports> reports;
    private final Supplier<Observations> observations;

    /**
     * @param reports looked up at the first call, when everything it needs is there
     * @param observations likewise
     */
    SagaInterceptor(OmegaDefinitions definitions, Supplier<SagaReports> reports, Supplier<Observations> observations) {
        this.definitions = definitions;
        this.reports = reports;
        this.observations = observations;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        SagaDefinition definition = definitions.saga(
                invocation.getMethod(),
                Objects.requireNonNull(invocation.getThis()).getClass());
        if (definition == null) return invocation.proceed();
        Optional<SagaContext> current = SagaContext.current().filter(SagaContext::isForward);
        if (definition.begins()) {
            if (current.isPresent()) {
                throw new SagaException("%s begins a saga but was called in %s: sagas do not nest, it did not run."
                        .formatted(definition.operation(), current.get()));
            }
            SagaContext begun =
                    reports.get().begin(definition, definition.labels().of(invocation));
            SagaContext.Scope scope = begun.open();
            try {
                return observed(invocation, definition, begun);
            } finally {
                scope.close();
                if (!definition.ends()) begun.untold().leaveOpen();
            }
        }
        return run(
                invocation,
                definition,
                current.orElseThrow(() -> new SagaException("%s ends a saga but was called outside one, it did not run."
                        .formatted(definition.operation()))));
    }

    private @Nullable Object observed(MethodInvocation invocation, SagaDefinition definition, SagaContext saga)
            throws Throwable {
        try (Observations.Observed observed = observations.get().saga(definition.operation(), saga.saga())) {
            Object result;
            try {
                result = run(invocation, definition, saga);
            } catch (Throwable thrown) {
                observed.threw(thrown);
                observed.ended(outcome(definition, thrown));
                throw thrown;
            }
            observed.ended(definition.ends() ? "COMMITTED" : "OPEN");
            return result;
        }
    }

    /** Of a saga whose method threw that, as its caller is told. */
    private static String outcome(SagaDefinition definition, Throwable thrown) {
        if (thrown instanceof SagaPendingException) return "PENDING";
        if (thrown instanceof SagaOutcomeUnknownException) return "UNKNOWN";
        if (thrown instanceof SagaException || definition.isAbortedBy(thrown)) return "ABORTED";
        return definition.ends() ? "COMMITTED" : "OPEN";
    }

    private @Nullable Object run(MethodInvocation invocation, SagaDefinition definition, SagaContext saga)
            throws Throwable {
        Object result;
        try {
            result = invocation.proceed();
        } catch (Throwable thrown) {
            settle(definition, saga, thrown);
            throw thrown;
        }
        if (definition.ends()) end(definition, saga);
        return result;
    }

    /** Asks for the decision, and aborts instead if that could only come after this call has returned. */
    private void end(SagaDefinition definition, SagaContext saga) {
        if (!definition.awaitDecision() || !Attempt.isOpenHere(saga.saga())) {
            reports.get().end(saga, definition.awaitDecision());
            return;
        }
        SagaException inside = new SagaException(
                "%s was called inside a transaction that a branch of %s has joined, and would wait for that to end: the saga is aborted. Call it outside of transactions, or give the branch one of its own (REQUIRES_NEW)."
                        .formatted(definition.operation(), saga));
        reports.get().abort(saga, inside);
        throw inside;
    }

    /** Aborts the saga, or commits it all the same; if that does not work its caller is told that instead. */
    private void settle(SagaDefinition definition, SagaContext saga, Throwable thrown) {
        if (definition.isAbortedBy(thrown)) {
            reports.get().abort(saga, thrown);
        } else if (definition.ends()) {
            try {
                end(definition, saga);
            } catch (SagaException notCommitted) {
                notCommitted.addSuppressed(thrown);
                throw notCommitted;
            }
        }
    }
}
