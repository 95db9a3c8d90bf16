package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.server.queries.SagaRow;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.parser.OpenAPIV3Parser;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** docs/openapi.yaml is what a running alpha can do, and what it says fits. {@code -Drewrite} makes the document anew. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "alpha.grpc.port=0",
            "alpha.cluster.port=0",
            "server.tomcat.connection-timeout=3s",
            "springdoc.api-docs.enabled=true",
            "springdoc.api-docs.path=/springdoc",
            "springdoc.paths-to-match=/api/v1,/api/v1/**",
            "springdoc.default-produces-media-type=application/json",
            "springdoc.override-with-generic-response=false"
        })
@ExtendWith(OutputCaptureExtension.class)
class ApiTest {
    private static final Path DOC = Path.of("../../docs/openapi.yaml");
    private static final Path PAGES = Path.of("src/main/jte");
    private static final Path SCRIPT = Path.of("src/main/resources/static/console/console.js");
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    private static Path directory;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String id = UUID.randomUUID().toString();

    @Autowired
    private SagaRepository repository;

    @Autowired
    @Qualifier("requestMappingHandlerMapping")
    private RequestMappingHandlerMapping mapping;

    @Autowired
    private Clock clock;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void store(DynamicPropertyRegistry properties) {
        properties.add(
                "alpha.repository.embedded.directory",
                () -> directory.resolve("data").toString());
    }

