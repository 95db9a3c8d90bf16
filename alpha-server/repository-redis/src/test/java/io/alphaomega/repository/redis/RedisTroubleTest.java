package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.campaign.TypicalSaga;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Redis may do to alpha, and what others may do to what is in it. */
final class RedisTroubleTest {
    private static final SagaId DAMAGED = new SagaId("damaged");
    private static final SagaId SOUND = new SagaId("sound");

    private RedisServer server;
    private CuttingProxy network;
    private SagaRepository repository;

    @BeforeEach
    void two_sagas() {
        server = RedisServer.start();
        network = CuttingProxy.to(server.port());
        repository = Patience.opened(new RedisSagaRepository(Settings.of("redis://127.0.0.1:" + network.port())));
        repository.append(
                List.of(Ledger.item(DAMAGED.value(), Version.NONE, 5), Ledger.item(SOUND.value(), Version.NONE, 5)));
    }

    @AfterEach
    void the_other_saga_goes_on() {
        Version version = repository.load(SOUND).version();
        assertThat(repository.append(List.of(Ledger.item(SOUND.value(), version, 2))))
                .hasOnlyElementsOfType(Appended.class);
        repository.close();
        network.close();
        server.close();
    }

    private static String key(SagaId id) {
        return new String(Bucket.of(id).saga(id), java.nio.charset.StandardCharsets.US_ASCII);
    }

    private AppendResult append(String saga, Version expected) {
        return repository.append(List.of(Ledger.item(saga, expected, 1))).getFirst();
    }

