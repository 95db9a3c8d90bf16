package io.alphaomega.omega.spring.execution;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.omega.spring.fencing.Attempt;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.fencing.ReactiveLocalFence;
import io.alphaomega.omega.spring.fencing.ReactiveTransactions;
import io.alphaomega.omega.spring.method.Coroutines;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.method.ReturnedPublishers;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Signal;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** Methods that return a {@code Mono} or a {@code Flux}. Loaded only where there is Reactor. */
public final class Publishers {
    private Publishers() {}

    /** What a subscription starts: a {@link AsyncRun.Started}, or a publisher where there is nothing to do for omega. */
    public interface Start {
        /**
         * For one subscription.
         *
         * @param caller the saga of the subscriber; null if it is in none
         * @param inTransaction whether the subscriber is in a reactive transaction
         */
        Object in(@Nullable SagaContext caller, boolean inTransaction) throws Throwable;
    }

    /** What the method returns: something which does nothing but with each subscription that. */
    public static Object subscribed(Method method, Start start) {
        SagaContext calledIn = SagaContext.current().orElse(null);
        return returned(
                method,
                ReturnKind.of(method) == ReturnKind.MONO
                        ? Mono.deferContextual(
                                view -> Mono.<Object>from(started(start, calledIn, view, Publishers::mono)))
                        : Flux.deferContextual(
                                view -> Flux.<Object>from(started(start, calledIn, view, Publishers::flux))));
    }

    /** Of a suspend function Spring expects a publisher. */
    private static Object returned(Method method, Publisher<?> publisher) {
        return KotlinFunctions.returnsFlow(method) && !KotlinFunctions.isSuspend(method)
                ? Coroutines.flow(publisher)
                : publisher;
    }

    private static Publisher<?> started(
            Start start,
            @Nullable SagaContext calledIn,
            ContextView view,
            Function<AsyncRun.Started, Publisher<?>> run) {
        try {
            Object started = start.in(caller(view, calledIn), ReactiveTransactions.isActive(view));
            if (!(started instanceof AsyncRun.Started its)) return (Publisher<?>) started;
            return run.apply(watched(its, view));
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        }
    }

    /** Tells a saga whether its branches have joined the transaction around it. */
    private static AsyncRun.Started watched(AsyncRun.Started started, ContextView view) {
        TransactionSynchronizationManager around = ReactiveTransactions.current(view);
        if (around == null) return started;
        CompletableFuture<AsyncRun> begun = started.begun().thenApply(run -> {
            if (run instanceof AsyncSaga saga) saga.joined(() -> ReactiveTransactions.isJoined(around, saga.saga()));
            return run;
        });
        return new AsyncRun.Started(begun, started.cancelled(), started.task());
    }

    /** The subscriber's saga by its context, else that of the thread it subscribes on, else that of the call. */
    private static @Nullable SagaContext caller(ContextView view, @Nullable SagaContext calledIn) {
        SagaContext subscriber = view.getOrDefault(SagaContextAccessor.KEY, null);
        return subscriber != null ? subscriber : SagaContext.current().orElse(calledIn);
    }

    private static Mono<Object> mono(AsyncRun.Started started) {
        return awaited(started.begun())
                .flatMap(Publishers::tries)
                .doOnTerminate(started::handsOn)
                .doFinally(last -> over(last, started));
    }

    /** When its work has been cancelled, too: a transaction may have ended of it. */
    private static void over(SignalType last, AsyncRun.Started started) {
        if (last == SignalType.CANCEL) started.cancelled().run();
        started.over();
    }

    private static Mono<Object> tries(AsyncRun run) {
        return Mono.defer(() -> {
                    AsyncRun.Place place = run.next();
                    return awaited(run.ready())
                            .then(Mono.defer(() -> Mono.<Object>from(called(run, place))))
                            .contextWrite(context -> written(context, place));
                })
                .materialize()
                .flatMap(work -> done(run, work));
    }

    private static Mono<Object> done(AsyncRun run, Signal<Object> work) {
        Throwable thrown = work.getThrowable();
        if (thrown == null) return ended(run, work.get()).then(Mono.justOrEmpty(work.get()));
        return awaited(run.threw(thrown)).flatMap(pause -> Mono.delay(pause).then(Mono.defer(() -> tries(run))));
    }

