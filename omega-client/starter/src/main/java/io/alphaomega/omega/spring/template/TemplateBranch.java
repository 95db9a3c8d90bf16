package io.alphaomega.omega.spring.template;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.OutsideSaga;
import io.alphaomega.omega.SagaBranch;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.Promises;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.advice.OutsideCalls;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.definition.CompensationArguments;
import io.alphaomega.omega.spring.definition.RetentionCheck;
import io.alphaomega.omega.spring.execution.BranchRunner;
import io.alphaomega.omega.spring.execution.Rethrown;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.protocol.v1.CallbackOffer;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

/** A branch that code says by itself, run as that of a {@link io.alphaomega.omega.Compensable} method is. */
public final class TemplateBranch implements SagaBranch {
    /** Alpha's limit on names. A blank is in the targets of calls, whose ids are made beside those of branches. */
    private static final Pattern NAME = Pattern.compile("\\S{1,256}");

    private static final Duration TIMEOUT_MAX = Duration.ofDays(30);

    private static final Method WORK =
            Objects.requireNonNull(ReflectionUtils.findMethod(SagaBranch.Call.class, "call"));

    /** What it needs around it. */
    public record Surroundings(
            BranchRunner runner,
            CompensationHandlers handlers,
            FencedExecution localWork,
            OutsideCalls outside,
            RetentionCheck retention) {}

    /** What it says besides. */
    private record Terms(Duration timeout, boolean fenced, boolean cleanOnException, boolean compensateOnException) {}

    private final Surroundings around;
    private final @Nullable SagaContext caller;
    private final String operation;
    private final CallbackMethod compensation;
    private final @Nullable Object argument;
    private final Terms terms;

    private TemplateBranch(
            Surroundings around,
            @Nullable SagaContext caller,
            String operation,
            CallbackMethod compensation,
            @Nullable Object argument,
            Terms terms) {
        this.around = around;
        this.caller = caller;
        this.operation = operation;
        this.compensation = compensation;
        this.argument = argument;
        this.terms = terms;
    }

    /**
     * A branch of that name that says nothing besides.
     *
     * @param caller null outside of sagas
     * @throws SagaException if nobody could call the handler back
     */
    public static TemplateBranch of(
            Surroundings around,
            @Nullable SagaContext caller,
            String operation,
            CompensationHandler<?> handler,
            @Nullable Object argument) {
        CallbackMethod compensation = around.handlers().callback(operation, handler);
        Terms terms = new Terms(Duration.ZERO, true, false, false);
        return new TemplateBranch(around, caller, operation, compensation, argument, terms);
    }

    static void requireName(String operation) {
        if (NAME.matcher(operation).matches()) return;
        throw new IllegalArgumentException(
                "The name of a branch must have 1 to 256 characters, none of them blank, but is '" + operation + "'.");
    }

    private TemplateBranch with(Terms changed) {
        return new TemplateBranch(around, caller, operation, compensation, argument, changed);
    }

    @Override
    public SagaBranch timeout(Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "The timeout of %s must be from 1 ms to %s but is %s.".formatted(operation, TIMEOUT_MAX, timeout));
        }
        return with(new Terms(timeout, terms.fenced(), terms.cleanOnException(), terms.compensateOnException()));
    }

    @Override
    public SagaBranch unfenced() {
        return with(new Terms(terms.timeout(), false, terms.cleanOnException(), terms.compensateOnException()));
    }

    @Override
    public SagaBranch cleanOnException() {
        return with(new Terms(terms.timeout(), terms.fenced(), true, terms.compensateOnException()));
    }

    @Override
    public SagaBranch compensateOnException() {
        return with(new Terms(terms.timeout(), terms.fenced(), terms.cleanOnException(), true));
    }

    private BranchDefinition definition(Type result) {
        return new BranchDefinition(
                WORK,
                operation,
                compensation.argumentTypes(),
                result,
                0,
                Duration.ZERO,
                terms.timeout(),
                compensation,
                null,
                List.of(),
                CallbackOffer.newBuilder().setName(compensation.name()).build(),
                terms.fenced(),
                compensation.fence(),
                terms.cleanOnException(),
                terms.compensateOnException(),
                true,
                OutsideSaga.AS_CONFIGURED,
                CompensationArguments.NONE);
    }

    @Override
    public <T extends @Nullable Object, X extends Throwable> T call(Class<T> result, Call<? extends T, X> work)
            throws X {
        return run(result, work);
    }

    @Override
    public <T extends @Nullable Object, X extends Throwable> T call(
            ParameterizedTypeReference<T> result, Call<? extends T, X> work) throws X {
        return run(result.getType(), work);
    }

    @Override
    public <X extends Throwable> void run(Run<X> work) throws X {
        Object unused = this.<@Nullable Object, X>run(void.class, () -> {
            work.run();
            return null;
        });
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // It is what the work has returned, now or when it ran before.
    private <T extends @Nullable Object, X extends Throwable> T run(Type result, Call<? extends T, X> work) throws X {
        BranchDefinition definition = definition(result);
        requireSense(definition);
        requireDone(result);
        if (caller == null) {
            around.outside().called(definition);
            return work.call();
        }
        BranchRunner.Body body = attempt -> around.localWork().run(attempt, work::call);
        try {
            return (T) around.runner().run(caller, definition, new @Nullable Object[] {argument}, body);
        } catch (Throwable thrown) {
            throw Rethrown.<X>as(thrown);
        }
    }

    /** The branch ends when the work returns. */
    private void requireDone(Type result) {
        Class<?> type = ResolvableType.forType(result).toClass();
        if (!Promises.are(type)) return;
        throw new IllegalArgumentException(
                "%s returns a %s, for which nothing would wait; it did not run. Let the work wait, and return the plain value."
                        .formatted(operation, type.getSimpleName()));
    }

    /** As is checked of annotations at start. */
    private void requireSense(BranchDefinition definition) {
        boolean fenced;
        try {
            fenced = around.localWork().fences(definition);
        } catch (OmegaConfigurationException unclear) {
            throw new SagaException(
                    "%s did not run: %s %s".formatted(operation, unclear.problem(), unclear.action()), unclear);
        }
        if (fenced && caller != null) around.retention().requireWithin(definition, caller);
        if (!terms.compensateOnException()) return;
        if (terms.cleanOnException()) {
            throw new IllegalArgumentException(
                    "%s says cleanOnException, that an exception means nothing was done, and compensateOnException, that something may have been; it did not run."
                            .formatted(operation));
        }
        if (around.localWork().fencesInRedis(definition)) {
            throw new SagaException(
                    "%s says compensateOnException but is behind a fence in Redis, where it cannot be noted that it began; it did not run."
                            .formatted(operation));
        }
        if (!fenced) {
            throw new SagaException(
                    "%s says compensateOnException but has no fence, where it is noted that it began; it did not run."
                            .formatted(operation));
        }
    }
}
