package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.properties.ClusterProperties;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** Clusters that should be one. */
class ClusterWatchTest {
    private final FaultyRepository store = new FaultyRepository();

    private static ConditionFactory soon() {
        return await();
    }

    private final class Watching implements AutoCloseable {
        final AtomicInteger absent = new AtomicInteger();
        volatile boolean rivals;
        final ReportingNode node;

        Watching(ClusterProperties place) {
            this(place, place.seedNodes(), Duration.ofMillis(100), "");
        }

        /** @param seeds that it knows of; none as if nodes were found by discovery */
        Watching(ClusterProperties place, List<String> seeds, Duration lookEvery, String akka) {
            node = new ReportingNode(store, place, akka);
            ClusterWatch.Settings settings = new ClusterWatch.Settings(
                    place.name(), seeds, true, absent, () -> rivals, lookEvery, node.ended::incrementAndGet);
            node.watches(Map.of("cluster-watch", ClusterWatch.create(settings)));
        }

        @Override
        public void close() {
            node.close();
        }
    }

    @Test
    void a_node_that_founded_a_cluster_alone_ends_when_it_meets_the_larger_one_and_then_joins_it() {
        int first = ServerProcess.freePort();
        int second = ServerProcess.freePort();
        ClusterProperties restarted = TestNode.at(first, first, second);
        // As if it were cut off: the others are not there yet.
        try (Watching alone = new Watching(restarted);
                Watching two = new Watching(TestNode.at(second, second));
                Watching three = new Watching(TestNode.at(ServerProcess.freePort(), second))) {
            soon().until(() -> alone.node.ended.get() > 0);
            assertThat(alone.absent).hasValue(1);
            assertThat(two.node.ended).hasValue(0);
            assertThat(three.node.ended).hasValue(0);

            alone.node.close();
            try (Watching again = new Watching(restarted)) {
                soon().until(() -> again.node.nodes.all().size() == 3);
                soon().until(() -> again.absent.get() == 0);
                assertThat(again.node.ended).hasValue(0);
            }
        }
    }

    @Test
    void a_cluster_of_another_name_is_no_reason_to_end() {
        int other = ServerProcess.freePort();
        int own = ServerProcess.freePort();
        try (Watching alone = new Watching(TestNode.at(own, own, other));
                Watching one = new Watching(TestNode.otherwise(other, other));
                Watching two = new Watching(TestNode.otherwise(ServerProcess.freePort(), other))) {
            soon().until(() -> one.node.nodes.all().size() == 2);
            soon().until(() -> alone.absent.get() == 1);
            await().during(Duration.ofSeconds(1)).until(() -> alone.node.ended.get() == 0);
            assertThat(two.node.ended).hasValue(0);
        }
    }

    @Test
    void a_part_with_few_of_the_seed_nodes_ends_when_somebody_else_goes_on_with_its_sagas() {
        int own = ServerProcess.freePort();
        try (Watching alone = new Watching(TestNode.at(own, own, ServerProcess.freePort(), ServerProcess.freePort()))) {
            soon().until(() -> alone.absent.get() == 2);
            await().during(Duration.ofSeconds(1)).until(() -> alone.node.ended.get() == 0);
            alone.rivals = true;
            soon().until(() -> alone.node.ended.get() > 0);
        }
    }

    @Test
    void of_parts_that_have_given_each_other_up_the_smaller_one_ends() {
        int first = ServerProcess.freePort();
        String goesOnAlone = """
                akka.cluster.split-brain-resolver.active-strategy = keep-oldest
                akka.cluster.split-brain-resolver.keep-oldest.down-if-alone = off
                """;
        // So that these two do not lose each other, whatever the machine does.
        String patient = "akka.cluster.failure-detector.acceptable-heartbeat-pause = 6s";
        // Those that are none any more are asked a few times only.
        Duration lookEvery = Duration.ofSeconds(2);
        try (Watching one = new Watching(
                        TestNode.at(first, first), List.of(), lookEvery, ReportingNode.CAN_BE_CUT_OFF + goesOnAlone);
                Watching two =
                        new Watching(TestNode.at(ServerProcess.freePort(), first), List.of(), lookEvery, patient);
                Watching three =
                        new Watching(TestNode.at(ServerProcess.freePort(), first), List.of(), lookEvery, patient)) {
            List<ReportingNode> others = List.of(two.node, three.node);
            soon().until(() -> one.node.inTouch() == 3);
            one.node.loses(others);
            soon().until(() -> one.node.nodes.all().size() == 1
                    && two.node.nodes.all().size() == 2
                    && three.node.nodes.all().size() == 2);
            assertThat(one.node.ended).hasValue(0);

            one.node.finds(others);
            soon().until(() -> one.node.ended.get() > 0);
            assertThat(two.node.ended).hasValue(0);
            assertThat(three.node.ended).hasValue(0);
        }
    }

    @Test
    void a_part_of_a_cluster_gives_way_that_has_fewer_than_half_of_the_seed_nodes() {
        List<String> three = List.of("a:1", "b:1", "c:1");
        assertThat(ClusterWatch.givesWay(three, List.of("a:1"))).isTrue();
        assertThat(ClusterWatch.givesWay(three, List.of("b:1", "c:1"))).isFalse();
        assertThat(ClusterWatch.givesWay(three, three)).isFalse();
        List<String> two = List.of("b:1", "a:1");
        assertThat(ClusterWatch.givesWay(two, List.of("b:1", "c:1", "d:1")))
                .as("a majority whose other seed node may be dead")
                .isFalse();
        assertThat(ClusterWatch.givesWay(two, List.of("c:1"))).isTrue();
        assertThat(ClusterWatch.givesWay(List.of(), List.of("a:1")))
                .as("found by discovery")
                .isFalse();
    }

    @Test
    void a_part_that_others_still_count_as_theirs_gives_way_to_those() {
        List<String> all = List.of("a:1", "b:1", "c:1", "d:1", "e:1");
        List<String> majority = List.of("a:1", "b:1", "c:1");
        assertThat(ClusterWatch.apart(all, "a:1", majority))
                .as("has given up the two others, which do not know it yet")
                .containsExactly("d:1", "e:1");
        assertThat(ClusterWatch.apart(all, "d:1", List.of("d:1", "e:1"))).isEqualTo(majority);
        assertThat(ClusterWatch.apart(majority, "d:1", List.of("d:1", "e:1")))
                .as("has been given up as well")
                .isEqualTo(majority);
    }

    @Test
    void of_two_clusters_exactly_one_takes_the_other_for_the_larger() {
        List<String> one = List.of("a:1");
        List<String> two = List.of("b:1", "c:1");
        assertThat(ClusterWatch.isLarger(two, one)).isTrue();
        assertThat(ClusterWatch.isLarger(one, two)).isFalse();
        assertThat(ClusterWatch.isLarger(List.of("b:1"), one)).isFalse();
        assertThat(ClusterWatch.isLarger(one, List.of("b:1"))).isTrue();
        assertThat(ClusterWatch.isLarger(List.of(), one))
                .as("a version that does not say")
                .isFalse();
        assertThat(ClusterWatch.isLarger(List.of(), List.of())).isFalse();
    }
}
