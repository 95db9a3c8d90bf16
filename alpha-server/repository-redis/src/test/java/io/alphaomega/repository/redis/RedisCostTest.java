package io.alphaomega.repository.redis;

import static io.alphaomega.repository.SagaSummary.State.COMMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.campaign.TypicalSaga;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What docs/internals/measurements/stores.md says of round trips, commands and bytes, counted on the server. */
final class RedisCostTest {
    private RedisServer server;
    private CuttingProxy network;
    private RedisSagaRepository repository;

    @BeforeEach
    void start() {
        server =
                RedisServer.start("auto-aof-rewrite-percentage 0", "appendfsync no"); // Which writes before it answers.
        network = CuttingProxy.to(server.port());
        repository = Patience.opened(new RedisSagaRepository(Settings.of("redis://127.0.0.1:" + network.port())));
        run(List.of(new TypicalSaga(0)));
    }

    @AfterEach
    void stop() {
        repository.close();
        network.close();
        server.close();
    }

    private void run(List<TypicalSaga> sagas) {
        for (int i = 0; i < TypicalSaga.APPENDS; i++) append(sagas);
    }

    private void append(List<TypicalSaga> sagas) {
        List<Append> batch = sagas.stream().map(TypicalSaga::next).toList();
        List<AppendResult> results = repository.append(batch);
        for (int i = 0; i < sagas.size(); i++) sagas.get(i).appended(((Appended) results.get(i)).version());
    }

    private static List<TypicalSaga> sagas(int count) {
        List<TypicalSaga> sagas = new ArrayList<>();
        for (int i = 0; i < count; i++) sagas.add(new TypicalSaga(i));
        return sagas;
    }

    private long calls(String command) {
        return server.figure("commandstats", "cmdstat_" + command);
    }

    @Test
    void a_batch_is_one_call_and_one_round_trip() {
        for (int size : new int[] {1, 64, 256}) {
            List<TypicalSaga> sagas = sagas(size);
            long calls = calls("evalsha");
            long roundTrips = network.roundTrips();
            append(sagas);
            assertThat(calls("evalsha") - calls).as("calls for %d items", size).isEqualTo(1);
            assertThat(network.roundTrips() - roundTrips).isEqualTo(1);
        }
        long calls = calls("evalsha");
        append(sagas(1_000));
        assertThat(calls("evalsha") - calls).as("256 items a call").isEqualTo(4);
    }

    @Test
    void a_typical_saga_costs_19_commands_inside_its_calls() {
        server.ask("CONFIG", "RESETSTAT");
        long sagas = 100;
        run(sagas((int) sagas));
        assertThat(calls("evalsha")).isEqualTo(TypicalSaga.APPENDS);
        assertThat(calls("lindex")).as("where it stands, per append").isEqualTo(8 * sagas);
        assertThat(calls("rpush"))
                .as("one record per append, headers with them")
                .isEqualTo(8 * sagas);
        assertThat(calls("lset")).isZero();
        assertThat(calls("zadd")).as("the index at begin and end").isEqualTo(2 * sagas);
        assertThat(calls("zrem")).as("the index at the end").isEqualTo(sagas);
    }

    @Test
    void a_typical_saga_costs_three_kilobytes() {
        int sagas = 2_000;
        List<TypicalSaga> all = sagas(sagas);
        long memory = server.figure("memory", "used_memory");
        long sent = server.figure("stats", "total_net_input_bytes");
        long log = server.figure("persistence", "aof_current_size");
        for (int from = 0; from < sagas; from += 250) run(all.subList(from, from + 250));
        double perSaga = (server.figure("stats", "total_net_input_bytes") - sent) / (double) sagas;
        double logged = (server.figure("persistence", "aof_current_size") - log) / (double) sagas;
        double kept = (server.figure("memory", "used_memory") - memory) / (double) sagas;
        System.out.printf(
                "== a typical saga: %.0f bytes sent, %.0f in the log, %.0f in memory%n", perSaga, logged, kept);
        assertThat(perSaga).isBetween(2_000.0, 3_200.0);
        assertThat(logged).isBetween(2_000.0, 3_900.0);
        assertThat(kept).isBetween(1_500.0, 3_500.0);

        Instant later = Instant.parse("2032-01-01T00:00:00Z");
        while (repository.purge(later, 500) == 500) {}
        double tombstone = (server.figure("memory", "used_memory") - memory) / (double) sagas;
        System.out.printf("== its tombstone: %.0f bytes%n", tombstone);
        assertThat(tombstone).isLessThan(600);
        while (repository.forget(later, 500) == 500) {}
        assertThat((server.figure("memory", "used_memory") - memory) / (double) sagas)
                .isLessThan(250);
    }

    @Test
    void reading_is_one_round_trip_too_once_the_server_knows_the_scripts() {
        List<TypicalSaga> sagas = sagas(200);
        run(sagas);
        read(sagas.getFirst());
        long before = network.roundTrips();
        read(sagas.getFirst());
        assertThat(network.roundTrips() - before).isEqualTo(3);
        before = network.roundTrips();
        repository.find(SagaQuery.ALL, Cursor.START, 50);
        assertThat(network.roundTrips() - before).as("a page of 50").isBetween(1L, 10L);
    }

    /** 64 buckets are merged into one list; none of them is read until it has the service, which here many have not. */
    @Test
    void a_rare_service_is_looked_for_no_further_than_the_page_reaches() {
        List<TypicalSaga> sagas = new ArrayList<>();
        for (int i = 0; i < 6_400; i++) sagas.add(new TypicalSaga(i, i % 100 == 0 ? 3 : 0));
        for (int from = 0; from < sagas.size(); from += 256) {
            List<TypicalSaga> some = sagas.subList(from, Math.min(from + 256, sagas.size()));
            while (!some.isEmpty()) {
                append(some);
                some = some.stream().filter(saga -> !saga.isOver()).toList();
            }
        }
        long before = calls("zrevrangebylex");
        Page<SagaSummary> page = repository.find(SagaQuery.ALL.in(COMMITTED).of("car"), Cursor.START, 2);
        assertThat(page.items()).extracting(SagaSummary::id).containsExactly(sagas.get(6_300).id, sagas.get(6_200).id);
        assertThat(calls("zrevrangebylex") - before)
                .as("128 at first, then 64 each for twice as many members; over 400 if all are read to the end")
                .isLessThan(350);
    }

    @Test
    void a_search_that_finds_nothing_is_given_up_in_time_as_well() {
        SagaQuery nobody = SagaQuery.ALL.of("nobody");
        long before = calls("zrevrangebylex");
        assertThatThrownBy(() -> SearchScans.find(repository.operation(), nobody, Cursor.START, 10, Duration.ZERO))
                .isInstanceOf(RepositoryUnavailableException.class)
                .hasMessageContaining("given up");
        assertThat(calls("zrevrangebylex")).isEqualTo(before);
    }

    private void read(TypicalSaga saga) {
        repository.load(saga.id);
        repository.counts();
        repository.due(Instant.parse("2032-01-01T00:00:00Z"), Cursor.START, 100);
    }
}
