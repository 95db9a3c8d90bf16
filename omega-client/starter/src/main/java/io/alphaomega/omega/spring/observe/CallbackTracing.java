package io.alphaomega.omega.spring.observe;

import io.alphaomega.omega.observation.CallbackObservation;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import java.util.Map;

/**
 * Gives each run of a callback a trace of its own, with a link to the span of its forward call.
 *
 * <p>It is not that span's child: a callback comes when its saga is decided, perhaps days later, from a queue. By then
 * the forward trace has been stored, sampled by its tail, and maybe deleted; a child would stretch it to days, in which
 * nobody finds the milliseconds that the calls took, and would hang from nothing in a store that has forgotten it. A link
 * is what OpenTelemetry has for work that was put off, and whoever looks at the callback gets to the forward call by it.
 *
 * <p>If the forward call was not sampled, the callback goes on in its trace: nothing of it is exported either, and logs
 * have the trace's id.
 */
public final class CallbackTracing extends DefaultTracingObservationHandler {
    /** Marks the link, so that {@link ForwardSampler} knows it from those of others. */
    static final String LINK = "omega.link";

    private static final Map<String, Object> FORWARD = Map.of(LINK, "forward");

    public CallbackTracing(Tracer tracer) {
        super(tracer);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof CallbackObservation;
    }

    @Override
    public void onStart(Observation.Context context) {
        Span.Builder span = getTracer().spanBuilder().kind(Span.Kind.CONSUMER);
        TraceContext forward = Traceparent.read(((CallbackObservation) context).traceparent(), getTracer());
        if (forward == null) span.setNoParent();
        else if (Boolean.TRUE.equals(forward.sampled())) span.setNoParent().addLink(new Link(forward, FORWARD));
        else span.setParent(forward);
        getTracingContext(context).setSpan(span.start());
    }
}
