package io.alphaomega.omega.spring;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionManager;

/** Runs the business of branches, behind the fence where there is one. */
final class LocalWork {
    private final Payloads payloads;
    private final @Nullable LocalFence fence;
    private final @Nullable ReactiveLocalFence reactive;

    LocalWork(Payloads payloads, @Nullable LocalFence fence, @Nullable ReactiveLocalFence reactive) {
        this.payloads = payloads;
        this.fence = fence;
        this.reactive = reactive;
    }

    /** Something that may throw anything. */
    interface Business {
        @Nullable
        Object run() throws Throwable;
    }

    /** Whether there is a fence for work that is done when its method returns. */
    boolean fences() {
        return fence != null;
    }

    /** Whether there is a fence for branches of that method, and they are behind it. */
    boolean fences(BranchDefinition definition) {
        if (!definition.fenced()) return false;
        return Later.of(definition.method()) == Later.MONO ? reactive != null : fence != null;
    }

    /** Whether that manager surely commits something else than the rows of that branch's fence. */
    boolean isApartFrom(TransactionManager manager, BranchDefinition definition) {
        if (Later.of(definition.method()) == Later.MONO) return reactive != null && reactive.isApartFrom(manager);
        return fence != null && fence.isApartFrom(manager);
    }

    /** The fence of work that is a {@code Mono}; null if there is none. */
    @Nullable
    ReactiveLocalFence reactive() {
        return reactive;
    }

    /** As {@link #fenceOf}, of such work: nobody waits for it. */
    CompletableFuture<String> fenceOfLater(BranchDefinition definition) {
        return reactive != null && fences(definition) && Later.of(definition.method()) == Later.MONO
                ? reactive.id()
                : CompletableFuture.completedFuture("");
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
