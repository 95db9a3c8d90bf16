package io.alphaomega.repository.elasticsearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Durability.Level;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.servers.ElasticsearchServer;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaId;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes, of which one is lost. */
@Tag("long")
@Timeout(600)
final class FailoverTest {
    @Test
    void with_two_copies_the_loss_of_a_node_loses_nothing_and_no_append_is_taken_by_one_copy() {
        int meeting = ServerProcess.freePort();
        try (ElasticsearchServer one = ElasticsearchServer.start(
                        ElasticsearchServer.V8,
                        "node.name: one",
                        "cluster.initial_master_nodes: one",
                        "transport.port: " + meeting);
                ElasticsearchServer two = ElasticsearchServer.start(
                        ElasticsearchServer.V8,
                        "node.name: two",
                        "node.roles: [data]",
                        "transport.port: " + ServerProcess.freePort(),
                        "discovery.seed_hosts: 127.0.0.1:" + meeting);
                SagaRepository repository = Patience.opened(new ElasticsearchSagaRepository(settings(one, two)))) {
            Curl curl = new Curl(one.port());
            curl.put("/alpha-sagas/_settings", "{\"index.write.wait_for_active_shards\": \"2\"}");
            // Not more: this node is lost between appends, one that is lost during an append may cost it.
            assertThat(repository.durability())
                    .returns(Level.POWER_LOSS, Durability::level)
                    .extracting(Durability::settings, InstanceOfAssertFactories.STRING)
                    .contains("wait_for_active_shards=2", "data nodes: 2");
            Awaitility.await()
                    .until(() -> curl.get("/_cluster/health")
                            .path("status")
                            .asString("")
                            .equals("green"));
            Map<SagaId, Version> appended = new HashMap<>();
            Stream.generate(Samples::newId)
                    .limit(50)
                    .forEach(id -> appended.put(id, Samples.appended(repository, Samples.begin(id))));

            two.kill();
            Awaitility.await()
                    .ignoreExceptionsInstanceOf(RepositoryUnavailableException.class)
                    .untilAsserted(() -> assertThat(appended)
                            .allSatisfy((id, version) ->
                                    assertThat(repository.load(id).version()).isEqualTo(version)));
            assertThatExceptionOfType(RepositoryUnavailableException.class)
                    .isThrownBy(() -> repository.append(List.of(Samples.begin(Samples.newId()))))
                    .withMessageContaining("unavailable_shards_exception");

            two.start();
            Awaitility.await()
                    .ignoreExceptionsInstanceOf(RepositoryUnavailableException.class)
                    .untilAsserted(() -> assertThat(Samples.appended(repository, Samples.begin(Samples.newId()))
                                    .sequence())
                            .isOne());
        }
    }

    /** Enough shards for both nodes to have some of the primary ones. */
    private static ElasticsearchSettings settings(ElasticsearchServer... nodes) {
        List<URI> uris = Stream.of(nodes)
                .map(node -> URI.create("http://127.0.0.1:" + node.port()))
                .toList();
        return new ElasticsearchSettings(uris, Optional.empty(), Optional.empty(), "alpha", 4, 1);
    }
}