    /** Elements pass as they come; that all have come is said when the run has ended. */
    private static Flux<Object> flux(AsyncRun.Started started) {
        return awaited(started.begun())
                .flatMapMany(run -> Flux.defer(() -> {
                            AsyncRun.Place place = run.next();
                            return Flux.defer(() -> Flux.<Object>from(called(run, place)))
                                    .contextWrite(context -> written(context, place));
                        })
                        .onErrorResume(thrown -> awaited(run.threw(thrown)).then(Mono.error(thrown)))
                        .concatWith(Mono.defer(() -> ended(run, null).then(Mono.empty()))))
                .doOnTerminate(started::handsOn)
                .doFinally(last -> over(last, started));
    }

    private static Mono<Void> ended(AsyncRun run, @Nullable Object value) {
        return awaited(run.returned(value)).then(Mono.fromRunnable(run::handedOn));
    }

    private static Publisher<?> called(AsyncRun run, AsyncRun.Place place) {
        SagaContext.Scope scope = place.open();
        try {
            return ReturnedPublishers.require(run.call());
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        } finally {
            scope.close();
        }
    }

    /** What a branch that is done says at once. */
    static Publisher<?> of(@Nullable Object value) {
        return Mono.justOrEmpty(value);
    }

    private static Context written(Context context, AsyncRun.Place place) {
        Context written = context.put(SagaContextAccessor.KEY, place.saga());
        Object observation = place.observed().handedOver();
        if (observation != null) written = written.put(ObservationThreadLocalAccessor.KEY, observation);
        return place.attempt() == null ? written : written.put(Attempt.class, place.attempt());
    }

    /** Never goes on with the subscriber's work on the thread of alpha's connections. */
    private static <T> Mono<T> awaited(CompletableFuture<T> future) {
        return future.isDone()
                ? Mono.fromFuture(future, true)
                : Mono.<T>create(sink -> pass(future, sink)).publishOn(Schedulers.parallel());
    }

    /** Unless it is cancelled: nobody is told then of a failure that this may cause. */
    private static <T> void pass(CompletableFuture<T> future, MonoSink<T> sink) {
        AtomicBoolean cancelled = new AtomicBoolean();
        sink.onCancel(() -> cancelled.set(true));
        CompletableFuture<T> unused = future.whenComplete((value, failure) -> {
            if (cancelled.get()) return;
            if (failure == null) sink.success(value);
            else sink.error(ReturnKind.cause(failure));
        });
    }

    /** The business of a branch, in the transaction that its subscriber's context has, if any. */
    public static Object localWork(MethodInvocation invocation, Supplier<FencedExecution> localWork) {
        Method method = ReturnKind.called(invocation);
        return returned(
                method,
                ReturnKind.of(method) == ReturnKind.MONO
                        ? Mono.deferContextual(view -> Mono.<Object>from(localWork(invocation, view, localWork)))
                        : Flux.deferContextual(view -> Flux.<Object>from(localWork(invocation, view, localWork))));
    }

    private static Publisher<?> localWork(
            MethodInvocation invocation, ContextView view, Supplier<FencedExecution> localWork) {
        Attempt attempt = view.getOrDefault(Attempt.class, null);
        SagaContext saga = view.getOrDefault(SagaContextAccessor.KEY, null);
        try {
            if (attempt == null || saga == null) return ReturnedPublishers.require(invocation.proceed());
            AsyncRun.Place place = new AsyncRun.Place(saga, attempt.observed(), attempt);
            ReactiveLocalFence fence = attempt.fenced() ? localWork.get().reactive(attempt.definition()) : null;
            if (fence != null) return fence.forward(attempt, () -> proceeded(invocation, place));
            ReactiveTransactions.reached(attempt, view);
            return proceeded(invocation, place);
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        }
    }

    private static Publisher<?> proceeded(MethodInvocation invocation, AsyncRun.Place place) {
        SagaContext.Scope scope = place.open();
        try {
            return ReturnedPublishers.require(invocation.proceed());
        } catch (Throwable thrown) {
            return Mono.error(thrown);
        } finally {
            scope.close();
        }
    }

    /** Whether Reactor puts what its contexts have into the threads that run its operators. */
    public static boolean propagateThreads() {
        return Hooks.isAutomaticContextPropagationEnabled();
    }

    /** Waits for a callback's publisher on this thread, one of those that callbacks may block. */
    public static void block(Publisher<?> work) {
        SagaContext saga = SagaContext.current().orElseThrow();
        Flux.from(work)
                .then()
                .contextWrite(context -> context.put(SagaContextAccessor.KEY, saga))
                .block();
    }
}
