package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.Certificate;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisCluster;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What alpha is told at its start of a Redis whose settings are good, poor, or such that it must not be used. */
final class StartCheckTest {
    private static final String SECRET = "open%20sesame";

    @TempDir
    Path directory;

    private static String uri(RedisServer server) {
        return "redis://127.0.0.1:" + server.port();
    }

    private static Durability durability(Settings settings) {
        try (SagaRepository repository = new RedisSagaRepository(settings)) {
            return repository.durability();
        }
    }

    private static Durability durability(RedisServer server) {
        return durability(Settings.of(uri(server)));
    }

    @Test
    void the_durability_is_read_from_the_settings_in_force() {
        try (RedisServer server = RedisServer.start();
                SagaRepository repository = Patience.opened(new RedisSagaRepository(Settings.of(uri(server))))) {
            assertThat(repository.durability().level()).isEqualTo(Level.VOLATILE);
            assertThat(repository.durability().settings())
                    .contains("appendonly=yes", "appendfsync=everysec", "maxmemory-policy=noeviction", "two seconds");
            server.ask("CONFIG", "SET", "appendfsync", "always");
            assertThat(repository.durability().level()).isEqualTo(Level.POWER_LOSS);
            server.ask("CONFIG", "SET", "no-appendfsync-on-rewrite", "yes");
            assertThat(repository.durability().level()).isEqualTo(Level.PROCESS_CRASH);
            server.ask("CONFIG", "SET", "appendfsync", "no");
            assertThat(repository.durability())
                    .isEqualTo(new Durability(
                            Level.PROCESS_CRASH, repository.durability().settings()));
            assertThat(repository.durability().settings()).contains("half a minute");
            server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
            assertThatIllegalStateException().isThrownBy(repository::durability);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"allkeys-lru", "volatile-ttl", "allkeys-random"})
    void a_server_that_may_delete_sagas_is_refused(String policy) {
        try (RedisServer server = RedisServer.start("maxmemory 100mb", "maxmemory-policy " + policy)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> durability(server))
                    .withMessageContainingAll("must not be used", "maxmemory-policy is '" + policy, "noeviction");
        }
    }

    @Test
    void a_server_that_does_not_write_to_its_disk_is_refused_unless_that_is_allowed() {
        try (RedisServer server = RedisServer.start("appendonly no")) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> durability(server))
                    .withMessageContainingAll("appendonly is 'no'", "alpha.repository.redis.allow-volatile");
            Durability durability = durability(new Settings(uri(server), 0, true, Optional.empty()));
            assertThat(durability.level()).isEqualTo(Level.VOLATILE);
            assertThat(durability.settings()).contains("appendonly=no", "loses everything");
        }
    }

    @Test
    void a_replica_is_refused_and_its_primary_named() {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + primary.port())) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> durability(replica))
                    .withMessageContainingAll("role is 'slave'", "127.0.0.1:" + primary.port());
        }
    }

    @Test
    void what_a_managed_server_does_not_tell_is_not_believed() {
        try (RedisServer server = RedisServer.start("appendfsync always")) {
            server.ask(
                    "ACL",
                    "SETUSER",
                    "alpha",
                    "on",
                    ">open sesame",
                    "~alpha:*",
                    "+@all",
                    "-@admin",
                    "-@dangerous",
                    "+info");
            String uri = "redis://alpha:" + SECRET + "@127.0.0.1:" + server.port();
            Durability durability = durability(Settings.of(uri));
            assertThat(durability.level()).isEqualTo(Level.VOLATILE);
            assertThat(durability.settings())
                    .contains("appendonly=yes", "appendfsync=unknown", "CONFIG is not allowed");
            try (SagaRepository repository = Patience.opened(new RedisSagaRepository(Settings.of(uri)))) {
                assertThat(repository.append(List.of(Ledger.item("a", Version.NONE, 2))))
                        .hasOnlyElementsOfType(Appended.class);
            }
        }
    }

    @Test
    void a_wrong_password_is_told_and_no_password_repeated() {
        try (RedisServer server = RedisServer.start("requirepass right")) {
            for (String uri : List.of("redis://default:" + SECRET + "@127.0.0.1:" + server.port(), uri(server))) {
                Settings settings = Settings.of(uri);
                assertThatExceptionOfType(RepositoryUnavailableException.class)
                        .isThrownBy(() -> durability(settings))
                        .withMessageContaining("127.0.0.1:" + server.port())
                        .withMessageContaining("password")
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sesame"));
                assertThat(settings.toString()).doesNotContain("sesame");
            }
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of("redis//default:" + SECRET + "@127.0.0.1"))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sesame"));
    }

    @Test
    void nobody_there_is_told_in_time() {
        int port = ServerProcess.freePort();
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> durability(Settings.of("redis://127.0.0.1:" + port)))
                .withMessageContainingAll("Redis at 127.0.0.1:" + port, "refused");
    }

    @Test
    void the_wrong_kind_of_server_is_told() {
        try (RedisServer server = RedisServer.start()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> durability(Settings.of("redis-cluster://127.0.0.1:" + server.port())))
                    .withMessageContaining("is not a Redis Cluster");
        }
    }

    @Test
    void a_cluster_is_recognised_by_one_of_its_servers_and_is_as_good_as_its_weakest() {
        try (RedisCluster cluster = RedisCluster.start(3, "appendfsync always")) {
            String uri = "redis://127.0.0.1:" + cluster.networks().get(1).port();
            assertThat(durability(Settings.of(uri)).level()).isEqualTo(Level.POWER_LOSS);
            cluster.servers().get(2).ask("CONFIG", "SET", "appendfsync", "everysec");
            Durability weakest = durability(Settings.of(uri));
            assertThat(weakest.level()).isEqualTo(Level.VOLATILE);
            assertThat(weakest.settings()).contains("Redis Cluster of 3 primaries", "everysec");
            cluster.servers().get(0).ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            assertThatIllegalStateException().isThrownBy(() -> durability(Settings.of(uri)));
        }
    }

    @Test
    void tls_with_a_user_and_an_authority_of_ones_own() throws Exception {
        Certificate ours = Certificate.of(directory, "ours");
        Certificate theirs = Certificate.of(directory, "theirs");
        try (RedisServer server = RedisServer.startWithTls(ours.certificate(), ours.key())) {
            server.ask("ACL", "SETUSER", "alpha", "on", ">open sesame", "~*", "+@all");
            String uri = "rediss://alpha:" + SECRET + "@127.0.0.1:" + server.port();
            Settings settings = new Settings(uri, 0, false, Optional.of(ours.certificate()));
            // The JVM's first handshake may take longer than a server that is there may take to answer.
            Awaitility.await()
                    .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                    .until(() -> durability(settings).level() == Level.VOLATILE);
            for (Optional<Path> trusted : List.of(Optional.of(theirs.certificate()), Optional.<Path>empty())) {
                Awaitility.await()
                        .untilAsserted(() -> assertThatExceptionOfType(RepositoryUnavailableException.class)
                                .isThrownBy(() -> durability(new Settings(uri, 0, false, trusted)))
                                .withMessageContaining("certif")
                                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sesame")));
            }
        }
    }

    @Test
    void certificates_that_cannot_be_read_are_told() {
        Settings settings =
                new Settings("rediss://127.0.0.1:6379", 0, false, Optional.of(directory.resolve("missing.pem")));
        assertThatIllegalStateException()
                .isThrownBy(() -> durability(settings))
                .withMessageContainingAll("missing.pem", "cannot be read");
    }

    @Test
    void an_append_that_replicas_do_not_confirm_is_not_acknowledged_nor_shown_until_they_have_it() {
        try (RedisServer primary = RedisServer.start("appendfsync always", "repl-diskless-sync-delay 0")) {
            Settings settings = new Settings(uri(primary), 1, false, Optional.empty());
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> durability(settings))
                    .withMessageContainingAll("has 0 replicas", "alpha.repository.redis.wait-replicas is 1");
            try (RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + primary.port());
                    SagaRepository repository = new RedisSagaRepository(settings)) {
                Awaitility.await()
                        .until(() -> primary.ask("INFO", "replication").contains("state=online"));
                assertThat(repository.durability().level()).isEqualTo(Level.FAILOVER);
                assertThat(repository.append(List.of(Ledger.item("a", Version.NONE, 2))))
                        .hasOnlyElementsOfType(Appended.class);

                primary.ask("CONFIG", "SET", "appendfsync", "everysec");
                assertThat(repository.durability().level()).isEqualTo(Level.VOLATILE);
                assertThat(repository.durability().settings()).contains("the level is that of the disk");

                replica.process().signal("STOP");
                assertThatExceptionOfType(RepositoryUnavailableException.class)
                        .isThrownBy(() -> repository.append(List.of(Ledger.item("b", Version.NONE, 2))))
                        .withMessageContaining("only 0 of 1 replicas");
                assertThat(repository.load(new SagaId("none"))).isEqualTo(Loaded.NOTHING);
                // Another node has not seen that it failed.
                try (SagaRepository another = new RedisSagaRepository(settings)) {
                    for (SagaRepository each : List.of(repository, another)) {
                        assertThatExceptionOfType(RepositoryUnavailableException.class)
                                .isThrownBy(() -> each.load(new SagaId("b")))
                                .withMessageContaining("only 0 of 1 replicas");
                    }
                }
                replica.process().signal("CONT");
                Awaitility.await()
                        .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                        .until(() -> repository.load(new SagaId("b")).version().sequence() == 2);
                Awaitility.await()
                        .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                        .until(() -> repository
                                        .append(List.of(Ledger.item("c", Version.NONE, 2)))
                                        .getFirst()
                                instanceof Appended);
                assertThat(repository.check()).isInstanceOf(Health.Up.class);
            }
        }
    }
}
