package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Checkpoint;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Entry;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.saga.SagaId;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Timeout(600)
final class ElasticsearchSagaIndexTest {
    /** What a busy machine adds to the lag that the index declares. */
    private static final Duration BUSY = Duration.ofSeconds(30);

    private static final Instant ENDED = Instant.parse("1971-01-01T00:00:00Z");

    private static @Nullable ElasticsearchServer server;

    private CuttingProxy network = CuttingProxy.to(server().port());
    private ElasticsearchSagaIndex index = new ElasticsearchSagaIndex(ElasticsearchStore.settings(network.port()));

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

    /** A busy machine makes no index within the time that one operation has. */
    @BeforeEach
    void begin_with_nothing() {
        Awaitility.await()
                .ignoreExceptionsInstanceOf(RepositoryUnavailableException.class)
                .until(() -> {
                    index.clear();
                    return true;
                });
    }

    @AfterEach
    void close() {
        index.close();
        network.close();
    }

    @Test
    void what_was_put_is_found_and_counted() {
        SagaSummary active = Samples.active(Samples.newId());
        SagaSummary suspended =
                Samples.summary(Samples.newId(), State.SUSPENDED, "Hotel nimmt keine BUCHUNG zurück", Optional.empty());
        index.put(List.of(new Entry(active, 3), new Entry(suspended, 7)));

        shows(active, suspended);
        assertThat(found(text("buchung ZUR"))).containsExactly(suspended);
        assertThat(index.counts().in(State.SUSPENDED)).isOne();
        assertThat(index.counts().in(State.ACTIVE)).isOne();
    }

    @Test
    void repeated_and_reordered_writes_leave_the_newest() {
        SagaId id = Samples.newId();
        List<Entry> entries = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> new Entry(Samples.summary(id, State.ACTIVE, "after " + i, Optional.empty()), i))
                .toList();
        index.put(List.of(entries.get(1), entries.get(3), entries.get(0)));
        index.put(List.of(entries.get(2)));
        index.put(List.of(entries.get(4)));
        index.put(List.of(entries.get(4)));
        index.put(List.of(entries.get(3), entries.get(0)));

