package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.Patience;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** The figures of docs/internals/measurements/stores.md, counted by the server and on the wire. */
@Tag("long")
@Timeout(600)
final class CostTest {
    private static final int SAGAS = 64;
    private static final int APPENDS = 8;

    private static @Nullable ElasticsearchServer server;

    private final String run = UUID.randomUUID().toString();
    private final CuttingProxy network = CuttingProxy.to(server().port());
    private final SagaRepository repository =
            Patience.opened(new ElasticsearchSagaRepository(ElasticsearchStore.settings(network.port())));

    private Cost before = new Cost(0, 0, 0, 0, 0, 0);

    private record Cost(long roundTrips, long bytes, long bulks, long written, long got, long searched) {
        Cost minus(Cost that) {
            return new Cost(
                    roundTrips - that.roundTrips,
                    bytes - that.bytes,
                    bulks - that.bulks,
                    written - that.written,
                    got - that.got,
                    searched - that.searched);
        }
    }

    @BeforeAll
    static void start() {
        server = ElasticsearchServer.start(ElasticsearchServer.V8);
    }

    @AfterAll
    static void stop() {
        server().close();
    }

    private static ElasticsearchServer server() {
        return Objects.requireNonNull(server);
    }

    @BeforeEach
    void open() {
        repository.durability();
        before = cost();
    }

    @AfterEach
    void close() {
        repository.close();
        network.close();
    }

    private Cost cost() {
        JsonNode all = new Curl(server().port())
                .get("/alpha-sagas/_stats")
                .path("_all")
                .path("primaries");
        return new Cost(
                network.roundTrips(),
                network.requestBytes(),
                all.path("bulk").path("total_operations").asLong(),
                all.path("indexing").path("index_total").asLong(),
                all.path("get").path("total").asLong(),
                all.path("search").path("query_total").asLong());
    }

    private Cost since() {
        return cost().minus(before);
    }

    private List<Append> begins(int sagas) {
        return IntStream.range(0, sagas)
                .mapToObj(i -> Ledger.item(run + "-" + i, Version.NONE, 1))
                .toList();
    }

    @Test
    void a_batch_is_one_request_and_each_of_its_appends_one_write() {
        List<Append> batch = begins(SAGAS);
        for (int append = 0; append < APPENDS; append++) {
            List<Append> next = new ArrayList<>();
            var results = repository.append(batch);
            for (int i = 0; i < SAGAS; i++) {
                Version version = ((Appended) results.get(i)).version();
                next.add(Ledger.item(batch.get(i).id().value(), version, 1));
            }
            batch = next;
        }
        Cost cost = since();
        System.out.printf(
                "== %d appends of 1 event of 200 bytes in batches of %d: %s, %d bytes sent per append%n",
                SAGAS * APPENDS, SAGAS, cost, cost.bytes() / (SAGAS * APPENDS));

        assertThat(cost.roundTrips()).isEqualTo(APPENDS);
        assertThat(cost.bulks()).isEqualTo(APPENDS);
        assertThat(cost.written()).isEqualTo(SAGAS * APPENDS);
        assertThat(cost.got())
                .as("whoever wrote a journal last need not have it merged")
                .isZero();
        assertThat(cost.searched()).isZero();
    }

    @Test
    void an_append_to_what_another_alpha_wrote_is_merged_by_the_node() {
        Append begin = begins(1).getFirst();
        Version version = ((Appended) repository.append(List.of(begin)).getFirst()).version();
        try (SagaRepository other = new ElasticsearchSagaRepository(ElasticsearchStore.settings(network.port()))) {
            for (int append = 2; append <= 3; append++) version = append(other, begin, version);
            before = cost();
            version = append(other, begin, version);
            assertThat(since().got()).as("it has never seen the first event").isEqualTo(1);
            append(repository, begin, version);
            assertThat(repository.load(begin.id()).events())
                    .isEqualTo(other.load(begin.id()).events())
                    .hasSize(5)
                    .doesNotHaveDuplicates()
                    .allMatch(StoredEvent::isIntact);
        }
    }

