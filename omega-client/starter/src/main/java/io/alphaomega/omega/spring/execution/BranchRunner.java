package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.payload.Payloads;
import io.alphaomega.omega.spring.reporting.BranchReports;
import io.alphaomega.omega.spring.reporting.SagaReports;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes what runs in a saga a branch of it, whether an annotation or a template says so: asks alpha, tries, and tells it
 * the end of the local transaction; if the transaction is the caller's, when that has ended.
 */
public final class BranchRunner {
    private final Supplier<Participation> participation;

    /** What a participant needs: looked up at the first call, when everything is there. */
    public record Participation(
            BranchReports reports,
            SagaReports sagas,
            Payloads payloads,
            CallbackInterceptors interceptors,
            FencedExecution localWork,
            RemoteFailures remoteFailures,
            Observations observations) {}

    /** What runs in a branch: its local transaction, with {@link FencedExecution#run} of the attempt in it. */
    public interface Body {
        @Nullable
        Object run(Attempt attempt) throws Throwable;
    }

    public BranchRunner(Supplier<Participation> participation) {
        this.participation = participation;
    }

    public Participation participation() {
        return participation.get();
    }

    /**
     * Runs the body, perhaps several times, as one branch.
     *
     * @param arguments what the compensation is called with, as far as it takes any
     */
    public @Nullable Object run(
            SagaContext caller, BranchDefinition definition, @Nullable Object[] arguments, Body body) throws Throwable {
        return new BlockingBranch(caller, definition, participation.get(), arguments, body).run();
    }
}
