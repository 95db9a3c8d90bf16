package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.SagaRepeatedException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.definition.SagaLabels;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.reporting.EventLoops;
import io.alphaomega.omega.spring.reporting.SagaBegins;
import io.alphaomega.omega.spring.reporting.SagaReports;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Begins and ends sagas around what runs in them, whether an annotation or a template says so. */
public final class SagaRunner {
    private final Supplier<SagaBegins> begins;
    private final Supplier<SagaReports> reports;
    private final Supplier<NestedSagas> nested;
    private final Supplier<Observations> observations;

    /**
     * @param begins looked up at the first call, when everything it needs is there
     * @param reports likewise
     * @param nested likewise
     * @param observations likewise
     */
    public SagaRunner(
            Supplier<SagaBegins> begins,
            Supplier<SagaReports> reports,
            Supplier<NestedSagas> nested,
            Supplier<Observations> observations) {
        this.begins = begins;
        this.reports = reports;
        this.nested = nested;
        this.observations = observations;
    }

    public SagaBegins begins() {
        return begins.get();
    }

    SagaReports reports() {
        return reports.get();
    }

    public NestedSagas nested() {
        return nested.get();
    }

    public Observations observations() {
        return observations.get();
    }

    /**
     * Runs the body in a saga that it begins, in the one of this thread or in none, as its propagation says.
     *
     * @param labels what the saga is found by, asked for before it begins
     * @throws SagaException if its propagation refuses that; then it did not run
     */
    public @Nullable Object run(
            SagaDefinition definition, Supplier<SagaLabels.Labels> labels, FencedExecution.Business body)
            throws Throwable {
        Optional<SagaContext> current = current();
        return switch (definition.propagation()) {
            case OUTERMOST -> {
                if (current.isPresent()) throw nested(definition, current.get());
                yield begin(definition, labels, body);
            }
            case REQUIRED ->
                current.isPresent() ? join(definition, current.get(), body) : begin(definition, labels, body);
            case REQUIRES_NEW -> begin(definition, labels, body);
            case NESTED ->
                current.isPresent() ? nest(definition, labels, current.get(), body) : begin(definition, labels, body);
            case MANDATORY -> {
                SagaContext saga = current.orElseThrow(() -> refused(
                        definition,
                        "must be called in a saga (MANDATORY) but was called outside one, it did not run."));
                yield join(definition, saga, body);
            }
            case SUPPORTS -> current.isPresent() ? join(definition, current.get(), body) : body.run();
            case NOT_SUPPORTED -> current.isPresent() ? apart(body) : body.run();
            case NEVER -> {
                if (current.isPresent()) {
                    throw refused(
                            definition,
                            "is never to run in a saga (NEVER) but was called in " + current.get()
                                    + ", it did not run.");
                }
                yield body.run();
            }
        };
    }

    public static SagaException nested(SagaDefinition definition, SagaContext current) {
        return refused(
                definition,
                "begins a saga but was called in " + current
                        + ": it did not run. It may join that one (propagation = REQUIRED), begin one that is a part of it"
                        + " (NESTED), or one of its own all the same (REQUIRES_NEW).");
    }

    public static SagaException outside(SagaDefinition definition) {
        return refused(definition, "ends a saga but was called outside one, it did not run.");
    }

    private static SagaException refused(SagaDefinition definition, String sentence) {
        return new SagaException(definition.operation() + " " + sentence);
    }

    /** Whoever began the saga ends it, but what throws here must not be committed by somebody who catches it. */
    private @Nullable Object join(SagaDefinition definition, SagaContext saga, FencedExecution.Business body)
            throws Throwable {
        EventLoops.refuseWaiting(definition.operation());
        try {
            return body.run();
        } catch (Throwable thrown) {
            if (definition.isAbortedBy(thrown)) reports.get().abortJoined(saga, thrown);
            throw thrown;
        }
    }

    private static @Nullable Object apart(FencedExecution.Business body) throws Throwable {
        SagaContext.Scope scope = SagaContext.outside();
        try {
            return body.run();
        } finally {
            scope.close();
        }
    }