    private static Version append(SagaRepository to, Append begin, Version version) {
        Append next = Ledger.item(begin.id().value(), version, 1);
        return ((Appended) to.append(List.of(next)).getFirst()).version();
    }

    @Test
    void losers_cost_one_more_request_however_many_they_are() {
        List<Append> batch = begins(SAGAS);
        repository.append(batch);
        before = cost();
        assertThat(repository.append(batch)).allMatch(Conflict.class::isInstance);

        assertThat(since().roundTrips()).isEqualTo(2);
        assertThat(since().got()).isEqualTo(SAGAS);
    }

    @Test
    void a_load_is_one_get() {
        Append append = begins(1).getFirst();
        repository.append(List.of(append));
        before = cost();
        assertThat(repository.load(append.id()).events()).hasSize(1);

        assertThat(since())
                .extracting(Cost::roundTrips, Cost::got, Cost::searched)
                .containsExactly(1L, 1L, 0L);
    }

    @Test
    void a_page_is_one_search() {
        repository.append(begins(SAGAS));
        await().until(() ->
                repository.find(SagaQuery.ALL, Cursor.START, 11).items().size() > 10);
        before = cost();
        repository.find(SagaQuery.ALL, Cursor.START, 10);
        repository.due(Instant.EPOCH, Cursor.START, 10);
        repository.counts();

        assertThat(since().roundTrips()).isEqualTo(3);
        assertThat(since().got()).isZero();
    }

    /** The newest few are not looked for among all that match, and none is missed or comes twice over the pages. */
    @Test
    void a_list_searches_the_last_minute_first_and_then_more_and_more() {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
        List<Duration> ages = List.of(
                Duration.ofHours(-1),
                Duration.ofSeconds(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(20),
                Duration.ofHours(3),
                Duration.ofDays(3),
                Duration.ofDays(60),
                Duration.ofDays(70));
        String service = "aged-" + run;
        repository.append(
                ages.stream().map(age -> begunAt(now.minus(age), service)).toList());
        SagaQuery query = SagaQuery.ALL.of(service);
        await().until(() -> repository.find(query, Cursor.START, 10).items().size() == ages.size());

        before = cost();
        Page<SagaSummary> first = repository.find(query, Cursor.START, 1);
        assertThat(since().roundTrips()).isEqualTo(1);
        Page<SagaSummary> second = repository.find(query, first.next().orElseThrow(), 3);
        assertThat(since().roundTrips()).isEqualTo(1 + 3);
        Page<SagaSummary> rest = repository.find(query, second.next().orElseThrow(), 10);
        assertThat(since().roundTrips()).isEqualTo(4 + 5);

        assertThat(rest.next()).isEmpty();
        assertThat(Stream.of(first, second, rest)
                        .flatMap(page -> page.items().stream())
                        .map(SagaSummary::begunAt))
                .containsExactlyElementsOf(ages.stream().map(now::minus).toList());

        before = cost();
        assertThat(repository
                        .find(query.from(now.minus(Duration.ofMinutes(40))), Cursor.START, 10)
                        .items())
                .hasSize(4);
        assertThat(since().roundTrips()).isEqualTo(3);
        assertThat(repository
                        .find(query.to(now.minus(Duration.ofDays(50))), Cursor.START, 1)
                        .items())
                .singleElement()
                .satisfies(saga -> assertThat(saga.begunAt()).isEqualTo(now.minus(Duration.ofDays(60))));
    }

    private static Append begunAt(Instant time, String service) {
        SagaSummary any = Samples.active(Samples.newId());
        SagaSummary saga = new SagaSummary(
                any.id(),
                any.state(),
                any.service(),
                any.operation(),
                any.businessKey(),
                Set.of(service),
                any.branches(),
                any.reason(),
                any.manual(),
                time,
                time,
                any.endedAt(),
                any.wakeUpAt(),
                any.attributes(),
                any.orderedAt());
        return new Append(saga.id(), Version.NONE, List.of(StoredEvent.of("saga.begun.v1", new byte[10])), saga);
    }
}
