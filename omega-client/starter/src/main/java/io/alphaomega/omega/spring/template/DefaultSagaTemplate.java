package io.alphaomega.omega.spring.template;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.OpenSaga;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaOverException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.SagaWork;
import io.alphaomega.omega.context.Promises;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.advice.SagaInterceptor;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.definition.PropagationCheck;
import io.alphaomega.omega.spring.definition.RetentionCheck;
import io.alphaomega.omega.spring.definition.SagaDefinition;
import io.alphaomega.omega.spring.definition.SagaLabels;
import io.alphaomega.omega.spring.execution.Rethrown;
import io.alphaomega.omega.spring.execution.SagaRunner;
import io.alphaomega.omega.spring.reporting.SagaReports;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Runs code in sagas as {@link SagaInterceptor} runs methods. */
public final class DefaultSagaTemplate implements SagaTemplate {
    private static final int KEY_CHARS = 256;

    /** Of which it is remembered what was warned of. */
    private static final int NAMES_MAX = 1_000;

    private final Map<String, SagaLabels> labels = new ConcurrentHashMap<>();
    private final SagaRunner runner;
    private final SagaReports reports;
    private final Omega omega;
    private final TemplateBranch.Surroundings branches;
    private final OmegaProperties properties;

    public DefaultSagaTemplate(
            SagaRunner runner,
            SagaReports reports,
            Omega omega,
            TemplateBranch.Surroundings branches,
            OmegaProperties properties) {
        this.runner = runner;
        this.reports = reports;
        this.omega = omega;
        this.branches = branches;
        this.properties = properties;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // It is what the work has returned.
    public <T extends @Nullable Object, X extends Throwable> T execute(SagaSettings settings, SagaWork<T, X> work)
            throws X {
        return (T) execute(settings, false, work);
    }

    @Override
    public <X extends Throwable> void executeWithoutResult(SagaSettings settings, SagaWork.WithoutResult<X> work)
            throws X {
        SagaWork<@Nullable Object, X> whole = saga -> {
            work.run(saga);
            return null;
        };
        Object unused = execute(settings, true, whole);
    }

    private <X extends Throwable> @Nullable Object execute(SagaSettings settings, boolean isVoid, SagaWork<?, X> work)
            throws X {
        SagaDefinition definition = definition(settings, isVoid);
        SagaContext outer = current();
        try {
            return runner.run(
                    definition,
                    () -> labels(settings.name()).limited(settings),
                    () -> done(settings.name(), work.run(handle(definition, outer))));
        } catch (Throwable thrown) {
            throw Rethrown.<X>as(thrown);
        }
    }

    /** What would be done after the saga has ended was no part of it, and aborts it. */
    private static @Nullable Object done(String name, @Nullable Object result) {
        if (result == null || !Promises.are(result.getClass()) || current() == null) return result;
        throw new SagaException(
                "%s returned a %s, for which the saga would not wait: it is aborted. Let the work wait, and return the plain value."
                        .formatted(name, result.getClass().getSimpleName()));
    }

    /** Each name is warned of once; names should be few, as methods are. */
    private SagaLabels labels(String name) {
        return labels.size() < NAMES_MAX
                ? labels.computeIfAbsent(name, SagaLabels::ofCode)
                : labels.getOrDefault(name, SagaLabels.ofCode(name));
    }

    private SagaDefinition definition(SagaSettings settings, boolean isVoid) {
        PropagationCheck.check(settings);
        SagaDefinition definition = new SagaDefinition(
                settings.name(),
                true,
                settings.propagation(),
                !settings.isLeftOpen(),
                isVoid,
                settings.timeout(),
                SagaLabels.NONE,
                settings.order(),
                settings.awaitsDecision(),
                settings.abortFor(),
                settings.noAbortFor());
        if (branches.localWork().fences()) {
            RetentionCheck check = new RetentionCheck(
                    properties.fence().retention(), properties.saga().timeout());
            check.add(definition);
            check.require(settings.name());
        }
        return definition;
    }

    private static @Nullable SagaContext current() {
        return SagaContext.current().filter(SagaContext::isForward).orElse(null);
    }

    /** @param outer what this thread was in before */
    private OpenSaga handle(SagaDefinition definition, @Nullable SagaContext outer) {
        SagaContext saga = current();
        boolean joined = saga != null && outer != null && saga.saga().equals(outer.saga());
        Runnable ender = saga == null || joined || definition.ends() ? null : ender(definition.operation(), saga);
        return new SagaHandle(saga, omega, branches, ender);
    }

    private Runnable ender(String operation, SagaContext saga) {
        return () -> runner.end(operation, saga, true);
    }

    @Override
    public <T extends @Nullable Object, X extends Throwable> T resume(String saga, String key, SagaWork<T, X> work)
            throws X {
        if (key.isBlank() || key.length() > KEY_CHARS) {
            throw new IllegalArgumentException(
                    "The key of what goes on in saga %s must have 1 to %d characters but is '%s'."
                            .formatted(saga, KEY_CHARS, key));
        }
        requireOpen(saga);
        SagaContext resumed = reports.resumed(saga, "resumed " + key);
        SagaContext.Scope scope = resumed.open();
        try {
            T result =
                    work.run(new SagaHandle(resumed, omega, branches, ender("What goes on as '" + key + "'", resumed)));
            reports.owe(resumed, false);
            return result;
        } finally {
            scope.close();
            CompletableFuture<Void> unused = reports.oweLater(resumed, false); // If it has thrown.
        }
    }

    /** A branch that begins in a saga of which alpha knows nothing would begin one. */
    private void requireOpen(String saga) {
        SagaOutcome outcome = outcome(saga);
        switch (outcome.state()) {
            case OPEN -> {}
            case ABORTED -> {
                SagaAbortedException aborted = outcome.aborted().orElseThrow();
                throw aborted;
            }
            case COMMITTED ->
                throw new SagaOverException(saga, "Saga " + saga + " is committed: no work can run in it any more.");
            case UNKNOWN ->
                throw new SagaException("Alpha has not heard of saga " + saga + ", so no work can run in it. If it"
                        + " was begun a moment ago, try again, or begin it with omega.saga.begin=EAGER.");
        }
    }

    @Override
    public SagaOutcome outcome(String saga) {
        return reports.outcome(saga);
    }

    @Override
    public SagaOutcome outcome(String service, String operation, String businessKey) {
        return reports.outcome(service, operation, businessKey);
    }
}