    /** What streams say, and orders where their type is open: no controller names it. */
    private static List<Class<?>> unnamed() {
        try {
            List<Class<?>> all = new ArrayList<>(List.of(BulkController.DryRun.class, BulkController.BulkRow.class));
            for (String name : List.of("Overview", "SagaChange", "StreamEnd")) {
                all.add(Class.forName("io.alphaomega.server.changes." + name));
            }
            return all;
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @TestConfiguration
    static class Setting {
        /** The system keeps 1.7 MB for a reader that does not read; here it shall show sooner. */
        @Bean
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> smallBuffers() {
            return factory ->
                    factory.addConnectorCustomizers(connector -> connector.setProperty("socket.txBufSize", "4096"));
        }

        @Bean
        OpenApiCustomizer unnamedToo() {
            return document -> unnamed()
                    .forEach(type -> ModelConverters.getInstance(true)
                            .resolveAsResolvedSchema(new AnnotatedType(type))
                            .referencedSchemas
                            .forEach(document.getComponents()::addSchemas));
        }
    }

    /** By method and path, as Spring has them. */
    private Map<String, HandlerMethod> handlers() {
        Map<String, HandlerMethod> handlers = new TreeMap<>();
        mapping.getHandlerMethods().forEach((route, handler) -> {
            for (RequestMethod method : route.getMethodsCondition().getMethods()) {
                for (String path : route.getPatternValues()) {
                    if (!path.equals("/api/v1") && !path.startsWith("/api/v1/")) continue;
                    handlers.put(method.name().toLowerCase(Locale.ROOT) + " " + path, handler);
                }
            }
        });
        return handlers;
    }

    @Test
    void the_document_has_every_route_as_the_code_has_it_and_alpha_serves_it() throws Exception {
        Map<String, HandlerMethod> handlers = handlers();
        ObjectNode made =
                ApiDocument.of((ObjectNode) JSON.readTree(get("/springdoc").body()), handlers, unnamed());
        String yaml = ApiDocument.yaml(made);
        if (System.getProperty("rewrite") != null) Files.writeString(DOC, yaml);

        assertThat(DOC)
                .as("docs/openapi.yaml is stale: run this test with -Drewrite, and build again")
                .content(StandardCharsets.UTF_8)
                .isEqualTo(yaml);
        assertThat(routes(made)).isEqualTo(handlers.keySet());
        assertThat(get("/api/v1/openapi.yaml").body()).isEqualTo(ApiSchemas.yaml());
        assertThat(JSON.readTree(get("/api/v1/openapi.json").body()))
                .isEqualTo(ApiSchemas.built().document());
    }

    private static Set<String> routes(JsonNode document) {
        Set<String> routes = new TreeSet<>();
        document.path("paths")
                .properties()
                .forEach(path ->
                        path.getValue().propertyNames().forEach(method -> routes.add(method + " " + path.getKey())));
        return routes;
    }

    @Test
    void the_document_is_valid_and_says_of_everything_what_it_means() throws Exception {
        JsonNode document = ApiSchemas.built().document();

        assertThat(new OpenAPIV3Parser()
                        .readContents(ApiSchemas.yaml(), null, null)
                        .getMessages())
                .isEmpty();
        assertThat(ApiSchemas.withoutDescription(document)).isEmpty();
        assertThat(document.at("/components/schemas/Problem/properties/reason/enum"))
                .extracting(JsonNode::asString)
                .contains(SagaRow.JOURNAL_UNREADABLE)
                .containsAll(
                        Stream.of(ApiProblems.reasons()).map(Object::toString).toList());
    }

    @Test
    void everything_that_the_console_orders_is_a_route_of_the_document() throws IOException {
        JsonNode document = ApiSchemas.built().document();
        StringBuilder pages = new StringBuilder(Files.readString(SCRIPT));
        try (var files = Files.list(PAGES)) {
            for (Path page : files.sorted().toList()) pages.append(Files.readString(page));
        }
        List<String> orders = found("data-order=\"(\\w+)\"", pages);
        List<String> asked = found("['\"`](/api/v1[^'\"`]*)['\"`]", pages);

        assertThat(orders).contains("retry", "skip", "resolve", "abort");
        assertThat(asked).hasSizeGreaterThan(3);
        for (String path : asked) {
            for (String order : path.contains(".order}") ? orders : List.of("")) {
                String template = path.replaceAll("\\$\\{[^}]*\\.order}", order)
                        .replaceAll("\\$\\{[^}]*}", "{id}")
                        .replaceAll("[?#].*", "");
                assertThat(document.path("paths").propertyNames()).contains(template);
            }
        }
    }

    private static List<String> found(String pattern, CharSequence text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .distinct()
                .toList();
    }

    @Test
    void what_alpha_answers_fits_the_document() throws Exception {
        ApiSchemas schemas = ApiSchemas.built();
        new WrittenSaga(repository, id, clock.instant()).suspended("trip");
        String done = id + "-done";
        new WrittenSaga(repository, done, clock.instant())
                .begun("trip")
                .began("hotel", "hotel")
                .ended("hotel")
                .committed();
        await().until(() -> get("/api/v1/stuck").body().contains(id));

        for (String path : List.of(
                "/api/v1", "/api/v1/sagas", "/api/v1/counts", "/api/v1/stuck", "/api/v1/services", "/api/v1/nodes")) {
            schemas.assertFits("get", path, get(path));
        }
        for (String saga : List.of(id, done)) {
            assertThat(schemas.fits("get", "/api/v1/sagas/{id}", get("/api/v1/sagas/" + saga)))
                    .isEqualTo(200);
        }
        String[] runbook = JSON.readTree(get("/api/v1/sagas/" + id).body())
                .at("/suspension/runbook")
                .asString()
                .split("#", 2);
        assertThat(get(runbook[0]).body()).contains("id=\"" + runbook[1] + "\"");
        assertThat(schemas.fits("get", "/api/v1/sagas/{id}", get("/api/v1/sagas/nobody")))
                .isEqualTo(404);
        assertThat(schemas.fits("get", "/api/v1/sagas", get("/api/v1/sagas?limit=0")))
                .isEqualTo(400);
        assertThat(schemas.fits("get", "/api/v1/search", get("/api/v1/search"))).isEqualTo(409);
        String bulk = "{\"order\":\"RETRY\",\"reason\":\"r\",\"stuck\":\"FAILING\",\"dryRun\":%s}";
        assertThat(schemas.fits("post", "/api/v1/bulk-orders", post("/api/v1/bulk-orders", bulk.formatted(true))))
                .isEqualTo(200);
        String counted = ",\"expect\":0,\"before\":\"%s\"}".formatted(clock.instant());
        await().until(() -> JSON.readTree(post(
                                        "/api/v1/bulk-orders",
                                        "{\"order\":\"SKIP\",\"detail\":\"UNDECODABLE\",\"dryRun\":true}")
                                .body())
                        .path("count")
                        .asInt(0)
                > 0);
        for (var body : Map.of(
                        "{\"order\":\"ABORT\",\"reason\":\"r\",\"operation\":\"nothing\",\"dryRun\":true}",
                        200,
                        "{\"order\":\"ABORT\",\"reason\":\"r\",\"operation\":\"nothing\",\"expect\":0}",
                        400,
                        "{\"order\":\"ABORT\",\"reason\":\"r\",\"operation\":\"nothing\"" + counted,
                        202,
                        "{\"order\":\"SKIP\",\"reason\":\"r\",\"detail\":\"UNDECODABLE\"" + counted,
                        409)
                .entrySet()) {
            assertThat(schemas.fits("post", "/api/v1/bulk-orders", post("/api/v1/bulk-orders", body.getKey())))
                    .isEqualTo(body.getValue());
        }
        HttpResponse<String> ordered = post("/api/v1/bulk-orders", bulk.formatted(false));
        assertThat(schemas.fits("post", "/api/v1/bulk-orders", ordered)).isEqualTo(202);
        String one = "/api/v1/bulk-orders/"
                + JSON.readTree(ordered.body()).path("id").asString();
        schemas.assertFits("get", "/api/v1/bulk-orders", get("/api/v1/bulk-orders"));
        schemas.assertFits("get", "/api/v1/bulk-orders/{id}", get(one));
        HttpResponse<String> cancelled = post(one + "/cancel", "{}");
        schemas.assertFits("post", "/api/v1/bulk-orders/{id}/cancel", cancelled);
        assertThat(cancelled.body()).contains("\"state\":\"CANCELLED\"");
        String retry = "/api/v1/sagas/{id}/retry";
        for (var body : Map.of(
                        "{\"reason\":\"r\",\"sequence\":1}",
                        409,
                        "{\"reason\":\"r\"}",
                        200,
                        "{}",
                        400,
                        "{\"x\":1}",
                        400)
                .entrySet()) {
            assertThat(schemas.fits("post", retry, post("/api/v1/sagas/" + id + "/retry", body.getKey())))
                    .isEqualTo(body.getValue());
        }
    }

    @Test
    void the_numbers_of_the_cluster_come_every_two_seconds() throws Exception {
        HttpResponse<InputStream> answer = open("/api/v1/changes", 0);

        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
        try (Events events = new Events(answer.body())) {
            Events.Event first = events.next().orElseThrow();
            Events.Event second = events.next().orElseThrow();
            assertThat(List.of(first.name(), second.name())).containsOnly("overview");
            ApiSchemas.built().assertFits("#/components/schemas/Overview", first.data());
            assertThat(Instant.parse(second.json().path("at").asString()))
                    .isAfter(Instant.parse(first.json().path("at").asString()));
        }
    }

    @Test
    void a_saga_is_followed_to_its_end_and_nothing_is_left_out() throws Exception {
        WrittenSaga saga = new WrittenSaga(repository, id, clock.instant()).begun("trip");
        List<Events.Event> seen = new ArrayList<>();
        try (Events events =
                new Events(open("/api/v1/sagas/" + id + "/changes", 0).body())) {
            seen.add(events.next().orElseThrow());
            saga.began("hotel", "hotel").ended("hotel").committed();
            for (var next = events.next(); next.isPresent(); next = events.next()) seen.add(next.get());
        }

        Events.Event end = seen.removeLast();
        assertThat(end.name()).isEqualTo("end");
        assertThat(end.json().path("reason").asString()).isEqualTo("SAGA_ENDED");
        ApiSchemas.built().assertFits("#/components/schemas/StreamEnd", end.data());
        List<Long> sequences = new ArrayList<>();
        for (Events.Event event : seen) {
            assertThat(event.name()).isEqualTo("saga");
            ApiSchemas.built().assertFits("#/components/schemas/SagaChange", event.data());
            event.json()
                    .path("history")
                    .forEach(entry -> sequences.add(entry.path("sequence").asLong()));
            assertThat(event.id()).isEqualTo(sequences.getLast().toString());
        }
        assertThat(sequences)
                .isEqualTo(LongStream.rangeClosed(1, saga.sequence()).boxed().toList());
        assertThat(seen.getLast().json().path("state").asString()).isEqualTo("COMMITTED");

        try (Events again = new Events(
                open("/api/v1/sagas/" + id + "/changes", saga.sequence() - 1).body())) {
            assertThat(again.next().orElseThrow().json().path("history").size()).isEqualTo(1);
        }
    }

    @Test
    void a_stream_that_cannot_begin_is_answered_with_a_problem() throws Exception {
        String template = "/api/v1/sagas/{id}/changes";
        ApiSchemas schemas = ApiSchemas.built();

        assertThat(schemas.fits("get", template, open("/api/v1/sagas/nobody/changes", 0)))
                .isEqualTo(404);
        assertThat(schemas.fits("get", template, open("/api/v1/sagas/" + id + "/changes", -1)))
                .isEqualTo(400);
    }

    @Test
    void more_streams_than_allowed_are_refused_until_others_have_gone() throws Exception {
        List<Events> open = new ArrayList<>();
        HttpResponse<InputStream> refused = open("/api/v1/changes", 0);
        while (refused.statusCode() == 200) {
            open.add(new Events(refused.body()));
            assertThat(open).hasSizeLessThanOrEqualTo(100);
            refused = open("/api/v1/changes", 0);
        }

        assertThat(open).hasSizeGreaterThan(90); // Others may not have gone yet.
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(ApiSchemas.built().fits("get", "/api/v1/changes", refused)).isEqualTo(503);
        open.forEach(Events::close);
        await().until(() -> {
            HttpResponse<InputStream> answer = open("/api/v1/changes", 0);
            answer.body().close();
            return answer.statusCode() == 200;
        });
    }

    @Test
    void a_reader_that_does_not_read_is_cut_off(CapturedOutput log) throws Exception {
        WrittenSaga saga = new WrittenSaga(repository, id, clock.instant()).begun("trip");
        for (int i = 0; i < 300; i++) saga.began("branch-" + i, "hotel".repeat(50));
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(1);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream()
                    .write("GET /api/v1/sagas/%s/changes HTTP/1.1\r\nHost: alpha\r\n\r\n"
                            .formatted(id)
                            .getBytes(StandardCharsets.US_ASCII));

            await().untilAsserted(() -> assertThat(log.getOut())
                    .contains("A reader of /api/v1/sagas/" + id + "/changes has not read for too long"));
        }
    }

    /** @param lastEventId 0 for none */
    private HttpResponse<InputStream> open(String path, long lastEventId) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).header("Accept", "text/event-stream");
        if (lastEventId != 0) request.header("Last-Event-ID", Long.toString(lastEventId));
        return http.send(request.build(), BodyHandlers.ofInputStream());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }
}
