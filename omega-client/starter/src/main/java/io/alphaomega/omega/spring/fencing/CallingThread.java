package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A callback's thread that waits for a publisher, and meanwhile runs what that hands over to it: the methods of the
 * service, which find there what a {@code CallbackInterceptor} has put on the thread.
 */
final class CallingThread implements Executor {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

    private CallingThread() {}

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** @param work is given the scheduler that leads here */
    static <T> T await(Function<Scheduler, Mono<T>> work) throws Throwable {
        SagaContext saga = SagaContext.current().orElseThrow();
        CallingThread here = new CallingThread();
        CompletableFuture<? extends @Nullable T> done = work.apply(Schedulers.fromExecutor(here))
                .contextWrite(context -> context.put(SagaContextAccessor.KEY, saga))
                .toFuture();
        CompletableFuture<?> unused = done.whenComplete((value, failure) -> here.execute(() -> {}));
        try {
            while (!done.isDone()) here.tasks.take().run();
            return Objects.requireNonNull(done.get());
        } catch (InterruptedException e) {
            done.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw ReturnKind.cause(e);
        }
    }
}
