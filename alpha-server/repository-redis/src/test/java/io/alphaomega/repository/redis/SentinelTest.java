package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.saga.SagaId;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Sentinel replaces a primary that is gone; alpha asks it where the primary is, with each new connection. */
final class SentinelTest {
    private static final SagaId SAGA = new SagaId("a");

    @Test
    void the_replica_that_takes_over_has_what_it_has_confirmed_and_alpha_finds_it() {
        try (RedisServer primary = RedisServer.start("repl-diskless-sync-delay 0");
                RedisServer replica = RedisServer.start("replicaof 127.0.0.1 " + primary.port());
                RedisServer other = RedisServer.start("replicaof 127.0.0.1 " + primary.port());
                RedisServer sentinel = RedisServer.startSentinel(primary)) {
            awaitReplicas(primary, 2);
            Awaitility.await().until(() -> sentinel.ask("INFO", "sentinel").contains("slaves=2"));
            Settings settings = new Settings(
                    "redis-sentinel://127.0.0.1:" + sentinel.port() + "#alpha", 1, false, Optional.empty());
            assertThat(settings.place()).isEqualTo("Redis at 127.0.0.1:" + sentinel.port());
            try (SagaRepository repository = Patience.opened(new RedisSagaRepository(settings))) {
                assertThat(repository.append(List.of(Ledger.item("a", Version.NONE, 3))))
                        .hasOnlyElementsOfType(Appended.class);
                // One has confirmed it. Sentinel may promote the other, so that must have it too.
                Awaitility.await().until(() -> hasAll(replica, primary) && hasAll(other, primary));
                primary.process().kill();

                Awaitility.await()
                        .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                        .until(() -> goesOn(repository));
                assertThat(repository.load(SAGA).events())
                        .startsWith(Ledger.item("a", Version.NONE, 3).events().toArray(StoredEvent[]::new));
                assertThat(replica.process().isRunning() && other.process().isRunning())
                        .isTrue();
            }
        }
    }

    /** One that the new primary had and could not get confirmed at first counts as well. */
    private static boolean goesOn(SagaRepository repository) {
        Version version = repository.load(SAGA).version();
        return repository.append(List.of(Ledger.item("a", version, 1))).getFirst() instanceof Appended;
    }

    private static boolean hasAll(RedisServer replica, RedisServer primary) {
        return replica.ask("DBSIZE").equals(primary.ask("DBSIZE"));
    }

    private static void awaitReplicas(RedisServer primary, int count) {
        Awaitility.await()
                .until(() -> primary.ask("INFO", "replication").split("state=online", -1).length == count + 1);
    }
}
