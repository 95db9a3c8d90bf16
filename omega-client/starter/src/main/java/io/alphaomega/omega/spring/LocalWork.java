package io.alphaomega.omega.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionManager;

/** Runs the business of branches and callbacks, behind the fence where there is one. */
final class LocalWork {
    private final Payloads payloads;
    private final @Nullable LocalFence fence;

    LocalWork(Payloads payloads, @Nullable LocalFence fence) {
        this.payloads = payloads;
        this.fence = fence;
    }

    /** Something that may throw anything. */
    interface Business {
        @Nullable
        Object run() throws Throwable;
    }

    boolean fences() {
        return fence != null;
    }

    /** Whether that manager surely commits something else than the fence's rows. */
    boolean isApartFrom(TransactionManager manager) {
        return fence != null && fence.isApartFrom(manager);
    }

    /** The id of the fence that a branch which begins now begins behind; empty if there is none. */
    String fenceOf(BranchDefinition definition) {
        return definition.fenced() && fence != null ? fence.id() : "";
    }

    /** Before each try, outside its transaction. */
    void begin(Attempt attempt) throws Throwable {
        if (attempt.definition().compensateOnException() && fence != null) {
            fence.begin(attempt.saga(), attempt.branch());
        }
    }

    @Nullable
    Object run(Attempt attempt, Business business) throws Throwable {
        if (attempt.fenced() && fence != null) return fence.forward(attempt, business);
        attempt.reached();
        Object result = business.run();
        attempt.done();
        if (attempt.definition().takesResult()) {
            attempt.returned(payloads.result(attempt.definition(), result));
        }
        return result;
    }
}
