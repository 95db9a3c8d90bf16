package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** What is said of the nodes of a cluster, by those that are there and of those that are not. */
class NodesTest {
    /** As many as alpha ever has. */
    private static final int SHARDS = 100;

    private final FaultyRepository store = new FaultyRepository();

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    /** A node that answers for itself, or holds its tongue. */
    private final class Reporting implements AutoCloseable {
        final Nodes nodes = new Nodes();
        final TestNode node;
        volatile Set<String> told = Set.of();

        Reporting(int streams, boolean answers, int port, int seedPort) {
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            node = new TestNode(store, TestNode.at(port, seedPort), meters, self -> Behaviors.empty());
            node.cluster.start();
            if (answers) {
                new NodeLifecycle(
                                node.cluster,
                                nodes,
                                new ShardMetrics(meters),
                                shards -> told = shards,
                                Duration.ofMillis(50),
                                () -> 7,
                                new StreamBalance.Settings(() -> streams, count -> {}, Quiet.LONG),
                                Quiet.CLUSTER,
                                Quiet.STORE,
                                Quiet.SINGLETONS)
                        .start();
            }
        }

        double shards() {
            return node.meters.get("alpha.shards").gauge().value();
        }

        @Override
        public void close() {
            nodes.close();
            node.close();
        }
    }

    @Test
    void a_node_that_has_not_started_knows_of_none() {
        assertThat(new Nodes().all()).isEmpty();
    }

    @Test
    void every_node_is_asked_and_one_that_does_not_answer_is_shown_all_the_same() {
        int first = ServerProcess.freePort();
        int second = ServerProcess.freePort();
        try (Reporting one = new Reporting(3, true, first, first);
                Reporting two = new Reporting(5, true, second, first);
                Reporting mute = new Reporting(0, false, ServerProcess.freePort(), first)) {
            soon().until(() ->
                    one.nodes.all().stream().filter(Nodes.Node::reachable).count() == 3);

            List<Nodes.Node> seen = two.nodes.all();

            assertThat(seen).extracting(Nodes.Node::status).containsOnly(Nodes.Status.UP);
            assertThat(seen.getFirst().address()).isEqualTo("127.0.0.1:" + first);
            assertThat(seen).extracting(Nodes.Node::oldest).containsExactly(true, false, false);
            assertThat(seen).extracting(Nodes.Node::self).containsExactly(false, true, false);
            assertThat(seen.get(0).report().orElseThrow().streams()).isEqualTo(3);
            assertThat(seen.get(1).report().orElseThrow().streams()).isEqualTo(5);
            assertThat(seen.get(1).report().orElseThrow().sagas()).isEqualTo(7);
            assertThat(seen.get(2).report()).isEmpty();
            assertThat(one.node.meters.get("alpha.saga.due.lag").timeGauge().value())
                    .isNotNegative(); // The oldest scans.
            assertThat(two.node.meters.get("alpha.saga.due.lag").timeGauge().value())
                    .isNaN();
            assertThat(mute.nodes.all()).isEmpty();
        }
    }

    @Test
    void what_omegas_are_told_is_where_the_sagas_of_these_hash_codes_are() {
        int first = ServerProcess.freePort();
        try (Reporting one = new Reporting(0, true, first, first)) {
            wake(one, "a-saga");
            Set<String> shard = Set.of(Integer.toString(Math.floorMod("a-saga".hashCode(), SHARDS)));
            soon().until(() -> one.told.equals(shard));
        }
    }

    @Test
    void shards_are_counted_where_they_are_and_again_where_they_go() {
        int first = ServerProcess.freePort();
        try (Reporting one = new Reporting(0, true, first, first)) {
            try (Reporting two = new Reporting(0, true, ServerProcess.freePort(), first)) {
                wakeASagaOfEachShard(one);
                soon().until(() -> one.shards() + two.shards() == SHARDS && two.shards() > 0);
            }
            wakeASagaOfEachShard(one);
            soon().until(() -> one.shards() == SHARDS);
            assertThat(one.node.count("alpha.shard.moves", "kind", "taken")).isGreaterThanOrEqualTo(SHARDS);
        }
    }

    private static void wakeASagaOfEachShard(Reporting node) {
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; hashes.size() < SHARDS; i++) {
            String id = "s-" + i;
            if (hashes.add(Math.floorMod(id.hashCode(), SHARDS))) wake(node, id);
        }
    }

    private static void wake(Reporting node, String id) {
        var unused = node.node.sagas.ask(new SagaId(id), new SagaInput.Tick(), Duration.ofSeconds(10));
    }
}
