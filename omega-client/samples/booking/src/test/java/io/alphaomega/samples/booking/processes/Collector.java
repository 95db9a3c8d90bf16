package io.alphaomega.samples.booking.processes;

import com.google.protobuf.MessageLite;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Takes spans and metrics by OTLP over HTTP, as a collector does, and keeps them. */
final class Collector implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final List<Taken> taken = new CopyOnWriteArrayList<>();
    private final List<Measured> measured = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;

    /** A span of a service. */
    record Taken(String service, Span span) {
        String name() {
            return span.getName();
        }

        String trace() {
            return HEX.formatHex(span.getTraceId().toByteArray());
        }

        String id() {
            return HEX.formatHex(span.getSpanId().toByteArray());
        }

        String parent() {
            return HEX.formatHex(span.getParentSpanId().toByteArray());
        }

        /** What it links to, each as trace and span. */
        List<String> links() {
            return span.getLinksList().stream()
                    .map(link -> HEX.formatHex(link.getTraceId().toByteArray()) + " "
                            + HEX.formatHex(link.getSpanId().toByteArray()))
                    .toList();
        }

        String attribute(String key) {
            return valueOf(span.getAttributesList(), key);
        }
    }

    /** A metric, as one process sent it. */
    record Measured(List<KeyValue> process, Metric metric) {
        String of(String attribute) {
            return valueOf(process, attribute);
        }
    }

    Collector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException("The collector cannot listen.", e);
        }
        server.setExecutor(threads);
        server.createContext("/v1/traces", this::take);
        server.createContext("/v1/metrics", this::takeMetrics);
        server.start();
    }

    String endpoint() {
        return address() + "/v1/traces";
    }

    String metricsEndpoint() {
        return address() + "/v1/metrics";
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Taken> all() {
        return taken;
    }

    List<Measured> metrics(String name) {
        return measured.stream()
                .filter(one -> one.metric().getName().equals(name))
                .toList();
    }

    List<Taken> of(String trace) {
        return taken.stream().filter(span -> span.trace().equals(trace)).toList();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
            request.getResourceSpansList().forEach(resource -> {
                String service = valueOf(resource.getResource().getAttributesList(), "service.name");
                resource.getScopeSpansList()
                        .forEach(scope -> scope.getSpansList().forEach(span -> taken.add(new Taken(service, span))));
            });
            answer(exchange, ExportTraceServiceResponse.getDefaultInstance());
        }
    }

    private void takeMetrics(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportMetricsServiceRequest request = ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody());
            request.getResourceMetricsList()
                    .forEach(process -> process.getScopeMetricsList()
                            .forEach(scope -> scope.getMetricsList()
                                    .forEach(metric -> measured.add(
                                            new Measured(process.getResource().getAttributesList(), metric)))));
            answer(exchange, ExportMetricsServiceResponse.getDefaultInstance());
        }
    }

    private static void answer(HttpExchange exchange, MessageLite response) throws IOException {
        byte[] answer = response.toByteArray();
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        exchange.getResponseBody().write(answer);
    }

    private static String valueOf(List<KeyValue> attributes, String key) {
        return attributes.stream()
                .filter(attribute -> attribute.getKey().equals(key))
                .map(attribute -> attribute.getValue().hasIntValue()
                        ? Long.toString(attribute.getValue().getIntValue())
                        : attribute.getValue().getStringValue())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
