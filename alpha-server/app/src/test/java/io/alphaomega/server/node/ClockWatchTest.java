package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import akka.cluster.typed.Cluster;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes whose clocks are wrong, from the start or from some time on. */
class ClockWatchTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final FaultyRepository store = new FaultyRepository();
    private final int first = ServerProcess.freePort();

    private ReportingNode node(int port, Duration ahead) {
        ReportingNode node = new ReportingNode(store, TestNode.at(port, first), "", ahead);
        ClockWatch.Settings settings = new ClockWatch.Settings(node.clock::ahead, LOOK_EVERY, node::end);
        return node.watches(Map.of("clock-watch", ClockWatch.create(node.clocks, settings)));
    }

    private ReportingNode node(int port) {
        return node(port, Duration.ZERO);
    }

    private static double offset(ReportingNode node) {
        return node.node.meters.get("alpha.clock.offset").timeGauge().value();
    }

    private static void stays(ReportingNode... nodes) {
        await().during(LOOK_EVERY.multipliedBy(12)).until(() -> {
            for (ReportingNode node : nodes) {
                if (node.ended.get() > 0) return false;
            }
            return true;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {60, -60})
    void a_node_that_joins_with_a_wrong_clock_is_refused_and_leaves(int seconds) {
        try (ReportingNode one = node(first)) {
            assertThatThrownBy(() -> node(ServerProcess.freePort(), Duration.ofSeconds(seconds)))
                    .isInstanceOf(RefusedPropertyException.class)
                    .hasMessageStartingWith("This node's clock is ")
                    .hasMessageContaining(seconds > 0 ? " s ahead of that of " : " s behind that of ")
                    .hasMessageContaining("127.0.0.1:" + first);
            await().until(() ->
                    Cluster.get(one.node.cluster.system()).state().members().size() == 1);
            stays(one);
        }
    }

    @Test
    void nodes_whose_clocks_agree_are_shown_so_and_stay() {
        try (ReportingNode one = node(first);
                ReportingNode two = node(ServerProcess.freePort(), Duration.ofMillis(300))) {
            await().until(() -> one.inTouch() == 2);
            assertThat(one.nodes.all().get(1).clock().orElseThrow().ahead())
                    .isBetween(Duration.ofMillis(-300), Duration.ofMillis(900));
            await().until(() -> Math.abs(offset(two) - 0.3) < 0.3 && Math.abs(offset(one) + 0.3) < 0.3);
            stays(one, two);
            assertThat(one.clocks.wrong()).isEmpty();
        }
    }

    @Test
    void of_two_the_younger_leaves_when_a_clock_is_set_while_they_run() {
        try (ReportingNode one = node(first);
                ReportingNode two = node(ServerProcess.freePort())) {
            await().until(() -> one.inTouch() == 2);

            one.clock.shift(Duration.ofSeconds(60));

            await().until(() -> two.ended.get() > 0);
            assertThat(two.endedBecause).contains("behind that of 127.0.0.1:" + first);
            stays(one);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {60, -60})
    void of_three_the_one_leaves_whose_clock_is_set_also_the_oldest(int seconds) {
        try (ReportingNode one = node(first);
                ReportingNode two = node(ServerProcess.freePort());
                ReportingNode three = node(ServerProcess.freePort())) {
            await().until(() -> one.inTouch() == 3 && two.inTouch() == 3 && three.inTouch() == 3);

            one.clock.shift(Duration.ofSeconds(seconds));

            await().until(() -> one.ended.get() > 0);
            assertThat(one.endedBecause).contains("most nodes of the cluster");
            stays(two, three);
            await().until(() ->
                    Math.abs(offset(one) - seconds) < 1 && Math.abs(offset(two)) < 1 && Math.abs(offset(three)) < 1);
        }
    }
}
