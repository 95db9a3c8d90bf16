package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.Address;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.typed.Cluster;
import akka.remote.RARP;
import akka.remote.testkit.Blackhole;
import akka.remote.testkit.Direction;
import akka.remote.testkit.SetThrottle;
import akka.remote.testkit.ThrottleMode;
import akka.remote.testkit.Unthrottled;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProperties.Cluster.Resolver;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** Nodes that others have given up, and that are in reach again. */
class RemovalWatchTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    /** After which Akka's nodes would be deaf to one that they have given up. */
    private static final Duration AKKAS_OWN = Duration.ofSeconds(5);

    private static final String CAN_BE_CUT_OFF = "akka.remote.artery.advanced.test-mode = on\n";

    /** As if it were out of reach for just too short to come to a decision of its own. */
    private static final String UNDECIDED = "akka.cluster.split-brain-resolver.stable-after = 10m\n";

    private final FaultyRepository store = new FaultyRepository();

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private ReportingNode watching(int port, int seed, String settings) {
        ReportingNode node = new ReportingNode(store, TestNode.at(port, seed), settings);
        RemovalWatch.Settings watch =
                new RemovalWatch.Settings(Resolver.KEEP_MAJORITY, LOOK_EVERY, node.ended::incrementAndGet);
        return node.watches(Map.of("removal-watch", RemovalWatch.create(watch)));
    }

    private static Address address(ReportingNode node) {
        return Cluster.get(node.node.cluster.system()).selfMember().address();
    }

    private static void between(ReportingNode node, List<ReportingNode> others, ThrottleMode mode) {
        for (ReportingNode other : others) {
            var unused = ((RARP) RARP.get(Adapter.toClassic(node.node.cluster.system())))
                    .provider()
                    .transport()
                    .managementCommand(new SetThrottle(address(other), Direction.Both$.MODULE$, mode));
        }
    }

    @Test
    void a_node_ends_that_is_in_reach_again_after_the_others_have_given_it_up() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = watching(first, first, CAN_BE_CUT_OFF + UNDECIDED);
                ReportingNode two = watching(ServerProcess.freePort(), first, "");
                ReportingNode three = watching(ServerProcess.freePort(), first, "")) {
            List<ReportingNode> others = List.of(two, three);
            soon().until(() -> one.inTouch() == 3 && two.inTouch() == 3 && three.inTouch() == 3);

            between(one, others, Blackhole.getInstance());
            soon().until(() -> two.nodes.all().size() == 2 && three.nodes.all().size() == 2);
            await().during(AKKAS_OWN.plusSeconds(2))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> one.ended.get() == 0);

            between(one, others, Unthrottled.getInstance());
            soon().until(() -> one.ended.get() > 0);
            assertThat(two.ended).hasValue(0);
            assertThat(three.ended).hasValue(0);
        }
    }

    private static final Address A = new Address("akka", "alpha", "a", 1);
    private static final Address B = new Address("akka", "alpha", "b", 1);
    private static final Address C = new Address("akka", "alpha", "c", 1);
    private static final List<String> ALL = List.of("a:1", "b:1", "c:1");
    private static final List<String> SILENT = List.of();

    private static boolean isRemoved(
            Address self, Address oldest, Map<Address, List<String>> known, Resolver resolver) {
        return RemovalWatch.isRemoved(self, Optional.of(oldest), known, resolver);
    }

    private static boolean isRemoved(Address self, Map<Address, List<String>> known) {
        return isRemoved(self, C, known, Resolver.KEEP_MAJORITY);
    }

    @Test
    void the_larger_part_goes_on() {
        List<String> others = List.of("b:1", "c:1");
        assertThat(isRemoved(A, Map.of(B, others, C, others))).isTrue();
        assertThat(isRemoved(A, Map.of(B, others, C, SILENT)))
                .as("one that does not answer is said to go on")
                .isTrue();
        assertThat(isRemoved(A, Map.of(B, ALL, C, ALL))).isFalse();
        assertThat(isRemoved(A, Map.of(B, SILENT, C, SILENT))).isFalse();
        assertThat(isRemoved(A, Map.of())).isFalse();
        assertThat(isRemoved(A, Map.of(B, List.of("b:1"), C, ALL)))
                .as("one that has given up all others")
                .isFalse();
        assertThat(isRemoved(A, Map.of(B, others, C, ALL)))
                .as("one that has given up this node only, and another that has not")
                .isFalse();
        assertThat(isRemoved(C, Map.of(A, List.of("a:1", "b:1"), B, List.of("a:1", "b:1", "d:1"))))
                .isTrue();
        assertThat(isRemoved(A, Map.of(B, List.of("b:1", "d:1"), C, SILENT)))
                .as("nodes that this one does not know do not count")
                .isFalse();
    }

    @Test
    void of_two_equal_parts_that_with_the_lowest_address_goes_on() {
        assertThat(isRemoved(B, Map.of(A, List.of("a:1")))).isTrue();
        assertThat(isRemoved(A, Map.of(B, List.of("b:1")))).isFalse();
    }

    @Test
    void the_oldest_goes_on_if_that_is_configured_and_nobody_if_that_is() {
        Map<Address, List<String>> withoutA = Map.of(B, List.of("b:1"), C, ALL);
        assertThat(isRemoved(A, B, withoutA, Resolver.KEEP_OLDEST)).isTrue();
        assertThat(isRemoved(A, C, withoutA, Resolver.KEEP_OLDEST)).isFalse();
        assertThat(isRemoved(A, A, withoutA, Resolver.KEEP_OLDEST)).isFalse();
        assertThat(isRemoved(A, C, withoutA, Resolver.DOWN_ALL)).isTrue();
        assertThat(isRemoved(A, C, Map.of(B, ALL, C, SILENT), Resolver.DOWN_ALL))
                .isFalse();
    }
}
