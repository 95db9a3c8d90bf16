package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.reporting.CallerThreads;
import io.alphaomega.omega.spring.reporting.EventLoops;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Methods that return a {@code CompletableFuture}: their callers get another one, which is complete when omega is done. */
public final class Futures {
    private final AsyncRun.Started started;
    private final ContextSnapshot caller =
            ContextSnapshotFactory.builder().build().captureAll();
    private final CompletableFuture<@Nullable Object> result = new Result();
    private final AtomicReference<CompletableFuture<?>> work = new AtomicReference<>();

    private Futures(AsyncRun.Started started) {
        this.started = started;
    }

    /** Whoever cancels it goes on at once with what is chained to it: the run hears of that before. */
    private final class Result extends CompletableFuture<@Nullable Object> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!isDone()) started.cancelled().run();
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            started.over();
            return cancelled;
        }
    }

    /**
     * Calls the method as soon as it may run: on this thread, which waits for that as the caller of a plain method does; on
     * another one if nothing may wait here.
     */
    public static CompletableFuture<@Nullable Object> of(AsyncRun.Started started) {
        Futures futures = new Futures(started);
        CompletableFuture<?> unused = futures.result.whenComplete((value, failure) -> futures.cancelIfCancelled());
        if (started.begun().isDone() || !EventLoops.isHere()) futures.callHere();
        else futures.then(started.begun(), (run, failure) -> futures.begun(run, failure));
        return futures.result;
    }

    /** Waits for what such a method has returned. */
    public static @Nullable Object join(@Nullable Object returned) throws Throwable {
        try {
            return stage(returned).toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw ReturnKind.cause(e);
        }
    }

    private static CompletionStage<?> stage(@Nullable Object returned) {
        if (returned instanceof CompletionStage<?> stage) return stage;
        throw new SagaException("The method returned null instead of a CompletableFuture.");
    }

    private void callHere() {
        AsyncRun run;
        try {
            run = started.begun().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            result.cancel(false);
            return;
        } catch (ExecutionException notBegun) {
            complete(null, ReturnKind.cause(notBegun));
            return;
        }
        call(run);
    }

    private void begun(AsyncRun run, @Nullable Throwable failure) {
        if (failure == null) caller.wrap(() -> call(run)).run();
        else complete(null, failure);
    }

    private void call(AsyncRun run) {
        CompletionStage<?> stage;
        try {
            stage = called(run);
        } catch (Throwable thrown) {
            threw(run, thrown);
            return;
        }
        CompletionStage<?> unused = stage.whenComplete((value, failure) -> {
            if (failure == null) then(run.returned(value), (nothing, told) -> handOn(run, value, told));
            else threw(run, ReturnKind.cause(failure));
        });
    }

    private CompletionStage<?> called(AsyncRun run) throws Throwable {
        SagaContext.Scope scope = run.next().open();
        CompletionStage<?> stage;
        try {
            stage = stage(run.call());
        } finally {
            scope.close();
        }
        work.set(stage.toCompletableFuture());
        cancelIfCancelled();
        return stage;
    }

    private void threw(AsyncRun run, Throwable thrown) {
        then(run.threw(thrown), (pause, told) -> {
            if (told == null) again(run, pause);
            else complete(null, told);
        });
    }

    private void again(AsyncRun run, Duration pause) {
        CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, CallerThreads.EXECUTOR)
                .execute(caller.wrap(() -> call(run)));
    }

    private void handOn(AsyncRun run, @Nullable Object value, @Nullable Throwable told) {
        // Who has cancelled it may hear of that, and go on without it, before the run does.
        if (told == null && !result.isCancelled()) run.handedOn();
        complete(value, told);
    }

    /** Where the caller was: what it has chained runs in its saga, and may call a further branch. */
    private void complete(@Nullable Object value, @Nullable Throwable told) {
        started.handsOn();
        try {
            caller.wrap(() -> {
                        boolean unused = told == null ? result.complete(value) : result.completeExceptionally(told);
                    })
                    .run();
        } finally {
            started.over();
        }
    }

    /** Goes on here if there is nothing to wait for. */
    private <T> void then(CompletableFuture<? extends T> future, BiConsumer<T, @Nullable Throwable> next) {
        BiConsumer<T, @Nullable Throwable> unwrapped =
                (value, failure) -> next.accept(value, failure == null ? null : ReturnKind.cause(failure));
        CompletableFuture<?> unused = future.isDone()
                ? future.whenComplete(unwrapped)
                : future.whenCompleteAsync(unwrapped, CallerThreads.EXECUTOR);
    }

    private void cancelIfCancelled() {
        if (!result.isCancelled()) return;
        started.cancelled().run();
        CompletableFuture<?> running = work.get();
        if (running != null) running.cancel(true);
    }
}