    @Test
    void scripts_that_the_server_has_forgotten_are_sent_again() {
        Version version = Version.NONE;
        for (int i = 0; i < 5; i++) {
            server.ask("SCRIPT", "FLUSH");
            version = ((Appended) append("new", version)).version();
            server.ask("SCRIPT", "FLUSH");
            assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items()).hasSize(3);
        }
        assertThat(version.sequence()).isEqualTo(5);
    }

    @Test
    void nothing_is_ever_sent_twice() {
        long before = executed();
        List<Version> versions = new ArrayList<>(List.of(Version.NONE));
        for (int i = 0; i < 5; i++) {
            network.loseAnswersAfter("EVAL");
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> append("once", versions.getLast()))
                    .withMessageContaining("Redis at 127.0.0.1");
            network.pass();
            // Executed once; a client that reconnects by itself would now have sent it again.
            Awaitility.await()
                    .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                    .untilAsserted(() ->
                            versions.add(repository.load(new SagaId("once")).version()));
            assertThat(versions.getLast().sequence()).isEqualTo(i + 1);
            assertThat(executed() - before).isEqualTo(i + 1);
        }
    }

    private long executed() {
        return server.figure("commandstats", "cmdstat_evalsha") + server.figure("commandstats", "cmdstat_eval");
    }

    @Test
    @Timeout(300)
    void a_server_that_hangs_is_told_and_works_again_when_it_goes_on() {
        server.process().signal("STOP");
        // It hangs until it is told to go on: who waited for it would wait for ever.
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> append("hanging", Version.NONE))
                .withMessageContaining("does not answer in time");
        assertThat(repository.check()).isInstanceOf(Health.Down.class);
        server.process().signal("CONT");
        assertWorksAgain();
    }

    @Test
    void a_server_without_memory_takes_nothing_and_works_again_when_it_has_some() {
        server.ask("CONFIG", "SET", "maxmemory", "1mb");
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> append("much", Version.NONE))
                .withMessageContaining("has used all the memory");
        assertThat(repository.check()).isEqualTo(new Health.Down(((Health.Down) repository.check()).reason()));
        assertThat(repository.load(SOUND).events()).hasSize(5);
        server.ask("CONFIG", "SET", "maxmemory", "0");
        assertThat(repository.check()).isInstanceOf(Health.Up.class);
        assertWorksAgain();
    }

    @Test
    void a_primary_that_has_become_a_replica_takes_nothing() {
        try (RedisServer other = RedisServer.start()) {
            other.ask("FLUSHALL");
            server.ask("CONFIG", "SET", "replica-serve-stale-data", "yes");
            server.ask("REPLICAOF", "127.0.0.1", "1");
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> append("lost", Version.NONE))
                    .withMessageContaining("is a replica");
            // It would show what it had then, for ever.
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> repository.load(SOUND))
                    .withMessageContaining("is a replica");
            assertThat(repository.check()).isInstanceOf(Health.Down.class);
            server.ask("REPLICAOF", "NO", "ONE");
            assertWorksAgain();
        }
    }

    private void assertWorksAgain() {
        int[] attempt = {0};
        Awaitility.await()
                .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                .until(() -> append("again-" + attempt[0]++, Version.NONE) instanceof Appended);
        assertThat(repository.check()).isInstanceOf(Health.Up.class);
    }

    @Test
    void an_append_to_a_damaged_saga_is_a_conflict_and_harms_no_others() {
        Version version = repository.load(DAMAGED).version();
        server.ask(
                "EVAL",
                "redis.call('LSET', KEYS[1], -1, string.sub(redis.call('LINDEX', KEYS[1], -1), 1, 30))",
                "1",
                key(DAMAGED));
        List<AppendResult> results = repository.append(List.of(
                Ledger.item("before", Version.NONE, 1),
                Ledger.item(DAMAGED.value(), version, 1),
                Ledger.item("after", Version.NONE, 1)));
        assertThat(results)
                .hasAtLeastOneElementOfType(Appended.class)
                .element(1)
                .isEqualTo(new Conflict(version));
        assertThat(repository.load(new SagaId("after")).events()).hasSize(1);
        assertReported("the append after event 0 cannot be read");
        assertThat(repository
                        .due(Instant.parse("2040-01-01T00:00:00Z"), Cursor.START, 10)
                        .items())
                .contains(DAMAGED);
    }

    @Test
    void ended_sagas_that_are_damaged_stay_and_do_not_hold_up_the_others() {
        List<SagaId> ended = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            TypicalSaga saga = new TypicalSaga(i);
            while (!saga.isOver()) {
                saga.appended(
                        ((Appended) repository.append(List.of(saga.next())).getFirst()).version());
            }
            ended.add(saga.id);
        }
        server.ask("LSET", key(ended.get(0)), "0", "xx");
        server.ask("LSET", key(ended.get(1)), "-1", "J");
        server.ask("DEL", key(ended.get(2)));
        Instant later = Instant.parse("2040-01-01T00:00:00Z");
        assertThat(repository.purge(later, 10)).isEqualTo(1);
        assertThat(repository.load(ended.get(3)).tombstone()).contains(State.COMMITTED);
        assertThatExceptionOfType(CorruptJournalException.class).isThrownBy(() -> repository.load(ended.get(0)));
        assertThat(repository.purge(later, 10)).isZero();
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                .as("they are still shown")
                .extracting(SagaSummary::id)
                .doesNotHaveDuplicates()
                .containsAll(ended.subList(0, 3));

        server.ask("LSET", key(ended.get(3)), "-1", "T");
        assertThat(repository.forget(later, 10)).isZero();
        assertThat(repository.forget(later, 10)).isZero();
    }

    @Test
    void sagas_with_large_appends_are_all_met_though_a_call_reads_only_so_many_bytes() {
        for (int i = 0; i < 3 * 64; i++) {
            Append small = Ledger.item("large-" + i, Version.NONE, 1);
            StoredEvent large = StoredEvent.of("large", new byte[Limits.PAYLOAD_BYTES]);
            repository.append(List.of(new Append(small.id(), Version.NONE, List.of(large), small.summary())));
        }
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 1000).items())
                .extracting(SagaSummary::id)
                .doesNotHaveDuplicates()
                .hasSize(3 * 64 + 2);
        assertThat(repository
                        .due(Instant.parse("2040-01-01T00:00:00Z"), Cursor.START, 1000)
                        .items())
                .doesNotHaveDuplicates()
                .hasSize(3 * 64 + 2);
    }

    @Test
    void a_cursor_that_is_none_of_ours_is_refused() {
        Instant later = Instant.parse("2040-01-01T00:00:00Z");
        for (String place : List.of("1.a\nb", "1.ä", "1.", "1", "x.a", Long.MAX_VALUE + ".a")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> repository.find(SagaQuery.ALL, new Cursor("f." + place), 10))
                    .withMessageContaining("is not a cursor of this scan");
            assertThatIllegalArgumentException().isThrownBy(() -> repository.due(later, new Cursor("d." + place), 10));
        }
    }

    @Test
    void changed_bytes_are_returned_as_they_are_and_do_not_match_their_checksum() {
        // The last byte of an append is one of its last event.
        server.ask(
                "EVAL",
                "local r = redis.call('LINDEX', KEYS[1], -1); redis.call('LSET', KEYS[1], -1, string.sub(r, 1, -2) .. '!')",
                "1",
                key(DAMAGED));
        assertThat(repository.load(DAMAGED).events())
                .hasSize(5)
                .filteredOn(event -> !event.isIntact())
                .hasSize(1);
    }

    @Test
    void a_missing_append_is_reported() {
        Version version = repository.load(DAMAGED).version();
        append(DAMAGED.value(), version);
        server.ask(
                "EVAL", "redis.call('LSET', KEYS[1], 1, 'x'); redis.call('LREM', KEYS[1], 1, 'x')", "1", key(DAMAGED));
        assertReported("after event 0 comes an append that ends with event 6 and has 1");
    }

    @Test
    void a_journal_cut_off_is_reported() {
        server.ask("LTRIM", key(DAMAGED), "0", "0");
        assertReported("its header is stored, but no event");
        server.ask("RPUSH", key(DAMAGED), "J");
        assertReported("the append after event 0 cannot be read");
    }

    @Test
    void something_else_in_the_place_of_a_journal_is_reported_and_harms_no_others() {
        server.ask("SET", key(DAMAGED), "mine");
        assertReported("holds something else");
        List<AppendResult> results = repository.append(
                List.of(Ledger.item(DAMAGED.value(), Version.NONE, 1), Ledger.item("other", Version.NONE, 1)));
        assertThat(results.get(0)).isEqualTo(new Conflict(Version.NONE));
        assertThat(results.get(1)).isInstanceOf(Appended.class);
        assertShown("damaged");
    }

    @Test
    void a_saga_that_ceases_to_be_young_while_it_is_damaged_is_due_when_it_is_mended() {
        SagaId young = new SagaId("young"); // To be woken up 40 s after its begin.
        repository.append(List.of(Ledger.item(young.value(), Version.NONE, 40)));
        Instant begun = Instant.parse("2031-01-01T00:00:00Z");
        server.ask("RENAME", key(young), key(young) + "-mine");
        server.ask("SET", key(young), "mine");
        assertThat(due(begun.plusSeconds(60))).containsOnlyOnce(young);
        server.ask("RENAME", key(young) + "-mine", key(young));
        assertThat(due(begun.plusSeconds(39))).doesNotContain(young);
        for (int i = 0; i < 2; i++) assertThat(due(begun.plusSeconds(40))).containsOnlyOnce(young);
        assertThat(repository.counts().in(State.ACTIVE)).isEqualTo(3);
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                .filteredOn(saga -> saga.id().equals(young))
                .singleElement()
                .satisfies(saga -> assertThat(saga.branches()).isEqualTo(40));
    }

    private List<SagaId> due(Instant until) {
        return repository.due(until, Cursor.START, 10).items();
    }

    @Test
    void a_state_that_nobody_knows_is_shown_as_unreadable() {
        // As a newer version would store it, with an index of its own.
        server.ask("EVAL", """
                local record = redis.call('LINDEX', KEYS[1], -1)
                redis.call('LSET', KEYS[1], -1, string.sub(record, 1, 19) .. '8' .. string.sub(record, 21))
                local index = string.sub(KEYS[1], 1, 11) .. '/index'
                for _, member in ipairs(redis.call('ZRANGE', index, 0, -1)) do
                  if string.sub(member, 1, 2) == 's1' and string.sub(member, 10) == 'damaged' then
                    redis.call('ZREM', index, member)
                    redis.call('ZADD', index, 0, 's8' .. string.sub(member, 3))
                  end
                end
                """, "1", key(DAMAGED));
        assertShown("knows no state '8'");
        assertThat(repository.counts().in(State.SUSPENDED)).isEqualTo(1);
    }

    private void assertShown(String words) {
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                .filteredOn(saga -> saga.id().equals(DAMAGED))
                .singleElement()
                .satisfies(saga -> {
                    assertThat(saga.state()).isEqualTo(State.SUSPENDED);
                    assertThat(saga.reason()).contains("JOURNAL_UNREADABLE", words);
                });
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                .extracting(SagaSummary::id)
                .contains(SOUND);
    }

    private void assertReported(String... words) {
        assertThatExceptionOfType(CorruptJournalException.class)
                .isThrownBy(() -> repository.load(DAMAGED))
                .satisfies(e -> assertThat(e.getMessage())
                        .contains("saga damaged")
                        .contains(words)
                        .contains("other sagas continue"));
    }

    @Test
    void an_entry_of_the_index_without_a_saga_is_dropped() {
        server.ask("DEL", key(DAMAGED));
        assertThat(repository
                        .due(Instant.parse("2040-01-01T00:00:00Z"), Cursor.START, 10)
                        .items())
                .containsExactly(SOUND);
        assertThat(repository.load(DAMAGED).events()).isEmpty();
    }

    @Test
    void wake_up_times_that_were_put_off_cost_nothing_until_the_first_has_come() {
        long before = written("zadd") + written("zrem");
        Version version = repository.load(SOUND).version();
        Instant first = Instant.parse("2031-01-01T00:00:05Z");
        for (int i = 0; i < 10; i++) version = ((Appended) append(SOUND.value(), version)).version();
        assertThat(written("zadd") + written("zrem")).isEqualTo(before);

        assertThat(repository.due(first, Cursor.START, 10).items()).containsExactly(DAMAGED);
        assertThat(written("zadd") + written("zrem")).isEqualTo(before + 2);
        assertThat(repository.due(first.plusSeconds(10), Cursor.START, 10).items())
                .containsExactly(DAMAGED, SOUND);
        assertThat(written("zadd") + written("zrem")).isEqualTo(before + 2);
    }

    private long written(String command) {
        return server.figure("commandstats", "cmdstat_" + command);
    }
}
