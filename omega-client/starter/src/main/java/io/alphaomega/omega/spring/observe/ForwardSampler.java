package io.alphaomega.omega.spring.observe;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;

/**
 * Samples a callback as its forward call was, though it begins a trace: with one sampled in ten, of a hundred sampled
 * sagas ninety would have links from nowhere. Everything else is left to the service's sampler.
 */
public final class ForwardSampler implements Sampler {
    private static final AttributeKey<String> LINK = AttributeKey.stringKey(CallbackTracing.LINK);

    private final Sampler others;

    public ForwardSampler(Sampler others) {
        this.others = others;
    }

    @Override
    public SamplingResult shouldSample(
            Context parent, String trace, String name, SpanKind kind, Attributes attributes, List<LinkData> links) {
        for (LinkData link : links) {
            boolean follows = link.getAttributes().get(LINK) != null
                    && link.getSpanContext().isSampled();
            if (follows) return SamplingResult.recordAndSample();
        }
        return others.shouldSample(parent, trace, name, kind, attributes, links);
    }

    @Override
    public String getDescription() {
        return "ForwardSampler{" + others.getDescription() + "}";
    }
}
