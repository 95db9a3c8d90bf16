package io.alphaomega.server.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.repository.elasticsearch.ElasticsearchSettings;
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.http.WrittenSaga;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The parts that keep an index in step with a journal, on a real Elasticsearch that is away when a test says so. */
class IndexingTest {
    private static final int ROOM = 10;
    private static final Set<String> MEMBERS = Set.of("node#1");

    @SuppressWarnings("NullAway.Init") // Before all.
    private static ElasticsearchServer server;

    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    private final InMemorySagaRepository journal = new InMemorySagaRepository();
    private final Clock clock = Clock.tickMillis(ZoneOffset.UTC);
    private final ElasticsearchSagaIndex index = index();
    private final PendingSummaries pending = new PendingSummaries(ROOM);
    private final SearchMetrics metrics = new SearchMetrics(new SimpleMeterRegistry(), pending, clock);
    private final Indexer indexer = new Indexer(journal, index, pending, clock, metrics);
    private final IndexedRepository indexed = new IndexedRepository(journal, pending, clock, indexer::close);

    @BeforeAll
    static void start() {
        server = ElasticsearchServer.start(ElasticsearchServer.V9);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** One that was killed and has just been started again answers late at first. */
    @BeforeEach
    void awaitServer() {
        await().until(() -> index.check() instanceof Health.Up);
    }

    @AfterEach
    void close() {
        index.close();
    }

    @Test
    void what_is_appended_is_found_soon() {
        indexer.start();
        new WrittenSaga(indexed, "a").begun("trip").began("hotel", "hotel");
        new WrittenSaga(indexed, "b").begun("trip").committed();
        awaitSame();
        indexed.close();
    }

    @Test
    @Tag("long")
    void more_than_there_is_room_for_while_the_index_is_away_is_caught_up_from_the_journal() {
        server.kill();
        try {
            indexer.start();
            for (int i = 0; i < 3 * ROOM; i++) new WrittenSaga(indexed, "s" + i, clock.instant()).begun("trip " + i);
            assertThat(pending.size()).isLessThanOrEqualTo(ROOM);
            await().until(() -> metrics.awayBecause().isPresent());
        } finally {
            server.start();
        }
        awaitSame();
        await().until(() -> metrics.awayBecause().isEmpty());
        await().untilAsserted(() -> assertThat(metrics.lag()).isLessThan(Duration.ofSeconds(2)));
        indexed.close();
    }

    @Test
    void a_keeper_fills_a_new_index_and_says_up_to_when_it_is_complete() {
        for (int i = 0; i < 450; i++)
            new WrittenSaga(journal, "s" + i, clock.instant()).begun("").committed();
        new WrittenSaga(journal, "open", clock.instant()).begun("").began("hotel", "hotel");
        Instant before = clock.instant();
        repair().look(MEMBERS);
        awaitSame();
        assertThat(whole()).hasValueSatisfying(up -> assertThat(up).isAfterOrEqualTo(before));
        assertThat(index.checkpoints()).hasSize(1);
    }

    @Test
    void a_keeper_catches_up_what_a_node_that_died_has_not_told() {
        WrittenSaga running =
                new WrittenSaga(journal, "running", clock.instant()).begun("").began("hotel", "hotel");
        repair().look(MEMBERS);
        index.checkpoint("dead#2", clock.instant(), clock.instant());
        // These the dead node has not told.
        running.ended("hotel").committed();
        new WrittenSaga(journal, "begun", clock.instant()).begun("");
        new WrittenSaga(journal, "through", clock.instant()).begun("").committed();

        repair().look(MEMBERS);
        awaitSame();
        assertThat(index.checkpoints())
                .extracting(ElasticsearchSagaIndex.Checkpoint::node)
                .containsExactly(IndexRepair.WHOLE);
    }

    @Test
    void every_keeper_begins_where_the_whole_was_complete_because_a_node_may_have_died_without_ever_reaching_it() {
        repair().look(MEMBERS);
        new WrittenSaga(journal, "untold", clock.instant()).begun("");
        repair().look(MEMBERS);
        awaitSame();
    }

    @Test
    @Tag("long")
    void a_keeper_catches_up_what_a_node_has_not_told_that_came_and_went_while_the_index_was_away() {
        IndexRepair repair = repair();
        index.checkpoint("node#1", clock.instant(), clock.instant());
        repair.look(MEMBERS);
        server.kill();
        try {
            assertThatThrownBy(() -> repair.look(Set.of("node#1", "node#2")))
                    .isInstanceOf(RepositoryUnavailableException.class);
            new WrittenSaga(journal, "untold", clock.instant()).begun("");
        } finally {
            server.start();
        }
        await().ignoreExceptions().until(() -> {
            repair.look(MEMBERS);
            return true;
        });
        awaitSame();
    }

    @Test
    void the_whole_is_complete_up_to_where_its_last_node_is_and_stands_still_while_one_has_not_said() {
        IndexRepair repair = repair();
        repair.look(MEMBERS);
        Instant filled = whole().orElseThrow();
        Instant later = filled.plusSeconds(60);
        index.checkpoint("node#1", later, later);
        repair.look(Set.of("node#1", "node#2"));
        assertThat(whole()).contains(filled);

        index.checkpoint("node#2", filled.plusSeconds(30), later);
        repair.look(Set.of("node#1", "node#2"));
        assertThat(whole()).contains(filled.plusSeconds(30));
    }

    @Test
    void an_index_that_is_cleared_is_filled_again() {
        IndexRepair repair = repair();
        new WrittenSaga(journal, "a", clock.instant()).begun("").committed();
        repair.look(MEMBERS);
        SagaIndexing indexing = new SagaIndexing(journal, index, metrics);
        // A busy machine makes no index within the time that one operation has.
        await().ignoreExceptionsInstanceOf(RepositoryUnavailableException.class).until(() -> {
            indexing.rebuild();
            return true;
        });
        assertThat(indexing.progress().completeUpTo()).isEmpty();
        repair.look(MEMBERS);
        awaitSame();
        assertThat(indexing.progress().completeUpTo()).isPresent();
        assertThat(indexing.progress().indexed()).isEqualTo(1);
    }

    @Test
    void what_the_journal_has_purged_meanwhile_does_not_stay_unfinished_in_the_index() {
        WrittenSaga saga = new WrittenSaga(journal, "old", clock.instant()).begun("");
        repair().look(MEMBERS);
        awaitSame();
        saga.committed();
        journal.purge(clock.instant().plusSeconds(1), 10);
        repair().look(MEMBERS);
        awaitSame();
        assertThat(summaries(index)).isEmpty();
    }

    @Test
    void an_append_whose_outcome_is_unknown_is_looked_up() {
        new WrittenSaga(journal, "stored", clock.instant()).begun("").committed();
        SagaSummary stored =
                journal.find(SagaQuery.ALL, Cursor.START, 10).items().getFirst();
        Instant longAgo = clock.instant().minus(Indexer.EXECUTED_WITHIN);
        pending.begins(longAgo);
        pending.over(
                longAgo,
                List.of(),
                List.of(
                        new PendingSummaries.Doubt(with(stored, "stored"), longAgo, longAgo),
                        new PendingSummaries.Doubt(with(stored, "not-stored"), longAgo, longAgo)));
        indexer.start();
        awaitSame();
        await().until(() -> pending.size() == 0);
        indexer.close();
    }

    @Test
    void a_journal_that_cannot_be_read_is_listed_as_it_was() {
        new WrittenSaga(journal, "damaged", clock.instant()).begun("trip").damaged();
        repair().look(MEMBERS);
        awaitSame();
    }

    @Test
    void a_node_that_stops_tells_what_is_left_and_takes_its_checkpoint_along() {
        indexer.named("node#1");
        indexer.start();
        await().until(() -> !index.checkpoints().isEmpty());
        new WrittenSaga(indexed, "last", clock.instant()).begun("");
        indexed.close();
        try (ElasticsearchSagaIndex reopened = index()) {
            await().until(() -> summaries(reopened).size() == 1);
            assertThat(reopened.checkpoints()).isEmpty();
        }
    }

    @Test
    void a_node_that_stops_while_an_append_is_under_way_leaves_its_checkpoint_to_whoever_catches_up() {
        indexer.named("node#1");
        indexer.start();
        await().until(() -> !index.checkpoints().isEmpty());
        pending.begins(clock.instant().minusMillis(1));
        indexed.close();
        try (ElasticsearchSagaIndex reopened = index()) {
            assertThat(reopened.checkpoints()).hasSize(1);
        }
    }

    private IndexRepair repair() {
        return new IndexRepair(journal, index, clock, metrics);
    }

    private Optional<Instant> whole() {
        return index.checkpoints().stream()
                .filter(checkpoint -> checkpoint.node().equals(IndexRepair.WHOLE))
                .map(ElasticsearchSagaIndex.Checkpoint::completeUpTo)
                .findFirst();
    }

    private void awaitSame() {
        await().ignoreExceptions().untilAsserted(() -> {
            assertThat(summaries(index))
                    .containsExactlyElementsOf(
                            journal.find(SagaQuery.ALL, Cursor.START, 1_000).items());
            assertThat(index.counts()).isEqualTo(journal.counts());
        });
    }

    private static List<SagaSummary> summaries(ElasticsearchSagaIndex index) {
        return index.find(SagaQuery.ALL, Cursor.START, 1_000).items();
    }

    private static SagaSummary with(SagaSummary summary, String id) {
        return new SagaSummary(
                new SagaId(id),
                State.ACTIVE,
                summary.service(),
                summary.operation(),
                summary.businessKey(),
                summary.services(),
                summary.branches(),
                summary.reason(),
                summary.manual(),
                summary.begunAt(),
                summary.updatedAt(),
                Optional.empty(),
                Optional.empty(),
                summary.attributes(),
                summary.orderedAt());
    }

    private ElasticsearchSagaIndex index() {
        return new ElasticsearchSagaIndex(new ElasticsearchSettings(
                List.of(URI.create("http://127.0.0.1:" + server.port())),
                Optional.empty(),
                Optional.empty(),
                prefix,
                1,
                0));
    }
}
