package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.redis.RedisSagaRepository.Settings;
import io.alphaomega.repository.servers.RedisCluster;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReshardingTest {
    private static final SagaId SAGA = new SagaId("a");

    @Test
    void a_bucket_that_moves_to_another_server_is_refused_as_a_whole_and_then_found_there() {
        try (RedisCluster cluster = RedisCluster.start(3);
                SagaRepository repository = new RedisSagaRepository(Settings.of(RedisClusterStore.uri(cluster)))) {
            Version version = appended(repository, Version.NONE);
            String key = new String(Bucket.of(SAGA).saga(SAGA), StandardCharsets.US_ASCII);
            String index = new String(Bucket.of(SAGA).index(), StandardCharsets.US_ASCII);
            RedisServer from = cluster.servers().stream()
                    .filter(server -> server.ask("EXISTS", key).equals("1"))
                    .findFirst()
                    .orElseThrow();
            RedisServer to = cluster.servers().stream()
                    .filter(server -> server != from)
                    .findFirst()
                    .orElseThrow();
            String slot = from.ask("CLUSTER", "KEYSLOT", key);
            to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", from.ask("CLUSTER", "MYID"));
            from.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.ask("CLUSTER", "MYID"));
            version = appended(repository, version);

            move(key, from, to);
            Version before = version;
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> appended(repository, before))
                    .withMessageContaining("is moving a part of its keys");

            move(index, from, to);
            String newOwner = to.ask("CLUSTER", "MYID");
            to.ask("CLUSTER", "SETSLOT", slot, "NODE", newOwner);
            from.ask("CLUSTER", "SETSLOT", slot, "NODE", newOwner);
            Loaded loaded = repository.load(SAGA);
            assertThat(loaded.version()).as("nothing of what was refused").isEqualTo(version);
            assertThat(appended(repository, version).sequence()).isEqualTo(6);
        }
    }

    private static Version appended(SagaRepository repository, Version expected) {
        return ((Appended) repository
                        .append(List.of(Ledger.item(SAGA.value(), expected, 2)))
                        .getFirst())
                .version();
    }

    private static void move(String key, RedisServer from, RedisServer to) {
        assertThat(from.ask("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "5000"))
                .isEqualTo("OK");
    }
}
