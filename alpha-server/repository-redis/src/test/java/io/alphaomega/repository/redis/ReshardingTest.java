package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisCluster;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReshardingTest {
    private static final SagaId SAGA = new SagaId("a");
    private static final String KEY = new String(Bucket.of(SAGA).saga(SAGA), StandardCharsets.US_ASCII);
    private static final String INDEX = new String(Bucket.of(SAGA).index(), StandardCharsets.US_ASCII);

    private RedisCluster cluster;
    private SagaRepository repository;

    @BeforeEach
    void start() {
        cluster = RedisCluster.start(3);
        repository = Patience.opened(new RedisSagaRepository(Settings.of(RedisClusterStore.uri(cluster))));
    }

    @AfterEach
    void stop() {
        repository.close();
        cluster.close();
    }

    @Test
    void a_bucket_that_moves_to_another_server_is_refused_as_a_whole_and_then_found_there() {
        Version version = appended(Version.NONE, 2);
        Resharding resharding = Resharding.begin(cluster);
        version = appended(version, 2);

        resharding.move(KEY);
        Version before = version;
        assertRefused(() -> appended(before, 2));

        resharding.move(INDEX);
        resharding.end();
        Loaded loaded = repository.load(SAGA);
        assertThat(loaded.version()).as("nothing of what was refused").isEqualTo(version);
        assertThat(appended(version, 2).sequence()).isEqualTo(6);
    }

    @Test
    void a_young_saga_that_goes_ahead_of_its_index_is_due_when_both_are_there() {
        Instant later = Instant.parse("2031-01-01T01:00:00Z");
        appended(Version.NONE, 40); // To be woken up 40 s after its begin.
        Resharding resharding = Resharding.begin(cluster);
        resharding.move(KEY);
        assertRefused(() -> repository.due(later, Cursor.START, 10));
        assertRefused(() -> repository.find(SagaQuery.ALL, Cursor.START, 10));
        assertThat(repository.counts().in(State.ACTIVE)).isEqualTo(1);

        resharding.move(INDEX);
        resharding.end();
        for (int i = 0; i < 2; i++) {
            assertThat(repository.due(later, Cursor.START, 10).items()).containsExactly(SAGA);
        }
        assertThat(repository.counts().in(State.ACTIVE)).isEqualTo(1);
        assertThat(repository.find(SagaQuery.ALL, Cursor.START, 10).items())
                .singleElement()
                .satisfies(saga -> assertThat(saga.branches()).isEqualTo(40));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(call)
                .withMessageContaining("is moving a part of its keys");
    }

    private Version appended(Version expected, int events) {
        return ((Appended) repository
                        .append(List.of(Ledger.item(SAGA.value(), expected, events)))
                        .getFirst())
                .version();
    }

    /** The slot of the saga on its way from one server to another. */
    private record Resharding(String slot, RedisServer from, RedisServer to) {
        static Resharding begin(RedisCluster cluster) {
            RedisServer from = cluster.servers().stream()
                    .filter(server -> server.ask("EXISTS", KEY).equals("1"))
                    .findFirst()
                    .orElseThrow();
            RedisServer to = cluster.servers().stream()
                    .filter(server -> server != from)
                    .findFirst()
                    .orElseThrow();
            String slot = from.ask("CLUSTER", "KEYSLOT", KEY);
            to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", from.ask("CLUSTER", "MYID"));
            from.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.ask("CLUSTER", "MYID"));
            return new Resharding(slot, from, to);
        }

        void move(String key) {
            assertThat(from.ask("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "5000"))
                    .isEqualTo("OK");
        }

        void end() {
            String newOwner = to.ask("CLUSTER", "MYID");
            to.ask("CLUSTER", "SETSLOT", slot, "NODE", newOwner);
            from.ask("CLUSTER", "SETSLOT", slot, "NODE", newOwner);
        }
    }
}
