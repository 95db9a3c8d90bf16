package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.net.httpserver.HttpServer;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.SagaId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a cluster in trouble, or of one that somebody has changed. */
@Timeout(600)
final class TroubleTest {
    private static @Nullable ElasticsearchServer server;

    /** Each test has indices of its own. */
    private final String prefix = "t" + UUID.randomUUID();

    private final String sagas = "/" + prefix + "-sagas";

    @BeforeAll
    static void start() {
        // A saga of the largest size does not fit into it, twenty small ones do.
        server = ElasticsearchServer.start(ElasticsearchServer.V8, "indexing_pressure.memory.limit: 1mb");
    }

    @AfterAll
    static void stop() {
        server().close();
    }

    private static ElasticsearchServer server() {
        return Objects.requireNonNull(server);
    }

    private static Curl curl() {
        return new Curl(server().port());
    }

    private SagaRepository repository(int... ports) {
        List<URI> uris = IntStream.of(ports)
                .mapToObj(port -> URI.create("http://127.0.0.1:" + port))
                .toList();
        return new ElasticsearchSagaRepository(
                new ElasticsearchSettings(uris, Optional.empty(), Optional.empty(), prefix, 2, 0));
    }

    private SagaRepository repository() {
        return repository(server().port());
    }

    @Test
    void a_read_only_index_refuses_appends_is_read_and_comes_back_by_itself() {
        try (SagaRepository repository = Patience.opened(repository())) {
            SagaId id = Samples.newId();
            Version version = Samples.appended(repository, Samples.begin(id));
            curl().put(sagas + "/_settings", "{\"index.blocks.read_only_allow_delete\": true}");

            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> repository.append(List.of(Samples.append(id, version, 10))))
                    .withMessageContaining("takes no writes")
                    .withMessageContaining("flood-stage");
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
            assertThat(repository.load(id).version()).isEqualTo(version);

            curl().put(sagas + "/_settings", "{\"index.blocks.read_only_allow_delete\": null}");
            assertThat(repository.check()).isInstanceOf(Health.Up.class);
            Samples.appended(repository, Samples.append(id, version, 10));
        }
    }

    /** Elasticsearch looks at its disks every ten seconds at most. */
    @Test
    @Tag("long")
    void a_disk_at_the_flood_stage_is_an_outage_until_it_has_room_again() {
        try (SagaRepository repository = Patience.opened(repository())) {
            Samples.appended(repository, Samples.begin(Samples.newId()));
            watermarks("\"1000tb\"", "\"10s\"");
            try {
                Awaitility.await()
                        .until(() -> !curl().get(sagas + "/_settings")
                                .findParents("blocks")
                                .isEmpty());
                assertThatExceptionOfType(RepositoryUnavailableException.class)
                        .isThrownBy(() -> repository.append(List.of(Samples.begin(Samples.newId()))))
                        .withMessageContaining("disk");
                assertThat(repository.check()).isInstanceOf(Health.Down.class);
            } finally {
                watermarks("null", "null");
            }
            Awaitility.await().until(() -> repository.check() instanceof Health.Up);
            Samples.appended(repository, Samples.begin(Samples.newId()));
        }
    }

    private static void watermarks(String bytes, String interval) {
        String disk = "cluster.routing.allocation.disk.watermark.";
        curl().put(
                        "/_cluster/settings",
                        "{\"persistent\":{\"%slow\":%s,\"%shigh\":%s,\"%sflood_stage\":%s,\"cluster.info.update.interval\":%s}}"
                                .formatted(disk, bytes, disk, bytes, disk, bytes, interval));
    }

    @Test
    void too_much_work_is_back_pressure_and_not_an_append() {
        try (SagaRepository repository = repository()) {
            SagaId large = Samples.newId();
            SagaId small = Samples.newId();
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(
                            () -> repository.append(List.of(Samples.append(large, Version.NONE, Limits.SAGA_BYTES))))
                    .withMessageContaining("more work than it takes")
                    .withMessageContaining("429");
            assertThat(repository.load(large)).isEqualTo(Loaded.NOTHING);
            Samples.appended(repository, Samples.begin(small));
            assertThat(repository.check()).isInstanceOf(Health.Up.class);
        }
    }

    @Test
    void an_append_whose_answer_is_lost_is_not_sent_again_to_another_node() {
        try (CuttingProxy one = CuttingProxy.to(server().port());
                CuttingProxy two = CuttingProxy.to(server().port());
                SagaRepository repository = Patience.opened(repository(one.port(), two.port()))) {
            one.loseAnswersAfter("/_bulk");
            two.loseAnswersAfter("/_bulk");
            long before = bulkRequests();
            List<SagaId> ids = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                SagaId id = Samples.newId();
                ids.add(id);
                assertThatExceptionOfType(RepositoryUnavailableException.class)
                        .isThrownBy(() -> repository.append(List.of(Samples.begin(id))))
                        .withMessageContaining("does not answer");
            }
            assertThat(bulkRequests() - before)
                    .as("bulk requests that were executed")
                    .isEqualTo(ids.size());

            one.pass();
            two.pass();
            for (SagaId id : ids) assertThat(repository.load(id).events()).hasSize(1);
        }
    }

    private long bulkRequests() {
        return curl().get(sagas + "/_stats/bulk")
                .path("_all")
                .path("primaries")
                .path("bulk")
                .path("total_operations")
                .asLong();
    }

    @Test
    void a_node_that_is_away_costs_no_append_while_another_is_there() {
        int nobody = ServerProcess.freePort();
        try (SagaRepository repository = Patience.opened(repository(nobody, server().port()))) {
            for (int i = 0; i < 10; i++) {
                SagaId id = Samples.newId();
                Version version = Samples.appended(repository, Samples.begin(id));
                assertThat(repository.load(id).version()).isEqualTo(version);
            }
        }
    }

    @Test
    void a_node_in_trouble_costs_one_append_and_is_told_nothing_more_until_it_has_answered_a_question()
            throws IOException {
        AtomicInteger told = new AtomicInteger();
        HttpServer ill = proxy(503, "{}", new AtomicBoolean(true));
        ill.createContext("/" + prefix + "-sagas/_bulk", exchange -> {
            told.incrementAndGet();
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        try (SagaRepository repository =
                Patience.opened(repository(ill.getAddress().getPort(), server().port()))) {
            // Longer than it is avoided, and at times it is its turn.
            Deadline longer = Deadline.in(Duration.ofSeconds(4));
            AtomicInteger failed = new AtomicInteger();
            Awaitility.await().pollInterval(Duration.ofMillis(100)).until(() -> {
                try {
                    Samples.appended(repository, Samples.begin(Samples.newId()));
                } catch (RepositoryUnavailableException e) {
                    failed.incrementAndGet();
                }
                return longer.isOver();
            });
            assertThat(told.get()).isLessThanOrEqualTo(1);
            assertThat(failed.get()).isEqualTo(told.get());
        } finally {
            ill.stop(0);
        }
    }

    @Test
    void reads_go_to_another_node_when_one_does_not_answer() {
        try (CuttingProxy mute = CuttingProxy.to(server().port());
                SagaRepository repository = Patience.opened(repository(mute.port(), server().port()))) {
            SagaId id = Samples.newId();
            Version version = Samples.appended(repository, Samples.begin(id));
            mute.loseAnswers();
            for (int i = 0; i < 4; i++)
                assertThat(repository.load(id).version()).isEqualTo(version);
        }
    }

    @Test
    void several_alphas_that_start_at_once_make_one_index() throws Exception {
        int alphas = 8;
        CyclicBarrier start = new CyclicBarrier(alphas);
        List<SagaRepository> repositories =
                IntStream.range(0, alphas).mapToObj(i -> repository()).toList();
        List<FutureTask<Version>> running = new ArrayList<>();
        for (SagaRepository repository : repositories) {
            FutureTask<Version> task = new FutureTask<>(() -> {
                start.await();
                return Samples.appended(repository, Samples.begin(Samples.newId()));
            });
            Thread.ofVirtual().start(task);
            running.add(task);
        }
        for (FutureTask<Version> task : running)
            assertThat(task.get().sequence()).isOne();
        assertThat(curl().get("/" + prefix + "-*").size()).isOne();
        repositories.forEach(SagaRepository::close);
    }

    @Test
    void a_document_of_another_shape_is_refused_by_the_index() {
        Patience.opened(repository()).close();
        assertThat(curl().post(sagas + "/_doc", "{\"surprise\": 1}")
                        .path("error")
                        .path("type")
                        .asString(""))
                .isEqualTo("strict_dynamic_mapping_exception");
    }

    @Test
    void an_index_of_a_newer_alpha_is_refused() {
        Patience.opened(repository()).close();
        curl().put(sagas + "/_mapping", "{\"_meta\": {\"schema\": 2}}");
        assertRefused("has schema 2, but this alpha knows 1 at most: a newer alpha made it");
    }

    @Test
    void an_index_of_somebody_else_is_refused() {
        curl().put(sagas, "");
        assertRefused("is an index, but alpha expects an alias of that name");
    }

    @Test
    void settings_that_lose_appends_or_hide_due_sagas_are_refused() {
        Patience.opened(repository()).close();
        curl().put(sagas + "/_settings", "{\"index.translog.durability\": \"async\"}");
        assertRefused("index.translog.durability=async");
        curl().put(sagas + "/_settings", "{\"index.translog.durability\": \"request\"}");
        curl().put(sagas + "/_settings", "{\"index.refresh_interval\": \"-1\"}");
        assertRefused("index.refresh_interval=-1");
        curl().put(sagas + "/_settings", "{\"index.refresh_interval\": \"3s\"}");
        try (SagaRepository repository = repository()) {
            assertThat(repository.durability().level()).isEqualTo(Level.POWER_LOSS);
            assertThat(repository.durability().settings())
                    .contains("index.translog.durability=request", "data nodes: 1");
            assertThat(repository.visibilityLag()).isEqualTo(Duration.ofSeconds(4));
        }
    }

    private void assertRefused(String sentence) {
        try (SagaRepository repository = repository()) {
            assertThatIllegalStateException().isThrownBy(repository::durability).withMessageContaining(sentence);
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
        }
    }

    @Test
    void settings_that_somebody_changes_while_alpha_runs_are_noticed() {
        try (SagaRepository repository = Patience.opened(repository())) {
            assertThat(repository.check()).isInstanceOf(Health.Up.class);
            curl().put(sagas + "/_settings", "{\"index.refresh_interval\": \"-1\"}");
            assertThat(repository.check())
                    .isInstanceOfSatisfying(
                            Health.Down.class, down -> assertThat(down.reason()).contains("index.refresh_interval=-1"));
            curl().put(sagas + "/_settings", "{\"index.refresh_interval\": \"1s\"}");
            assertThat(repository.check()).isInstanceOf(Health.Up.class);
        }
    }

    @Test
    void an_index_that_somebody_deleted_is_an_outage_and_not_an_empty_store() {
        try (SagaRepository repository = Patience.opened(repository())) {
            SagaId id = Samples.newId();
            Version version = Samples.appended(repository, Samples.begin(id));
            curl().delete("/" + prefix + "-sagas-1");

            List<Runnable> calls = List.of(
                    () -> repository.load(id),
                    () -> repository.append(List.of(Samples.append(id, version, 1))),
                    () -> repository.append(List.of(Samples.begin(Samples.newId()))),
                    repository::counts);
            for (Runnable call : calls) {
                assertThatExceptionOfType(RepositoryUnavailableException.class)
                        .isThrownBy(call::run)
                        .withMessageContaining("The index is gone");
            }
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
            assertThat(curl().get("/" + prefix + "-*").size())
                    .as("indices that came back")
                    .isZero();
        }
    }

    @Test
    void a_journal_with_a_gap_is_corrupt_and_the_others_go_on() {
        try (SagaRepository repository = Patience.opened(repository())) {
            SagaId damaged = Samples.newId();
            SagaId whole = Samples.newId();
            Version first = Samples.appended(repository, Samples.begin(damaged));
            Samples.appended(repository, Samples.append(damaged, first, 10));
            Samples.appended(repository, Samples.begin(whole));
            curl().post(sagas + "/_update/" + damaged, "{\"doc\": {\"events\": {\"1\": null}}}");

            assertThatExceptionOfType(CorruptJournalException.class)
                    .isThrownBy(() -> repository.load(damaged))
                    .withMessageContaining(damaged.value())
                    .withMessageContaining("event 1");
            assertThat(repository.load(whole).events()).hasSize(1);
            assertThat(repository.append(List.of(Samples.append(damaged, first, 1), Samples.begin(Samples.newId()))))
                    .hasExactlyElementsOfTypes(Conflict.class, Appended.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>Welcome</html>", "{}", "[]", ""})
    void what_is_not_elasticsearch_is_not_an_empty_store(String page) throws IOException {
        AtomicBoolean inBetween = new AtomicBoolean();
        HttpServer proxy = proxy(200, page, inBetween);
        try (SagaRepository repository =
                Patience.opened(repository(proxy.getAddress().getPort()))) {
            SagaId id = Samples.newId();
            Samples.appended(repository, Samples.begin(id));
            inBetween.set(true);

            List<Runnable> calls = List.of(
                    () -> repository.load(id),
                    () -> repository.append(List.of(Samples.begin(Samples.newId()))),
                    () -> repository.find(SagaQuery.ALL, Cursor.START, 1),
                    () -> repository.due(Samples.BEGUN, Cursor.START, 1),
                    repository::counts);
            for (Runnable call : calls) {
                assertThatExceptionOfType(RepositoryUnavailableException.class)
                        .isThrownBy(call::run)
                        .withMessageContaining("not Elasticsearch");
            }
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
        } finally {
            proxy.stop(0);
        }
    }

    /** In front of the server, until it answers everything by that status and page. */
    private static HttpServer proxy(int status, String page, AtomicBoolean inBetween) throws IOException {
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Curl.Reply reply = inBetween.get()
                    ? new Curl.Reply(status, page)
                    : curl().send(
                                    exchange.getRequestMethod(),
                                    exchange.getRequestURI().toString(),
                                    body);
            byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        proxy.start();
        return proxy;
    }

    @Test
    @Tag("long")
    void a_node_that_is_killed_and_started_again_is_found_again() {
        try (SagaRepository repository = Patience.opened(repository())) {
            SagaId id = Samples.newId();
            Version version = Samples.appended(repository, Samples.begin(id));
            server().kill();
            assertThatExceptionOfType(RepositoryUnavailableException.class).isThrownBy(() -> repository.load(id));
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> repository.find(SagaQuery.ALL, Cursor.START, 1));

            server().start();
            Awaitility.await()
                    .ignoreExceptionsInstanceOf(RepositoryUnavailableException.class)
                    .untilAsserted(
                            () -> assertThat(repository.load(id).version()).isEqualTo(version));
        }
    }
}