    private @Nullable Object begin(
            SagaDefinition definition, Supplier<SagaLabels.Labels> labels, FencedExecution.Business body)
            throws Throwable {
        EventLoops.refuseWaiting(definition.operation());
        SagaContext begun;
        try {
            begun = begins.get().begin(definition, labels.get());
        } catch (SagaRepeatedException repeated) {
            if (definition.isVoid() && repeated.outcome().isDecided()) return null;
            throw repeated;
        }
        SagaContext.Scope scope = begun.open();
        try {
            Object result = observed(definition, begun, body, definition.ends() ? "COMMITTED" : "OPEN");
            if (!definition.ends()) reports.get().owe(begun, false);
            return result;
        } finally {
            scope.close();
            if (!definition.ends()) begun.untold().leaveOpen();
        }
    }

    /** As {@link #begin}, but the saga is a part of the outer one, which decides it and hears when it is through. */
    private @Nullable Object nest(
            SagaDefinition definition,
            Supplier<SagaLabels.Labels> labels,
            SagaContext outer,
            FencedExecution.Business body)
            throws Throwable {
        EventLoops.refuseWaiting(definition.operation());
        NestedSagas.Nested begun = nested.get().begin(definition, labels.get(), outer);
        SagaContext.Scope scope = begun.saga().open();
        try {
            return begun.repeated() ? body.run() : observed(definition, begun.saga(), body, "PREPARED");
        } finally {
            scope.close();
            nested.get().through(begun);
        }
    }

    /** Runs the body in the saga of this thread, and ends that. */
    public @Nullable Object end(SagaDefinition definition, FencedExecution.Business body) throws Throwable {
        EventLoops.refuseWaiting(definition.operation());
        SagaContext saga = current().orElseThrow(() -> outside(definition));
        return run(definition, saga, body);
    }

    private static Optional<SagaContext> current() {
        return SagaContext.current().filter(SagaContext::isForward);
    }

    /** @param returned how the saga stands when its method has returned */
    private @Nullable Object observed(
            SagaDefinition definition, SagaContext saga, FencedExecution.Business body, String returned)
            throws Throwable {
        try (Observations.Observed observed = observations.get().saga(definition.operation(), saga.saga())) {
            Object result;
            try {
                result = run(definition, saga, body);
            } catch (Throwable thrown) {
                observed.threw(thrown);
                observed.ended(outcome(definition, thrown, returned));
                throw thrown;
            }
            observed.ended(returned);
            return result;
        }
    }

    /**
     * Of a saga whose method threw that, as its caller is told.
     *
     * @param otherwise how it stands if that does not abort it
     */
    static String outcome(SagaDefinition definition, Throwable thrown, String otherwise) {
        if (thrown instanceof SagaPendingException) return "PENDING";
        if (thrown instanceof SagaOutcomeUnknownException) return "UNKNOWN";
        if (thrown instanceof SagaException || definition.isAbortedBy(thrown)) return "ABORTED";
        return otherwise;
    }

    private @Nullable Object run(SagaDefinition definition, SagaContext saga, FencedExecution.Business body)
            throws Throwable {
        Object result;
        try {
            result = body.run();
        } catch (Throwable thrown) {
            settle(definition, saga, thrown);
            throw thrown;
        }
        if (definition.ends()) end(definition.operation(), saga, definition.awaitDecision());
        return result;
    }

    /**
     * Asks for the decision, which waits for what this call has handed over. Aborts instead if it could only come after this
     * call has returned, or alpha cannot be told what else it is to wait for.
     */
    public void end(String operation, SagaContext saga, boolean awaitDecision) {
        try {
            if (awaitDecision && Attempt.isOpenHere(saga.saga())) throw insideTransaction(operation, saga);
            reports.get().owe(saga, awaitDecision);
        } catch (SagaException inVain) {
            reports.get().abort(saga, inVain);
            throw inVain;
        }
        reports.get().end(saga, awaitDecision);
    }

    static SagaException insideTransaction(String operation, SagaContext saga) {
        return new SagaException(
                "%s was called inside a transaction that a branch of %s has joined, and would wait for that to end: the saga is aborted. Call it outside of transactions, or give the branch one of its own (REQUIRES_NEW)."
                        .formatted(operation, saga));
    }

    /** Aborts the saga, or commits it all the same; if that does not work its caller is told that instead. */
    private void settle(SagaDefinition definition, SagaContext saga, Throwable thrown) {
        if (definition.isAbortedBy(thrown)) {
            reports.get().abort(saga, thrown);
        } else if (definition.ends()) {
            try {
                end(definition.operation(), saga, definition.awaitDecision());
            } catch (SagaException notCommitted) {
                notCommitted.addSuppressed(thrown);
                throw notCommitted;
            }
        }
    }
}
