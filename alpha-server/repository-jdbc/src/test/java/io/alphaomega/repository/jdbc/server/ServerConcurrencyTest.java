package io.alphaomega.repository.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.AppendResult.Locked;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several alphas, and others, at work on one database at the same time. */
@Timeout(300)
final class ServerConcurrencyTest {
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

    static Stream<Servers> servers() {
        return Servers.all();
    }

    private static SagaRepository repository(Servers servers) {
        return Patience.opened(ServerStore.repository(servers.shared().url()));
    }

    private static String newId() {
        return UUID.randomUUID().toString();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void of_two_alphas_that_begin_or_append_to_the_same_sagas_exactly_one_wins(Servers servers) throws Exception {
        int sagas = 40;
        try (SagaRepository one = repository(servers);
                SagaRepository two = repository(servers)) {
            List<String> ids =
                    Stream.generate(ServerConcurrencyTest::newId).limit(sagas).toList();
            List<Version> versions = ids.stream().map(id -> Version.NONE).toList();
            for (int round = 1; round <= 10; round++) {
                List<Version> expected = versions;
                CyclicBarrier start = new CyclicBarrier(4);
                List<CompletableFuture<List<AppendResult>>> racing = IntStream.range(0, 4)
                        .mapToObj(racer -> CompletableFuture.supplyAsync(
                                () -> {
                                    List<Append> batch = new ArrayList<>(IntStream.range(0, sagas)
                                            .mapToObj(i -> Ledger.item(ids.get(i), expected.get(i), 2))
                                            .toList());
                                    await(start);
                                    return append(racer % 2 == 0 ? one : two, batch);
                                },
                                THREADS))
                        .toList();
                List<List<AppendResult>> results =
                        racing.stream().map(CompletableFuture::join).toList();
                versions = IntStream.range(0, sagas)
                        .mapToObj(i -> {
                            List<AppendResult> of =
                                    results.stream().map(each -> each.get(i)).toList();
                            assertThat(of)
                                    .filteredOn(Appended.class::isInstance)
                                    .hasSize(1);
                            Version version = two.load(new SagaId(ids.get(i))).version();
                            assertThat(of)
                                    .filteredOn(Conflict.class::isInstance)
                                    .hasSize(3)
                                    .allMatch(new Conflict(version)::equals);
                            return version;
                        })
                        .toList();
                assertThat(versions).extracting(Version::sequence).containsOnly(2L * round);
            }
        }
    }

    private static List<AppendResult> append(SagaRepository repository, List<Append> batch) {
        return resent(repository, batch, repository.append(batch));
    }

    /** Sends again what is locked, which it is for longer on a machine that is busy. */
    private static List<AppendResult> resent(SagaRepository repository, List<Append> batch, List<AppendResult> first) {
        List<AppendResult> results = new ArrayList<>(first);
        for (int i = 0; i < results.size(); i++) {
            while (results.get(i) instanceof Locked) {
                results.set(i, repository.append(List.of(batch.get(i))).getFirst());
            }
        }
        return results;
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void an_append_that_expects_a_saga_that_is_not_there_leaves_nothing(Servers servers) {
        String id = newId();
        try (SagaRepository repository = repository(servers);
                Admin admin = Admin.of(servers.shared())) {
            assertThat(repository.append(List.of(Ledger.item(id, new Version(3, "of nowhere"), 1))))
                    .containsExactly(new Conflict(Version.NONE));
            assertThat(admin.number("SELECT COUNT(*) FROM sagas WHERE id = '" + id + "'"))
                    .isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void what_an_alpha_remembers_of_a_saga_counts_only_if_it_is_still_so_in_the_store(Servers servers) {
        String gone = newId();
        String regrown = newId();
        try (SagaRepository repository = repository(servers);
                Admin admin = Admin.of(servers.shared())) {
            besideASoundOne(repository, gone, Version.NONE, () -> {
                admin.execute("DELETE FROM events WHERE saga = '" + gone + "'");
                admin.execute("DELETE FROM sagas WHERE id = '" + gone + "'");
            });
            assertThat(admin.number("SELECT COUNT(*) FROM sagas WHERE id = '" + gone + "'"))
                    .isZero();
            assertThat(admin.number("SELECT COUNT(*) FROM events WHERE saga = '" + gone + "'"))
                    .isZero();

            besideASoundOne(
                    repository,
                    regrown,
                    new Version(1, "other"),
                    () -> admin.execute("UPDATE sagas SET token = 'other' WHERE id = '" + regrown + "'"));
            assertThat(repository.load(new SagaId(regrown)).events()).hasSize(1);
        }
    }

    /** Appends to both in one batch, and expects a conflict with {@code found} where something has changed meanwhile. */
    private static void besideASoundOne(SagaRepository repository, String changed, Version found, Runnable change) {
        String sound = newId();
        List<String> ids = List.of(changed, sound);
        List<AppendResult> begun = repository.append(
                ids.stream().map(id -> Ledger.item(id, Version.NONE, 1)).toList());
        change.run();
        assertThat(repository.append(IntStream.range(0, 2)
                        .mapToObj(i -> Ledger.item(ids.get(i), version(begun.get(i)), 1))
                        .toList()))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(new Conflict(found)),
                        second -> assertThat(second).isInstanceOf(Appended.class));
        assertThat(repository.load(new SagaId(sound)).events()).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void who_loses_a_deadlock_tries_again(Servers servers) {
        // PostgreSQL rolls back who looks for the circle first, the others who has changed less.
        String early = "ALTER ROLE " + DatabaseServer.USER + " SET deadlock_timeout = '50ms'";
        try (Admin other = Admin.of(servers.shared())) {
            if (servers == Servers.POSTGRESQL) {
                other.execute("SET deadlock_timeout = '1min'");
                other.execute(early);
            }
            try {
                // On a slow machine the append may have given up waiting before it is met.
                boolean met = false;
                while (!met) met = losesADeadlock(servers, other);
            } finally {
                if (servers == Servers.POSTGRESQL) {
                    other.rollBack();
                    try (Admin admin = Admin.of(servers.shared())) {
                        admin.execute("ALTER ROLE " + DatabaseServer.USER + " RESET deadlock_timeout");
                    }
                }
            }
        }
    }

    /** False if there was no deadlock, since the append did not wait for so long. */
    private static boolean losesADeadlock(Servers servers, Admin other) {
        List<String> ids = Stream.of(newId(), newId()).sorted().toList();
        String first = ids.getFirst();
        String second = ids.getLast();
        try (SagaRepository repository = repository(servers)) {
            List<AppendResult> begun = repository.append(
                    List.of(Ledger.item(first, Version.NONE, 1), Ledger.item(second, Version.NONE, 1)));
            List<Append> next = List.of(
                    Ledger.item(second, version(begun.getLast()), 1), Ledger.item(first, version(begun.getFirst()), 1));
            other.begin();
            for (int i = 0; i < 20; i++) {
                other.execute("INSERT INTO events (saga, sequence, type, bytes, crc32c) VALUES ('" + second + "', "
                        + (100 + i) + ", 'x', 'x', 0)");
            }
            other.execute("UPDATE sagas SET reason = 'other' WHERE id = '" + second + "'");
            CompletableFuture<List<AppendResult>> appending =
                    CompletableFuture.supplyAsync(() -> repository.append(next), THREADS);
            boolean met = awaitWaiting(servers, appending);
            if (met) {
                // The append has locked the first and waits for the second. This waits until it is rolled back.
                other.execute("UPDATE sagas SET reason = 'other' WHERE id = '" + first + "'");
                met = !appending.isDone();
            }
            other.rollBack();
            List<AppendResult> results = appending.join();
            if (!met) return false;

            assertThat(resent(repository, next, results)).hasOnlyElementsOfType(Appended.class);
            assertThat(repository.load(new SagaId(first)).events()).hasSize(2);
            assertThat(repository.load(new SagaId(second)).events()).hasSize(2);
            return true;
        }
    }

    /** Whether somebody waits for a lock before {@code appending} is done. */
    private static boolean awaitWaiting(Servers servers, CompletableFuture<?> appending) {
        String waiting = servers == Servers.POSTGRESQL
                ? "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                : servers == Servers.MYSQL
                        ? "SELECT COUNT(*) FROM performance_schema.data_lock_waits"
                        : "SELECT COUNT(*) FROM information_schema.INNODB_LOCK_WAITS";
        AtomicBoolean waits = new AtomicBoolean();
        try (Admin admin = Admin.of(servers.shared())) {
            Awaitility.await()
                    // MariaDB looks itself only when nobody has asked for 0.1 s.
                    .pollInterval(Duration.ofMillis(150))
                    .until(() -> {
                        waits.set(admin.number(waiting) > 0);
                        return waits.get() || appending.isDone();
                    });
        }
        return waits.get();
    }

    private static Version version(AppendResult result) {
        return ((Appended) result).version();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void of_a_batch_only_the_sagas_that_somebody_holds_are_locked(Servers servers) {
        String held = newId();
        String free = newId();
        String stale = newId();
        String beginning = newId();
        String fresh = newId();
        String absent = newId();
        try (SagaRepository repository = repository(servers);
                Admin other = Admin.of(servers.shared())) {
            List<Version> begun =
                    repository
                            .append(Stream.of(held, free, stale)
                                    .map(id -> Ledger.item(id, Version.NONE, 1))
                                    .toList())
                            .stream()
                            .map(ServerConcurrencyTest::version)
                            .toList();
            Version went = version(repository
                    .append(List.of(Ledger.item(stale, begun.get(2), 1)))
                    .getFirst());
            other.begin();
            other.execute("UPDATE sagas SET reason = 'held' WHERE id = '" + held + "'");
            other.execute("INSERT INTO sagas (id, sequence, token, state, service, operation, business_key, services,"
                    + " branches, reason, manual, begun_at, updated_at) SELECT '" + beginning + "', sequence, 'other',"
                    + " state, service, operation, business_key, services, branches, reason, manual, begun_at,"
                    + " updated_at FROM sagas WHERE id = '" + held + "'");

            List<Append> batch = List.of(
                    Ledger.item(held, begun.getFirst(), 1),
                    Ledger.item(free, begun.get(1), 1),
                    Ledger.item(stale, begun.get(2), 1),
                    Ledger.item(beginning, Version.NONE, 1),
                    Ledger.item(fresh, Version.NONE, 1),
                    Ledger.item(absent, new Version(1, "of nowhere"), 1));
            List<AppendResult> results = repository.append(batch);
            List<AppendResult> again = repository.append(batch);
            other.rollBack();

            assertThat(results.get(0)).isEqualTo(new Locked());
            assertThat(results.get(1)).isInstanceOf(Appended.class);
            assertThat(results.get(2)).isEqualTo(new Conflict(went));
            assertThat(results.get(3)).isEqualTo(new Locked());
            assertThat(results.get(4)).isInstanceOf(Appended.class);
            assertThat(results.get(5)).isEqualTo(new Conflict(Version.NONE));
            assertThat(again)
                    .containsExactly(
                            new Locked(),
                            new Conflict(version(results.get(1))),
                            new Conflict(went),
                            new Locked(),
                            new Conflict(version(results.get(4))),
                            new Conflict(Version.NONE));
            assertThat(repository.append(List.of(batch.get(0), batch.get(3)))).hasOnlyElementsOfType(Appended.class);
            assertThat(repository.load(new SagaId(held)).events()).hasSize(2);
            assertThat(repository.load(new SagaId(beginning)).events()).hasSize(1);
            assertThat(repository.check()).isEqualTo(new Health.Up());
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void while_a_whole_table_is_locked_nothing_is_stored_and_everybody_knows(Servers servers) {
        String id = newId();
        try (SagaRepository repository = repository(servers);
                Admin other = Admin.of(servers.shared())) {
            Version begun = version(
                    repository.append(List.of(Ledger.item(id, Version.NONE, 1))).getFirst());
            other.begin();
            other.execute(
                    servers == Servers.POSTGRESQL
                            ? "LOCK TABLE sagas IN ACCESS EXCLUSIVE MODE"
                            : "LOCK TABLES sagas WRITE");
            List<AppendResult> results =
                    repository.append(List.of(Ledger.item(id, begun, 1), Ledger.item(newId(), Version.NONE, 1)));
            other.rollBack();
            if (servers != Servers.POSTGRESQL) other.execute("UNLOCK TABLES");

            assertThat(results).containsExactly(new Locked(), new Locked());
            assertThat(repository.append(List.of(Ledger.item(id, begun, 1)))).hasOnlyElementsOfType(Appended.class);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void a_purge_takes_no_saga_that_somebody_is_changing(Servers servers) {
        try (Admin admin = Admin.of(servers.shared())) {
            String url = admin.newDatabase();
            try (SagaRepository repository = Patience.opened(ServerStore.repository(url));
                    Admin other = Admin.in(servers.shared(), url)) {
                repository.append(
                        List.of(Ledger.item("changing", Version.NONE, 1), Ledger.item("old", Version.NONE, 1)));
                other.execute("UPDATE sagas SET state = 'COMMITTED', ended_at = 5");
                other.begin();
                other.execute("UPDATE sagas SET reason = 'changing' WHERE id = 'changing'");
                assertThat(repository.purge(Instant.ofEpochMilli(10), 10)).isEqualTo(1);
                other.rollBack();
                assertThat(repository.load(new SagaId("changing")).events()).hasSize(1);
                assertThat(repository.purge(Instant.ofEpochMilli(10), 10)).isEqualTo(1);
                assertThat(repository.purge(Instant.ofEpochMilli(10), 10)).isZero();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void alphas_that_start_at_once_on_an_empty_database_make_its_tables_once(Servers servers) {
        int alphas = 4;
        try (Admin admin = Admin.of(servers.shared())) {
            String url = admin.newDatabase();
            List<SagaRepository> repositories = Stream.<SagaRepository>generate(() -> ServerStore.repository(url))
                    .limit(alphas)
                    .toList();
            CyclicBarrier start = new CyclicBarrier(alphas);
            List<CompletableFuture<List<AppendResult>>> starting = repositories.stream()
                    .map(repository -> CompletableFuture.supplyAsync(
                            () -> {
                                await(start);
                                Patience.opened(repository);
                                return repository.append(List.of(Ledger.item(newId(), Version.NONE, 1)));
                            },
                            THREADS))
                    .toList();

            assertThat(starting).allSatisfy(each -> assertThat(each.join()).hasOnlyElementsOfType(Appended.class));
            repositories.forEach(SagaRepository::close);
            try (Admin there = Admin.in(servers.shared(), url)) {
                assertThat(there.number("SELECT COUNT(*) FROM sagas")).isEqualTo(alphas);
                assertThat(there.number("SELECT COUNT(*) FROM " + Migrations.HISTORY + " WHERE version = '1'"))
                        .isEqualTo(1);
            }
        }
    }
}
