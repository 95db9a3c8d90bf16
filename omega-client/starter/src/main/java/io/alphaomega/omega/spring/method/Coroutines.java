package io.alphaomega.omega.spring.method;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.SagaContextAccessor;
import io.alphaomega.omega.context.SagaContextElement;
import java.lang.reflect.Method;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.CoroutinesUtils;
import reactor.core.publisher.Flux;

/**
 * Kotlin's coroutines, by Reactor as Spring calls them: to advice a suspend function is one that returns a publisher.
 * Loaded only where a function needs it.
 */
public final class Coroutines {
    /** Under which a subscriber's context has the coroutine context of whoever collects the flow. */
    private static final Object COLLECTOR = CoroutineContext.class;

    private Coroutines() {}

    /** Calls the suspend function once more, as a coroutine in the saga that this thread is in. */
    static @Nullable Object proceed(ProxyMethodInvocation invocation) throws Throwable {
        @Nullable Object[] arguments = invocation.getArguments().clone();
        int last = arguments.length - 1;
        if (arguments[last] instanceof Continuation<?> caller) arguments[last] = new InSaga(caller);
        return invocation.invocableClone(arguments).proceed();
    }

    /** Calls the suspend function by itself, as a coroutine in the saga that this thread is in. */
    public static Publisher<?> call(Method method, Object bean, @Nullable Object... arguments) {
        CoroutineContext context = Dispatchers.getUnconfined().plus(SagaContextElement.current());
        return CoroutinesUtils.invokeSuspendingFunction(context, method, bean, arguments);
    }

    static boolean isFlow(Object returned) {
        return returned instanceof Flow<?>;
    }

    /** The flow for a subscriber, in the subscriber's saga and, but for that, in the context of who collects it. */
    static Publisher<?> publisher(Object flow) {
        return Flux.<Object>deferContextual(view -> {
            CoroutineContext context = view.<CoroutineContext>getOrEmpty(COLLECTOR)
                    .orElse(EmptyCoroutineContext.INSTANCE)
                    .minusKey(Job.Key);
            SagaContext saga = view.getOrDefault(SagaContextAccessor.KEY, null);
            if (saga != null) context = context.plus(new SagaContextElement(saga));
            return ReactorFlowKt.<Object>asFlux((Flow<?>) flow, context);
        });
    }

    /** What a function returns that returns a flow: each collection is a subscription. */
    public static Object flow(Publisher<?> publisher) {
        return (Flow<Object>) (collector, continuation) -> {
            Flux<Object> collected = Flux.<Object>from(publisher)
                    .contextWrite(context -> context.put(COLLECTOR, continuation.getContext()));
            return ReactiveFlowKt.asFlow(collected).collect(collector, continuation);
        };
    }

    /** The caller's continuation, which Spring takes the context from that the function runs in. */
    private static final class InSaga implements Continuation<Object> {
        private final Continuation<?> caller;
        private final CoroutineContext context;

        InSaga(Continuation<?> caller) {
            this.caller = caller;
            this.context = caller.getContext().plus(SagaContextElement.current());
        }

        @Override
        public CoroutineContext getContext() {
            return context;
        }

        @Override
        public void resumeWith(Object result) {
            caller.resumeWith(result);
        }
    }
}
