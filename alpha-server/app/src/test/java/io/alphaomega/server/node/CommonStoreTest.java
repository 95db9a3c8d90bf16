package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import akka.cluster.typed.Cluster;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Nodes that were given different stores by mistake, and nodes that were not. */
class CommonStoreTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final FaultyRepository store = new FaultyRepository();
    private final FaultyRepository another = new FaultyRepository();
    private final int first = ServerProcess.freePort();

    private ReportingNode node(FaultyRepository store, int port) {
        ReportingNode node = new ReportingNode(store, TestNode.at(port, first));
        CommonStoreWatch.Settings settings = new CommonStoreWatch.Settings(LOOK_EVERY, node.ended::incrementAndGet);
        return node.watches(Map.of("common-store-watch", CommonStoreWatch.create(node.store, settings)));
    }

    /** On any node, wherever its shard is. */
    private static SagaId begin(ReportingNode node) {
        SagaId saga = new SagaId(UUID.randomUUID().toString());
        SagaInput begin = new SagaInput.Begin(new Initiator("booking", "b-1", "book", "", Map.of()), Policy.DEFAULT);
        assertThat(node.node.sagas.ask(saga, begin, Duration.ofSeconds(20)).toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(30))
                .isEqualTo(new Reply.Accepted());
        return saga;
    }

    private static void staysForAWhile(ReportingNode node) {
        await().during(LOOK_EVERY.multipliedBy(12)).until(() -> node.ended.get() == 0);
    }

    @Test
    void a_node_whose_store_lacks_a_saga_of_the_clusters_is_refused_and_leaves() {
        try (ReportingNode one = node(store, first)) {
            SagaId saga = begin(one);
            assertThatThrownBy(() -> node(another, ServerProcess.freePort()))
                    .isInstanceOf(RefusedPropertyException.class)
                    .hasMessage(
                            "The store of this node does not have saga %s, which that of 127.0.0.1:%d, the oldest node of the cluster, has: all nodes must have the same store. Compare alpha.repository.* of both.",
                            saga.value(), first);
            await().until(() ->
                    Cluster.get(one.node.cluster.system()).state().members().size() == 1);
            assertThat(another.appends).isEmpty();
            staysForAWhile(one);
        }
    }

    @Test
    void one_that_joined_while_there_was_nothing_to_tell_by_ends_with_the_first_saga() {
        try (ReportingNode one = node(store, first);
                ReportingNode two = node(another, ServerProcess.freePort())) {
            staysForAWhile(two);
            await().until(() -> {
                begin(one);
                return two.ended.get() == 1;
            });
            assertThat(one.ended).as("the oldest has the cluster's store").hasValue(0);
        }
    }

    @Test
    void nodes_of_one_store_stay_whatever_becomes_of_its_sagas() {
        try (ReportingNode one = node(store, first)) {
            begin(one);
            try (ReportingNode two = node(store, ServerProcess.freePort())) {
                staysForAWhile(two);
                store.down = true;
                staysForAWhile(two);
                store.down = false;
                store.purge(Instant.MAX, 10);
                staysForAWhile(two);
            }
        }
    }

    @Test
    void a_store_that_does_not_answer_keeps_nobody_away() {
        try (ReportingNode one = node(store, first)) {
            begin(one);
            another.down = true;
            try (ReportingNode two = node(another, ServerProcess.freePort())) {
                staysForAWhile(two);
            }
        }
    }
}
