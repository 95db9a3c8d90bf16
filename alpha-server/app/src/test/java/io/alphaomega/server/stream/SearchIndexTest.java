package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.Dashboards;
import io.alphaomega.server.Prometheus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real alpha with a real index beside its store: the list is late at times, and right in the end. */
class SearchIndexTest {
    @SuppressWarnings("NullAway.Init") // Before all.
    private static ElasticsearchServer server;

    @TempDir
    private Path directory;

    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    private boolean serverIsAway;

    @BeforeAll
    static void start() {
        server = ElasticsearchServer.start(ElasticsearchServer.V8);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void bringBack() {
        if (serverIsAway) server.start();
        serverIsAway = false;
    }

    @Test
    @Tag("long")
    void sagas_go_on_without_the_index_and_the_list_is_complete_once_it_is_back() {
        takeAway();
        String list;
        try (AlphaProcess alpha = indexed().awaitReady()) {
            run(alpha, "early", 20);
            assertThat(alpha.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
            assertThat(alpha.get("/api/v1/sagas").statusCode()).isEqualTo(503);
            assertThat(alpha.get("/actuator/health").body()).contains("Elasticsearch does not answer");
            bringBack();
            awaitComplete(alpha, 20);

            run(alpha, "before", 10);
            takeAway();
            run(alpha, "meanwhile", 20);
            bringBack();
            run(alpha, "after", 10);
            awaitComplete(alpha, 60);
            awaitAllEnded(alpha);
            list = list(alpha);
            assertThat(alpha.get("/actuator/prometheus").body()).contains("alpha_search_pending 0.0");
            assertThat(alpha.terminate().exitCode(Patience.LIMIT)).isZero();
        }
        assertThat(list).isEqualTo(journalled());
    }

    @Test
    @Tag("long")
    void what_an_alpha_that_was_killed_had_not_told_is_in_the_list_after_its_restart() {
        try (AlphaProcess alpha = indexed().awaitReady();
                TestOmega omega = omega(alpha)) {
            omega.ask(TestOmega.begin(1, "begun-before"));
            run(alpha, "told", 5);
            awaitComplete(alpha, 6);
            takeAway();
            assertThat(omega.ask(TestOmega.end(2, "begun-before", true)).hasCommitted())
                    .isTrue();
            run(alpha, "untold", 10);
            alpha.kill().exitCode(Patience.LIMIT);
        }
        bringBack();
        String list;
        try (AlphaProcess alpha = indexed().awaitReady()) {
            awaitComplete(alpha, 16);
            awaitAllEnded(alpha);
            list = list(alpha);
            assertThat(alpha.terminate().exitCode(Patience.LIMIT)).isZero();
        }
        assertThat(list).isEqualTo(journalled());
    }

    @Test
    @Tag("long")
    void the_index_is_filled_from_a_store_that_was_there_before_it_and_again_by_order() throws IOException {
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            run(alpha, "old", 10);
            assertThat(alpha.get("/api/v1/search").statusCode()).isEqualTo(409);
            assertThat(alpha.terminate().exitCode(Patience.LIMIT)).isZero();
        }
        try (AlphaProcess alpha = indexed().awaitReady()) {
            awaitComplete(alpha, 10);
            String before = list(alpha);
            run(alpha, "new", 5);

            HttpResponse<String> ordered = rebuild(alpha);
            assertThat(ordered.statusCode()).isEqualTo(202);
            assertThat(ordered.body()).contains("\"complete\":false");
            awaitComplete(alpha, 15);
            assertThat(list(alpha)).contains("old-1").isNotEqualTo(before);
            assertThat(alpha.out()).contains("ann orders that the search index is emptied and filled again: drill");
            dashboardsShow(alpha);
        }
    }

    private void dashboardsShow(AlphaProcess alpha) throws IOException {
        List<Dashboards.Query> queries = Dashboards.queries().stream()
                .filter(Dashboards.Query::isOfSearch)
                .toList();
        assertThat(queries).isNotEmpty();
        try (Prometheus prometheus = new Prometheus(directory, List.of(alpha.httpAddress()))) {
            await().untilAsserted(() -> assertThat(queries)
                    .allSatisfy(query ->
                            assertThat(prometheus.series(query.toAsk())).isPositive()));
        }
    }

    private AlphaProcess indexed() {
        return AlphaProcess.start(
                directory,
                "--alpha.search.type=elasticsearch",
                "--alpha.search.elasticsearch.uris=http://127.0.0.1:" + server.port(),
                "--alpha.search.elasticsearch.index-prefix=" + prefix,
                "--alpha.search.elasticsearch.replicas=0");
    }

    private void takeAway() {
        server.kill();
        serverIsAway = true;
    }

    /** What the store itself says. */
    private String journalled() {
        try (AlphaProcess alpha = AlphaProcess.start(directory).awaitReady()) {
            return list(alpha);
        }
    }

    private static String list(AlphaProcess alpha) {
        return alpha.get("/api/v1/sagas?limit=1000").body();
    }

    private static void awaitComplete(AlphaProcess alpha, int sagas) {
        await().untilAsserted(() -> assertThat(alpha.get("/api/v1/search").body())
                .contains(
                        "\"complete\":true",
                        "\"stored\":" + sagas + ",",
                        "\"indexed\":" + sagas + ",",
                        "\"pending\":0"));
    }

    /** Elasticsearch shows what it was told last when it refreshes the index, within a second. */
    private static void awaitAllEnded(AlphaProcess alpha) {
        await().until(() -> !list(alpha).contains("ACTIVE"));
    }

    private static void run(AlphaProcess alpha, String name, int sagas) {
        try (TestOmega omega = omega(alpha)) {
            for (int i = 0; i < sagas; i++) {
                String saga = name + "-" + i;
                assertThat(omega.ask(TestOmega.begin(1, saga)).hasAccepted()).isTrue();
                omega.run(saga, "room");
                assertThat(omega.ask(TestOmega.end(1, saga, true)).hasCommitted())
                        .isTrue();
            }
        }
    }

    private static TestOmega omega(AlphaProcess alpha) {
        return TestOmega.welcomed(URI.create("grpc://" + alpha.grpcAddress()).getPort(), "hotel", "hotel-1");
    }

    private static HttpResponse<String> rebuild(AlphaProcess alpha) {
        HttpRequest order = HttpRequest.newBuilder(
                        URI.create("http://" + alpha.httpAddress() + "/api/v1/search/rebuild"))
                .header("Content-Type", "application/json")
                .header("X-Operator", "ann")
                .POST(HttpRequest.BodyPublishers.ofString("{\"reason\": \"drill\"}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(order, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
