package io.alphaomega.repository.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.servers.CuttingProxy;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an append costs, by the server and the network in front of it; docs/internals/measurements/stores.md has it. */
@Timeout(300)
final class ServerCostTest {
    private static final int BATCHES = 50;

    static Stream<Servers> servers() {
        return Servers.all();
    }

    /** Of one batch, on the average. */
    private record Cost(double statements, double commits, double roundTrips, double syncs, double bytes) {
        Cost since(Cost before, int batches) {
            return new Cost(
                    (statements - before.statements) / batches,
                    (commits - before.commits) / batches,
                    (roundTrips - before.roundTrips) / batches,
                    (syncs - before.syncs) / batches,
                    (bytes - before.bytes) / batches);
        }

        /** Now and then a request that is sent in pieces is answered before it is whole, and that counts twice. */
        long wholeRoundTrips() {
            return Math.round(roundTrips);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void however_many_sagas_a_batch_is_the_same_few_statements_and_one_commit(Servers servers) {
        String[] settings = servers == Servers.POSTGRESQL
                ? new String[] {"shared_preload_libraries=pg_stat_statements"}
                : new String[0];
        try (DatabaseServer server = servers.start(settings);
                CuttingProxy network = CuttingProxy.to(server.port());
                SagaRepository repository = Patience.opened(ServerStore.repository(server.url(network.port())));
                Admin admin = Admin.of(server)) {
            if (servers == Servers.POSTGRESQL) admin.execute("CREATE EXTENSION pg_stat_statements");
            measure(repository, 1, () -> counted(servers, admin, network), "warm-up");
            for (int items : new int[] {1, 16, 64, 256}) {
                List<Cost> costs =
                        measure(repository, items, () -> counted(servers, admin, network), servers.toString());
                // Begin: the rows, the events, the services, the commit. Next: the same without services.
                if (servers == Servers.POSTGRESQL) {
                    // Its driver makes statements of a power of two of rows out of a batch.
                    assertThat(costs.getFirst().wholeRoundTrips()).isLessThanOrEqualTo(items > 64 ? 8 : 5);
                } else {
                    assertThat(costs.getFirst().statements()).isEqualTo(4);
                    assertThat(costs.getLast().statements()).isEqualTo(3);
                    assertThat(costs.getFirst().wholeRoundTrips()).isLessThanOrEqualTo(2);
                    assertThat(costs.getLast().wholeRoundTrips()).isLessThanOrEqualTo(2);
                }
                assertThat(costs).allSatisfy(cost -> assertThat(cost.commits()).isBetween(0.95, 1.1));
            }
        }
    }

    static Stream<Servers> serversThatCountRows() {
        return Stream.of(Servers.MARIADB, Servers.MYSQL);
    }

    @ParameterizedTest
    @MethodSource("serversThatCountRows")
    void the_open_sagas_of_a_service_are_found_without_a_look_at_those_that_ended(Servers servers) {
        try (DatabaseServer server = servers.start();
                SagaRepository repository = Patience.opened(ServerStore.repository(server.url(server.port())));
                Admin admin = Admin.of(server)) {
            for (int batch = 0; batch < 20; batch++) {
                append(repository, sagas(State.COMMITTED, 100));
            }
            append(repository, sagas(State.COMPENSATING, 3));
            admin.execute("ANALYZE TABLE alpha.sagas, alpha.saga_services");
            SagaQuery open = SagaQuery.ALL
                    .in(State.COMPENSATING, State.CONFIRMING, State.SUSPENDED)
                    .of("hotel");
            long before = rowsRead(admin);

            assertThat(repository.find(open, Cursor.START, 100).items()).hasSize(3);

            assertThat(rowsRead(admin) - before).as("of 2,003 sagas").isLessThan(100);
        }
    }

    private static List<Append> sagas(State state, int count) {
        return Stream.generate(() -> Ledger.item(UUID.randomUUID().toString(), Version.NONE, 1))
                .limit(count)
                .map(item -> new Append(item.id(), item.expected(), item.events(), in(state, item.summary())))
                .toList();
    }

    private static SagaSummary in(State state, SagaSummary saga) {
        return new SagaSummary(
                saga.id(),
                state,
                saga.service(),
                saga.operation(),
                saga.businessKey(),
                saga.services(),
                saga.branches(),
                saga.reason(),
                saga.manual(),
                saga.begunAt(),
                saga.updatedAt(),
                state.isEnded() ? Optional.of(saga.updatedAt()) : Optional.empty(),
                state.isEnded() ? Optional.empty() : saga.wakeUpAt(),
                saga.attributes(),
                saga.orderedAt());
    }

    /** By an index. What is read without one is mostly what these questions themselves read. */
    private static long rowsRead(Admin admin) {
        return Stream.of("key", "next", "prev")
                .mapToLong(how -> status(admin, "Handler_read_" + how))
                .sum();
    }

    private interface Counting {
        Cost now();
    }

    private static List<Cost> measure(SagaRepository repository, int items, Counting counting, String name) {
        List<List<String>> batches = IntStream.range(0, BATCHES)
                .mapToObj(batch -> Stream.generate(() -> UUID.randomUUID().toString())
                        .limit(items)
                        .toList())
                .toList();
        List<List<Version>> versions = new ArrayList<>();
        Cost start = counting.now();
        for (List<String> ids : batches) {
            versions.add(append(
                    repository,
                    ids.stream().map(id -> Ledger.item(id, Version.NONE, 1)).toList()));
        }
        Cost begun = counting.now();
        for (int i = 0; i < BATCHES; i++) {
            List<String> ids = batches.get(i);
            List<Version> expected = versions.get(i);
            append(
                    repository,
                    IntStream.range(0, items)
                            .mapToObj(item -> Ledger.item(ids.get(item), expected.get(item), 1))
                            .toList());
        }
        List<Cost> costs = List.of(begun.since(start, BATCHES), counting.now().since(begun, BATCHES));
        print(name, items, "begin", costs.getFirst());
        print(name, items, "next", costs.getLast());
        return costs;
    }

    private static List<Version> append(SagaRepository repository, List<Append> batch) {
        List<AppendResult> results = repository.append(batch);
        assertThat(results).hasOnlyElementsOfType(Appended.class);
        return results.stream().map(result -> ((Appended) result).version()).toList();
    }

    private static Cost counted(Servers servers, Admin admin, CuttingProxy network) {
        if (servers == Servers.POSTGRESQL) {
            return new Cost(
                    admin.number(
                            "SELECT COALESCE(SUM(calls), 0) FROM pg_stat_statements WHERE userid = (SELECT oid FROM pg_roles WHERE rolname = 'alpha') AND query NOT LIKE 'SET%'"),
                    // Each transaction that writes has an id, and so has this one.
                    admin.number("SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)"),
                    network.roundTrips(),
                    // It tells too late. The test that cuts the power counts the flushes of the disk.
                    Double.NaN,
                    network.requestBytes());
        }
        return new Cost(
                Stream.of("Com_select", "Com_insert", "Com_update", "Com_delete", "Com_commit", "Com_begin")
                        .mapToLong(name -> status(admin, name))
                        .sum(),
                status(admin, "Com_commit"),
                network.roundTrips(),
                status(admin, "Innodb_data_fsyncs"),
                network.requestBytes());
    }

    private static long status(Admin admin, String name) {
        return Long.parseLong(admin.text("SHOW GLOBAL STATUS LIKE '" + name + "'", 2));
    }

    private static void print(String name, int items, String what, Cost cost) {
        System.out.printf(
                Locale.ROOT,
                "== %s, %s of %d: %.2f statements, %.2f round trips, %.2f commits, %.2f syncs, %.0f bytes per batch, %.0f per saga%n",
                name,
                what,
                items,
                cost.statements(),
                cost.roundTrips(),
                cost.commits(),
                cost.syncs(),
                cost.bytes(),
                cost.bytes() / items);
    }
}
