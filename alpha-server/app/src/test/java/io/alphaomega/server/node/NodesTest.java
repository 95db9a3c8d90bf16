package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Clock;
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
        return await();
    }

    private ReportingNode reporting(int streams, int port, int seedPort) {
        ReportingNode node = new ReportingNode(store, TestNode.at(port, seedPort));
        node.streams.set(streams);
        node.sagas.set(7);
        return node.reports();
    }

    private static double shards(ReportingNode node) {
        return node.node.meters.get("alpha.shards").gauge().value();
    }

    @Test
    void nodes_of_neighbouring_versions_ask_each_other_by_a_fixed_name() {
        assertThat(Nodes.ACTOR).isEqualTo("node");
    }

    @Test
    void a_node_that_has_not_started_knows_of_none() {
        assertThat(new Nodes(Clock.systemUTC()).all()).isEmpty();
    }

    @Test
    void every_node_is_asked_and_one_that_does_not_answer_is_shown_all_the_same() {
        int first = ServerProcess.freePort();
        int second = ServerProcess.freePort();
        try (ReportingNode one = reporting(3, first, first);
                ReportingNode two = reporting(5, second, first);
                ReportingNode mute = new ReportingNode(store, TestNode.at(ServerProcess.freePort(), first))) {
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
    void a_node_that_was_asked_before_it_could_answer_answers_later() {
        int first = ServerProcess.freePort();
        String shortNamesSoon = "akka.remote.artery.advanced.compression.actor-refs.advertisement-interval = 500 ms";
        try (ReportingNode one = reporting(0, first, first);
                ReportingNode starting =
                        new ReportingNode(store, TestNode.at(ServerProcess.freePort(), first), shortNamesSoon)) {
            for (int i = 0; i < 5; i++) assertThat(one.inTouch()).isEqualTo(1);
            starting.reports();
            soon().until(() -> one.inTouch() == 2);
            await().during(Duration.ofSeconds(5)).until(() -> one.inTouch() == 2);
        }
    }

    @Test
    void what_omegas_are_told_is_where_the_sagas_of_these_hash_codes_are() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = reporting(0, first, first)) {
            wake(one, "a-saga");
            Set<String> shard = Set.of(Integer.toString(Math.floorMod("a-saga".hashCode(), SHARDS)));
            soon().until(() -> one.told.equals(shard));
        }
    }

    @Test
    void shards_are_counted_where_they_are_and_again_where_they_go() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = reporting(0, first, first)) {
            try (ReportingNode two = reporting(0, ServerProcess.freePort(), first)) {
                wakeASagaOfEachShard(one);
                soon().until(() -> shards(one) + shards(two) == SHARDS && shards(two) > 0);
            }
            wakeASagaOfEachShard(one);
            soon().until(() -> shards(one) == SHARDS);
            assertThat(one.node.count("alpha.shard.moves", "kind", "taken")).isGreaterThanOrEqualTo(SHARDS);
        }
    }

    @Test
    void a_node_that_comes_to_one_that_has_all_shards_soon_has_half_of_them() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = new ReportingNode(store, TestNode.at(first, first)).seeksHomes()) {
            soon().until(() -> shards(one) == SHARDS);
            try (ReportingNode two = reporting(0, ServerProcess.freePort(), first)) {
                soon().until(() -> shards(one) == SHARDS / 2 && shards(two) == SHARDS / 2);
            }
        }
    }

    private static void wakeASagaOfEachShard(ReportingNode node) {
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; hashes.size() < SHARDS; i++) {
            String id = "s-" + i;
            if (hashes.add(Math.floorMod(id.hashCode(), SHARDS))) wake(node, id);
        }
    }

    private static void wake(ReportingNode node, String id) {
        var unused = node.node.sagas.ask(new SagaId(id), new SagaInput.Tick(), Duration.ofSeconds(10));
    }
}
