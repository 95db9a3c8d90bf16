package io.alphaomega.samples.booking.processes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Takes spans by OTLP over HTTP, as a collector does, and keeps them. */
final class Collector implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final List<Taken> taken = new CopyOnWriteArrayList<>();
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

    Collector() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException("The collector cannot listen.", e);
        }
        server.setExecutor(threads);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    List<Taken> all() {
        return taken;
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
            byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        }
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
