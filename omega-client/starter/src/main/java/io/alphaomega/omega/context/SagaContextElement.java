package io.alphaomega.omega.context;

import kotlin.coroutines.AbstractCoroutineContextElement;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.ThreadContextElement;
import org.jspecify.annotations.Nullable;

/**
 * The saga of a Kotlin coroutine, as an element of its context: whichever thread the coroutine runs on is in that saga
 * meanwhile, and so are the coroutines that it starts. Annotated {@code suspend} functions run with it. Where a coroutine
 * is started from a plain method, it is handed over:
 *
 * <pre>{@code runBlocking(Dispatchers.IO + SagaContextElement.current()) { ... }}</pre>
 */
public final class SagaContextElement extends AbstractCoroutineContextElement
        implements ThreadContextElement<@Nullable SagaContext> {
    /** By which a coroutine's context has it. */
    public static final CoroutineContext.Key<SagaContextElement> KEY = new CoroutineContext.Key<>() {};

    private final @Nullable SagaContext saga;

    /** @param saga null to take a coroutine out of the saga it is in */
    public SagaContextElement(@Nullable SagaContext saga) {
        super(KEY);
        this.saga = saga;
    }

    /** With the saga that this thread is in, or none. */
    public static SagaContextElement current() {
        return new SagaContextElement(SagaContext.current().orElse(null));
    }

    @Override
    public @Nullable SagaContext updateThreadContext(CoroutineContext context) {
        SagaContext before = SagaContext.current().orElse(null);
        SagaContext.set(saga);
        return before;
    }

    @Override
    public void restoreThreadContext(CoroutineContext context, @Nullable SagaContext before) {
        SagaContext.set(before);
    }
}
