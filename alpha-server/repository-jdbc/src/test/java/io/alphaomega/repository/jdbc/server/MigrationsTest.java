package io.alphaomega.repository.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.SagaId;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A schema moves on while alphas work on it. */
@Timeout(300)
final class MigrationsTest {
    private static final int SAGAS = 5_000;
    private static final int BATCH = 250;

    static Stream<Servers> servers() {
        return Servers.all();
    }

    static Stream<Servers> serversWhoseStatementsCommitByThemselves() {
        return Stream.of(Servers.MARIADB, Servers.MYSQL);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void an_older_alpha_goes_on_while_a_newer_one_migrates_and_starts_again_afterwards(Servers servers)
            throws SQLException {
        try (Admin admin = Admin.of(servers.shared())) {
            String url = admin.newDatabase();
            AtomicBoolean migrated = new AtomicBoolean();
            AtomicLong appends = new AtomicLong();
            try (SagaRepository older = Patience.opened(ServerStore.repository(url))) {
                for (int i = 0; i < SAGAS; i += BATCH) {
                    int first = i;
                    older.append(Stream.iterate(first, n -> n < first + BATCH, n -> n + 1)
                            .map(n -> Ledger.item("s" + n, Version.NONE, 1))
                            .toList());
                }
                CompletableFuture<Version> writing =
                        CompletableFuture.supplyAsync(() -> write(older, "moving", appends, migrated));
                Awaitility.await().until(() -> appends.get() > 20);

                Migrations.run(server(url), dialect(url), "classpath:migrations/newer");
                long before = appends.get();
                Awaitility.await().until(() -> appends.get() > before + 20);
                migrated.set(true);
                Version version = writing.join();
                assertThat(older.load(new SagaId("moving")).version()).isEqualTo(version);
                System.out.printf("== %s: %d appends went on while the schema moved%n", servers, appends.get());
            }
            try (SagaRepository olderAgain = Patience.opened(ServerStore.repository(url));
                    Admin there = Admin.in(servers.shared(), url)) {
                assertThat(olderAgain.append(List.of(Ledger.item("after", Version.NONE, 1))))
                        .hasOnlyElementsOfType(Appended.class);
                assertThat(there.number("SELECT COUNT(*) FROM sagas WHERE note = ''"))
                        .isEqualTo(SAGAS + 2);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("serversWhoseStatementsCommitByThemselves")
    void a_migration_that_was_interrupted_is_run_again(Servers servers) throws SQLException {
        try (Admin admin = Admin.of(servers.shared())) {
            String url = admin.newDatabase();
            try (SagaRepository first = Patience.opened(ServerStore.repository(url))) {
                first.append(List.of(Ledger.item("kept", Version.NONE, 1)));
            }
            try (Admin there = Admin.in(servers.shared(), url)) {
                there.execute("DROP TABLE saga_services");
                there.execute("UPDATE " + Migrations.HISTORY + " SET success = 0 WHERE version = '1'");
                there.execute("DELETE FROM " + Migrations.HISTORY + " WHERE version > '1'");
            }
            try (SagaRepository again = Patience.opened(ServerStore.repository(url))) {
                assertThat(again.load(new SagaId("kept")).events()).hasSize(1);
                assertThat(again.append(List.of(Ledger.item("after", Version.NONE, 1))))
                        .hasOnlyElementsOfType(Appended.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void the_marks_of_a_saga_that_an_older_alpha_has_purged_lead_nowhere(Servers servers) throws SQLException {
        try (Admin admin = Admin.of(servers.shared())) {
            String url = admin.newDatabase();
            try (SagaRepository repository = Patience.opened(ServerStore.repository(url));
                    Admin there = Admin.in(servers.shared(), url)) {
                Instant now = Instant.parse("2031-05-06T07:08:09Z");
                repository.append(
                        List.of(Ledger.marked("stays", Version.NONE, now), Ledger.marked("purged", Version.NONE, now)));
                // As it was before there were marks.
                there.execute(
                        "UPDATE sagas SET state = 'PURGED_COMMITTED', buried_at = begun_at, ended_at = NULL WHERE id = 'purged'");
                assertOnlyFound(repository, "stays");
                assertThat(repository.forget(Instant.parse("2040-01-01T00:00:00Z"), 10))
                        .isEqualTo(1);
                assertOnlyFound(repository, "stays");
                assertThat(there.number("SELECT COUNT(*) FROM saga_marks")).isEqualTo(4);
            }
        }
    }

    private static void assertOnlyFound(SagaRepository repository, String id) {
        SagaQuery query = SagaQuery.ALL.attribute(new Attribute("tenant", "acme"));
        assertThat(repository.find(query, Cursor.START, 10).items())
                .extracting(saga -> saga.id().value())
                .containsExactly(id);
        assertThat(repository.ordered(Instant.EPOCH, Cursor.START, 10).items())
                .extracting(saga -> saga.id().value())
                .containsExactly(id);
    }

    private static Version write(SagaRepository repository, String saga, AtomicLong appends, AtomicBoolean over) {
        Version version = Version.NONE;
        while (!over.get()) {
            AppendResult result =
                    repository.append(List.of(Ledger.item(saga, version, 1))).getFirst();
            version = ((Appended) result).version();
            appends.incrementAndGet();
        }
        return version;
    }

    private static ServerAccess server(String url) {
        return ServerRepository.server(url, DatabaseServer.USER, DatabaseServer.PASSWORD);
    }

    private static ServerDialect dialect(String url) throws SQLException {
        ServerAccess server = server(url);
        try (Session session =
                new Session(server.dataSource(Duration.ofSeconds(5)).getConnection())) {
            return server.examine(session);
        }
    }
}
