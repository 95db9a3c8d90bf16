package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.context.HandedOver;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.observe.Observations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One run of a method whose work is done {@link ReturnKind later}: as a saga, or as a branch. Nothing in it waits. */
public interface AsyncRun {
    /** Another call of the method is about to be made, in this place. */
    Place next();

    /** Before the {@link #next} call is made: completes once it may be. */
    default CompletableFuture<Void> ready() {
        return CompletableFuture.completedFuture(null);
    }

    /** Calls the method, in the place of the {@link #next} call. */
    @Nullable
    Object call() throws Throwable;

    /** The work is done. The future fails with what the caller is told instead of the value. */
    CompletableFuture<Void> returned(@Nullable Object value);

    /** The work has failed. The future has the pause before another call, or fails with what the caller is told. */
    CompletableFuture<Duration> threw(Throwable thrown);

    /** What was {@link #returned} reaches the caller now, who can cancel it no more. */
    default void handedOn() {}

    /** Nobody wants the work any more. Does nothing once it is done. */
    void cancelled();

    /**
     * What has started.
     *
     * @param begun has the run once it may run
     * @param cancelled what is to happen if nobody wants it any more, begun or not
     * @param task what it is to the saga that it was called in, which waits until it has been handed on; null if there is none
     */
    record Started(CompletableFuture<? extends AsyncRun> begun, Runnable cancelled, HandedOver.@Nullable Task task) {
        /** It is handed on now, on this thread, with what that leads to. */
        void handsOn() {
            if (task != null) task.enter();
        }

        /** It has been handed on, or nobody wants it any more. */
        void over() {
            if (task != null) task.over();
        }
    }

    /**
     * Where a call is made.
     *
     * @param attempt null if it is no branch's
     */
    record Place(
            SagaContext saga,
            Observations.Observed observed,
            @Nullable Attempt attempt) {
        /** Puts this thread there. */
        SagaContext.Scope open() {
            SagaContext.Scope inSaga = saga.open();
            Runnable leave = observed.enter();
            return () -> {
                leave.run();
                inSaga.close();
            };
        }
    }
}
