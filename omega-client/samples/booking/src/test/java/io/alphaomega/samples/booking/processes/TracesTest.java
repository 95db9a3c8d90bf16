package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.booking.booking.BookingApplication;
import io.alphaomega.samples.booking.car.CarApplication;
import io.alphaomega.samples.booking.processes.Collector.Measured;
import io.alphaomega.samples.booking.processes.Collector.Taken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a collector gets of a trip: from two services with Spring Boot's starter for OpenTelemetry, in this process, and
 * from the alpha that users get. The other tests here run the same services without anything of tracing.
 */
@Tag("processes")
@Tag("long")
class TracesTest {
    private static final String SAMPLED = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String UNSAMPLED = "7d3a5f0c9b1e4a6c8d2f0e1b3c5a7d9f";

    private final Path directory;
    private final Collector collector = new Collector();
    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<ConfigurableApplicationContext> services = new ArrayList<>();
    private final int grpc = ServerProcess.freePort();
    private final int alphaHttp = ServerProcess.freePort();
    private final int cluster = ServerProcess.freePort();
    private final AlphaApi api = new AlphaApi(URI.create("http://127.0.0.1:" + alphaHttp), http);
    private volatile Runnable beforeTheHotelRefuses = () -> {};
    private final HttpServer hotel;
    private final Node alpha;

    TracesTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        hotel = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        alpha = alpha();
    }

    @BeforeEach
    void start() {
        alpha.launch();
        hotel.setExecutor(threads);
        hotel.createContext("/bookings", this::refuse);
        hotel.start();
        int car = service(CarApplication.class, "car");
        service(
                BookingApplication.class,
                "booking",
                "--booking.car=http://127.0.0.1:" + car,
                "--booking.hotel=http://127.0.0.1:" + hotel.getAddress().getPort(),
                "--spring.http.clients.read-timeout=10m");
        alpha.awaitReady();
    }

    @AfterEach
    void stop() {
        services.reversed().forEach(ConfigurableApplicationContext::close);
        hotel.stop(0);
        alpha.close();
        collector.close();
        http.close();
        threads.close();
    }

    @Test
    void a_compensation_leads_to_its_forward_call_although_alpha_was_killed_in_between() {
        String unseen = book(UNSAMPLED, "00");
        assertThat(api.awaitEnd(unseen)).isEqualTo("COMPENSATED");

        beforeTheHotelRefuses = () -> {
            // What it has not sent dies with it.
            awaitSpans(SAMPLED, "alpha begin", 2);
            await("decisions").until(() -> !decisions().isEmpty());
            alpha.kill();
            alpha.start();
        };
        String saga = book(SAMPLED, "01");
        assertThat(api.awaitEnd(saga)).isEqualTo("COMPENSATED");

        List<Taken> attempts = awaitSpans(SAMPLED, "alpha compensate", 2);
        assertThat(attempts)
                .allMatch(span -> span.service().equals("alpha")
                        && span.attribute("outcome").equals("SUCCEEDED"));
        Taken entered = only("booking", "branch TripLedger.enter");
        Taken booked = only("car", "branch CarDesk.book");
        assertThat(parents("alpha begin")).containsExactlyInAnyOrder(entered.id(), booked.id());
        assertThat(parents("alpha compensate")).containsExactlyInAnyOrder(entered.id(), booked.id());
        assertThat(parents("alpha decide")).containsExactly(entered.id());
        assertThat(entered.parent())
                .isEqualTo(only("booking", "saga TripService.book").id());
        assertThat(only("booking", "saga TripService.book").attribute("saga.id"))
                .isEqualTo(saga);
        assertLinks("compensate TripLedger.cancel", entered);
        assertLinks("compensate CarDesk.cancel", booked);

        assertThat(api.saga(saga).path("branches").valueStream())
                .hasSize(2)
                .allMatch(branch -> branch.path("traceId").asString().equals(SAMPLED));
        assertThat(collector.all())
                .noneMatch(span -> span.trace().equals(UNSAMPLED)
                        || span.links().toString().contains(UNSAMPLED)
                        || span.attribute("saga.id").equals(unseen));
        assertMetricsArriveOfBothLives();
    }

    /** The alpha that was killed and the one that followed it are told apart, and known as the same node. */
    private void assertMetricsArriveOfBothLives() {
        List<Measured> decisions = await("decisions of both processes")
                .until(
                        this::decisions,
                        found -> found.stream()
                                        .map(one -> one.of("service.instance.id"))
                                        .distinct()
                                        .count()
                                == 2);
        assertThat(decisions)
                .allMatch(one -> one.of("service.name").equals("alpha")
                        && one.of("alpha.node").equals("127.0.0.1:" + cluster));
        assertThat(collector.metrics("alpha.saga.duration"))
                .anyMatch(one -> one.metric().getHistogram().getDataPoints(0).getExplicitBoundsCount() > 10);
    }

    /** What was exported after the first of a process. */
    private List<Measured> decisions() {
        return collector.metrics("alpha.saga.decisions").stream()
                .filter(one -> one.metric().getSum().getDataPoints(0).getAsDouble() > 0)
                .toList();
    }

    /** It is the beginning of a trace, with nothing above it but the link. */
    private void assertLinks(String compensation, Taken forward) {
        List<Taken> found = await().until(() -> named(compensation), spans -> !spans.isEmpty());
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().links()).containsExactly(SAMPLED + " " + forward.id());
        assertThat(found.getFirst().parent()).isEmpty();
        assertThat(found.getFirst().trace()).isNotEqualTo(SAMPLED);
    }

    private List<String> parents(String name) {
        return awaitSpans(SAMPLED, name, 1).stream().map(Taken::parent).toList();
    }

    private Taken only(String service, String name) {
        List<Taken> found = awaitSpans(SAMPLED, name, 1);
        assertThat(found).hasSize(1);
        assertThat(found.getFirst().service()).isEqualTo(service);
        return found.getFirst();
    }

    private List<Taken> awaitSpans(String trace, String name, int atLeast) {
        return await(name)
                .until(
                        () -> collector.of(trace).stream()
                                .filter(span -> span.name().equals(name))
                                .toList(),
                        spans -> spans.size() >= atLeast);
    }

    private List<Taken> named(String name) {
        return collector.all().stream().filter(span -> span.name().equals(name)).toList();
    }

    /** A customer's request in a trace, which the hotel refuses; the saga that was to book it. */
    private String book(String trace, String flags) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:%d/trips".formatted(port(services.getLast()))))
                .timeout(Patience.LIMIT)
                .header("Content-Type", "application/json")
                .header("traceparent", "00-%s-00f067aa0ba902b7-%s".formatted(trace, flags))
                .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"eve\",\"cars\":1,\"rooms\":1}"))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(409);
            JsonNode body = JsonMapper.shared().readTree(response.body());
            return body.path("saga").asString();
        } catch (IOException e) {
            throw new IllegalStateException("Booking does not answer.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while booking.", e);
        }
    }

    private void refuse(HttpExchange exchange) throws IOException {
        try (exchange) {
            beforeTheHotelRefuses.run();
            byte[] problem = "{\"detail\":\"The hotel is full.\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
            exchange.sendResponseHeaders(409, problem.length);
            exchange.getResponseBody().write(problem);
        }
    }

    private int service(Class<?> application, String name, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--sample.data=" + directory,
                "--omega.alpha.addresses=127.0.0.1:" + grpc,
                "--omega.alpha.reconnect-delay-max=500ms",
                "--management.otlp.metrics.export.enabled=false",
                // Only what comes sampled is.
                "--management.tracing.sampling.probability=0",
                "--management.opentelemetry.tracing.export.schedule-delay=100ms",
                "--management.opentelemetry.tracing.export.otlp.endpoint=" + collector.endpoint()));
        arguments.addAll(List.of(more));
        ConfigurableApplicationContext service = new SpringApplicationBuilder(application)
                .properties("spring.config.name=" + name)
                .run(arguments.toArray(String[]::new));
        services.add(service);
        return port(service);
    }

    private static int port(ConfigurableApplicationContext service) {
        return Integer.parseInt(service.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private Node alpha() {
        Command command = AlphaCommand.built()
                .with(
                        "--server.port=" + alphaHttp,
                        "--alpha.grpc.port=" + grpc,
                        "--alpha.cluster.port=" + cluster,
                        "--alpha.repository.embedded.directory=" + directory.resolve("alpha"),
                        "--alpha.saga.callback-first-delay=100ms",
                        "--alpha.saga.start-grace=1s",
                        "--management.otlp.metrics.export.url=" + collector.metricsEndpoint(),
                        "--management.otlp.metrics.export.step=500ms",
                        "--management.opentelemetry.tracing.export.schedule-delay=100ms",
                        "--management.opentelemetry.tracing.export.otlp.endpoint=" + collector.endpoint());
        URI ready = URI.create("http://127.0.0.1:" + alphaHttp + "/actuator/health/readiness");
        return new Node("alpha", command.words(), directory.resolve("alpha.log"), ready, http);
    }
}
