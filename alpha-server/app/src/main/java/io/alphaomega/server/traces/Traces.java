package io.alphaomega.server.traces;

import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What makes spans, if anybody takes them. */
public final class Traces implements AutoCloseable {
    /** A collector that is away must not hold up a stop. */
    private static final Duration FLUSH = Duration.ofSeconds(2);

    private final @Nullable SdkTracerProvider provider;

    Traces(@Nullable SdkTracerProvider provider) {
        this.provider = provider;
    }

    /** Empty if nobody takes spans. */
    public Optional<Tracer> tracer() {
        return Optional.ofNullable(provider).map(known -> known.get("io.alphaomega.alpha"));
    }

    /** Sends what has gathered. */
    @Override
    public void close() {
        if (provider != null) provider.shutdown().join(FLUSH.toMillis(), TimeUnit.MILLISECONDS);
    }
}