        shows(entries.get(4).summary());
    }

    @Test
    void more_than_fits_into_one_request_is_put() {
        List<Entry> entries = Stream.generate(() -> new Entry(Samples.active(Samples.newId()), 1))
                .limit(2_500)
                .toList();
        index.put(entries);

        Awaitility.await()
                .untilAsserted(() -> assertThat(index.counts().in(State.ACTIVE)).isEqualTo(2_500));
    }

    @Test
    void what_was_purged_stays_away_when_an_older_write_comes_late() {
        SagaSummary ended = Samples.summary(Samples.newId(), State.COMMITTED, "", Optional.of(ENDED));
        SagaSummary kept = Samples.summary(Samples.newId(), State.SUSPENDED, "", Optional.of(ENDED));
        index.put(List.of(new Entry(ended, 9), new Entry(kept, 9)));
        assertThat(index.purge(ENDED, 10)).isZero();
        assertThat(index.purge(ENDED.plusMillis(1), 10)).isEqualTo(1);
        index.put(List.of(new Entry(Samples.active(ended.id()), 8)));

        shows(kept);
        assertThat(index.purge(ENDED.plusMillis(1), 10)).isZero();
    }

    @Test
    void each_node_has_one_checkpoint_until_it_is_removed() {
        index.checkpoint("a:8070", ENDED, ENDED.plusSeconds(1));
        index.checkpoint("b:8070", ENDED, ENDED.plusSeconds(2));
        index.checkpoint("a:8070", ENDED.plusSeconds(5), ENDED.plusSeconds(6));
        Checkpoint a = new Checkpoint("a:8070", ENDED.plusSeconds(5), ENDED.plusSeconds(6));
        Checkpoint b = new Checkpoint("b:8070", ENDED, ENDED.plusSeconds(2));
        assertThat(index.checkpoints()).containsExactlyInAnyOrder(a, b);

        index.removeCheckpoint("b:8070");
        index.removeCheckpoint("c:8070");
        assertThat(index.checkpoints()).containsExactly(a);
    }

    @Test
    void a_cleared_index_is_complete_up_to_no_time_and_takes_what_it_had_before() {
        SagaSummary saga = Samples.active(Samples.newId());
        index.put(List.of(new Entry(saga, 3)));
        index.checkpoint("a:8070", ENDED, ENDED);
        index.clear();
        assertThat(index.checkpoints()).isEmpty();
        assertThat(found(SagaQuery.ALL)).isEmpty();

        index.put(List.of(new Entry(saga, 1)));
        shows(saga);
        JsonNode settings = new Curl(server().port()).get("/alpha-search/_settings");
        assertThat(settings.at("/alpha-search-1/settings/index/sort").toString())
                .as("its segments are in the order of the list")
                .contains("begunAt", "id", "desc");
    }

    @Test
    void an_index_that_somebody_deleted_is_made_anew_and_is_complete_up_to_no_time() {
        SagaSummary saga = Samples.active(Samples.newId());
        index.put(List.of(new Entry(saga, 3)));
        index.checkpoint("a:8070", ENDED, ENDED);
        new Curl(server().port()).delete("/alpha-search-1");
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> index.put(List.of(new Entry(saga, 3))))
                .withMessageContaining("made anew");

        index.put(List.of(new Entry(saga, 3)));
        shows(saga);
        assertThat(index.checkpoints()).isEmpty();
    }

    @Test
    void an_index_of_an_earlier_alpha_gets_the_fields_that_it_lacks_and_what_it_has_is_found_all_the_same() {
        SagaSummary old =
                Samples.summary(Samples.newId(), State.COMMITTED, "", Optional.of(Samples.BEGUN.plusMillis(5)));
        makeAsAnEarlierAlpha(new Curl(server().port()), old);
        try (ElasticsearchSagaIndex upgraded =
                new ElasticsearchSagaIndex(ElasticsearchStore.settings(network.port()))) {
            SagaSummary put = Samples.marked(Samples.newId());
            upgraded.put(List.of(new Entry(put, 3)));
            shows(old, put);
        }
        SagaQuery asBoth = SagaQuery.ALL
                .operation(old.operation())
                .businessKey(old.businessKey())
                .changedSince(old.updatedAt());

        assertThat(found(asBoth)).hasSize(2);
        assertThat(found(asBoth.attribute(new Attribute("tenant", "acme"))))
                .as("what an earlier alpha has written has no attributes")
                .extracting(SagaSummary::orderedAt)
                .containsExactly(Optional.of(Samples.BEGUN));
        assertThat(found(asBoth.lasting(Duration.ofMillis(5), Samples.BEGUN))).containsExactly(old);
        for (SagaQuery none : List.of(
                SagaQuery.ALL.operation("another"),
                SagaQuery.ALL.businessKey("another"),
                SagaQuery.ALL.changedSince(old.updatedAt().plusMillis(1)),
                SagaQuery.ALL.lasting(Duration.ofMillis(6), Samples.BEGUN))) {
            assertThat(found(none)).as("%s", none).isEmpty();
        }
    }

    private static void makeAsAnEarlierAlpha(Curl curl, SagaSummary saga) {
        ObjectNode mappings = Json.resource("saga.json");
        ObjectNode fields = (ObjectNode) mappings.get("properties");
        for (String later : List.of("tookMillis", "attributes", "orderedAt")) fields.remove(later);
        fields.values().forEach(field -> ((ObjectNode) field).remove("fields"));
        mappings.putObject("_meta").put("schema", Index.SCHEMA);
        ObjectNode made = Json.object();
        made.set("mappings", mappings);
        made.putObject("aliases").putObject("alpha-search");
        curl.delete("/alpha-search-1");
        curl.delete("/_index_template/alpha-search");
        curl.put("/alpha-search-1", made.toString());
        StringWriter written = new StringWriter();
        try (JsonGenerator json = Json.MAPPER.createGenerator(written)) {
            json.writeStartObject();
            SummaryFields.write(json, saga);
            json.writeNumberProperty("sequence", 3);
            json.writeEndObject();
        }
        ObjectNode document = (ObjectNode) Json.MAPPER.readTree(written.toString());
        document.remove("tookMillis");
        String path = "/alpha-search-1/_doc/%s?version=3&version_type=external".formatted(saga.id());
        assertThat(curl.put(path, document.toString()).path("result").asString(""))
                .isEqualTo("created");
    }

    @Test
    void a_rebuild_whose_answer_is_lost_leaves_an_index_that_works() {
        SagaSummary saga = Samples.active(Samples.newId());
        index.checkpoint("a:8070", ENDED, ENDED);
        network.loseAnswersAfter("DELETE /alpha-search-");
        assertThatExceptionOfType(RepositoryUnavailableException.class).isThrownBy(index::clear);
        network.pass();
        index.put(List.of(new Entry(saga, 1)));
        shows(saga);
        assertThat(index.checkpoints()).isEmpty();
    }

    @Test
    void an_outage_costs_an_exception_and_is_over_when_it_is_over() {
        network.refuse();
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> index.put(List.of(new Entry(Samples.active(Samples.newId()), 1))));
        assertThatExceptionOfType(RepositoryUnavailableException.class).isThrownBy(() -> index.counts());
        assertThat(index.check()).isInstanceOf(Health.Down.class);

        network.pass();
        assertThat(index.check()).isInstanceOf(Health.Up.class);
        index.put(List.of(new Entry(Samples.active(Samples.newId()), 1)));
    }

    private void shows(SagaSummary... expected) {
        Awaitility.await()
                .atMost(index.visibilityLag().plus(BUSY))
                .untilAsserted(() -> assertThat(found(SagaQuery.ALL)).containsExactlyInAnyOrder(expected));
    }

    private List<SagaSummary> found(SagaQuery query) {
        List<SagaSummary> all = new ArrayList<>();
        Optional<Cursor> cursor = Optional.of(Cursor.START);
        while (cursor.isPresent()) {
            var page = index.find(query, cursor.get(), 2);
            all.addAll(page.items());
            cursor = page.next();
        }
        return all;
    }

    private static SagaQuery text(String text) {
        return SagaQuery.ALL.text(text);
    }
}
