package io.alphaomega.server.traces;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends spans, and says once that they do not arrive, and once that they do again. */
final class ToldExporter implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(Traces.class);

    private final SpanExporter exporter;
    private final String endpoint;
    private final AtomicBoolean away = new AtomicBoolean();

    ToldExporter(SpanExporter exporter, String endpoint) {
        this.exporter = exporter;
        this.endpoint = endpoint;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> heard(result));
    }

    private void heard(CompletableResultCode result) {
        if (result.isSuccess()) {
            if (away.compareAndSet(true, false)) LOG.info("Spans reach {} again.", endpoint);
        } else if (away.compareAndSet(false, true)) {
            LOG.warn(
                    "Spans do not reach {}: {}. Alpha continues, and drops them until they do.",
                    endpoint,
                    reason(result.getFailureThrowable()));
        }
    }

    /** The innermost: those around it only say that it was an export. */
    private static String reason(@Nullable Throwable failure) {
        if (failure == null) return "it does not say why";
        Throwable innermost = failure;
        while (innermost.getCause() != null) innermost = innermost.getCause();
        return innermost.toString();
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
