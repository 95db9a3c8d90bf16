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

    /** Of a thread that hands a task over: with it the task counts, until it is done. */
    @Override
    public @Nullable SagaContext getValue() {
        SagaContext here = SagaContext.current().orElse(null);
        if (here == null || !here.isForward()) return here;
        String place = Handover.place();
        return place == null ? here : here.handedOver(place);
    }

    @Override
    public void setValue(SagaContext context) {
        context.enterTask();
        SagaContext.set(context);
    }

    @Override
    public void setValue() {
        SagaContext.set(null);
    }

    @Override
    public void restore(SagaContext before) {
        SagaContext here = SagaContext.current().orElse(null);
        SagaContext.set(before);
        if (here != null) here.leaveTask();
    }

    @Override
    public void restore() {
        SagaContext here = SagaContext.current().orElse(null);
        SagaContext.set(null);
        if (here != null) here.leaveTask();
    }
}
