package io.alphaomega.omega.spring.observe;

import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A span as the W3C's <a href="https://www.w3.org/TR/trace-context/">Trace Context</a> writes it, whatever the service
 * propagates by: it is alpha that keeps it, and perhaps another version of the service that reads it.
 */
public final class Traceparent {
    /** Of a version to come only the beginning is known. Ids of zeros name nothing. */
    private static final Pattern FORMAT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private static final int SAMPLED = 1;
    private static final int TRACE_ID_CHARS = 32;

    private Traceparent() {}

    /** Of the span that this thread is in; empty if it is in none. */
    public static String current(Tracer tracer) {
        TraceContext current = tracer.currentTraceContext().context();
        return current == null ? "" : of(current);
    }

    private static String of(TraceContext span) {
        String trace = span.traceId();
        if (trace.isEmpty() || trace.length() > TRACE_ID_CHARS) return "";
        // Brave may have ids of 64 bits.
        String padded = "0".repeat(TRACE_ID_CHARS - trace.length()) + trace;
        String text = "00-%s-%s-%s".formatted(padded, span.spanId(), Boolean.TRUE.equals(span.sampled()) ? "01" : "00");
        return FORMAT.matcher(text).matches() ? text : "";
    }

    /** What it names, as the tracer has it; null if it is none. */
    static @Nullable TraceContext read(String traceparent, Tracer tracer) {
        Matcher parts = FORMAT.matcher(traceparent);
        if (!parts.matches()) return null;
        boolean sampled = (Integer.parseInt(parts.group(3), 16) & SAMPLED) != 0;
        return tracer.traceContextBuilder()
                .traceId(parts.group(1))
                .spanId(parts.group(2))
                .sampled(sampled)
                .build();
    }
}
