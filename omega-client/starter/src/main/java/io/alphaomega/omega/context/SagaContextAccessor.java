package io.alphaomega.omega.context;

import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/** How Micrometer's context propagation carries the saga to other threads; found by the service loader. */
public final class SagaContextAccessor implements ThreadLocalAccessor<SagaContext> {
    public static final String KEY = "omega.saga";

    @Override
    public Object key() {
        return KEY;
    }

    @Override
    public @Nullable SagaContext getValue() {
        return SagaContext.current().orElse(null);
    }

    @Override
    public void setValue(SagaContext context) {
        SagaContext.set(context);
    }

    @Override
    public void setValue() {
        SagaContext.set(null);
    }
}
