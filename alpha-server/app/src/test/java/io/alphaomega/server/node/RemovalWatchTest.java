package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.Address;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.properties.ClusterProperties.Resolver;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

/** Nodes that others have given up, and that are in reach again. */
class RemovalWatchTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    /** After which Akka's nodes would be deaf to one that they have given up. */
    private static final Duration AKKAS_OWN = Duration.ofSeconds(5);

    /** As if it were out of reach for just too short to come to a decision of its own. */
    private static final String UNDECIDED = "akka.cluster.split-brain-resolver.stable-after = 10m\n";

    /** So that the others do not lose each other, whatever the machine does. */
    private static final String PATIENT = "akka.cluster.failure-detector.acceptable-heartbeat-pause = 6s\n";

    private final FaultyRepository store = new FaultyRepository();

    private static ConditionFactory soon() {
        return await();
    }

    private ReportingNode watching(int port, int seed, String settings) {
        ReportingNode node = new ReportingNode(store, TestNode.at(port, seed), settings);
        RemovalWatch.Settings watch =
                new RemovalWatch.Settings(Resolver.KEEP_MAJORITY, LOOK_EVERY, node.ended::incrementAndGet);
        return node.watches(Map.of("removal-watch", RemovalWatch.create(watch)));
    }

    @Test
    void a_node_ends_that_is_in_reach_again_after_the_others_have_given_it_up() {
        int first = ServerProcess.freePort();
        try (ReportingNode one = watching(first, first, ReportingNode.CAN_BE_CUT_OFF + UNDECIDED);
                ReportingNode two = watching(ServerProcess.freePort(), first, PATIENT);
                ReportingNode three = watching(ServerProcess.freePort(), first, "")) {
            List<ReportingNode> others = List.of(two, three);
            soon().until(() -> one.inTouch() == 3 && two.inTouch() == 3 && three.inTouch() == 3);

            one.loses(others);
            soon().until(() -> two.nodes.all().size() == 2 && three.nodes.all().size() == 2);
            await().during(AKKAS_OWN.plusSeconds(2)).until(() -> one.ended.get() == 0);

            one.finds(others);
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
            Address self, Map<Address, List<String>> known, Set<Address> up, Address oldest, Resolver resolver) {
        return RemovalWatch.part(self, known, up).goesOn(Optional.of(oldest), resolver);
    }

    private static boolean isRemoved(Address self, Map<Address, List<String>> known) {
        return isRemoved(self, known, known.keySet(), C, Resolver.KEEP_MAJORITY);
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
        assertThat(isRemoved(A, Map.of(B, others, C, others), Set.of(B), C, Resolver.KEEP_MAJORITY))
                .as("one that this node has given up already goes on all the same")
                .isTrue();
    }

    @Test
    void of_two_equal_parts_that_with_the_lowest_address_goes_on() {
        assertThat(isRemoved(B, Map.of(A, List.of("a:1")))).isTrue();
        assertThat(isRemoved(A, Map.of(B, List.of("b:1")))).isFalse();
        assertThat(isRemoved(B, Map.of(A, List.of("a:1"), C, SILENT), Set.of(A), A, Resolver.KEEP_MAJORITY))
                .as("a third one has just died")
                .isTrue();
    }

    @Test
    void the_oldest_goes_on_if_that_is_configured_but_not_alone() {
        Map<Address, List<String>> ofThree = Map.of(B, List.of("b:1"), C, ALL);
        Map<Address, List<String>> ofTwo = Map.of(B, List.of("b:1"));
        Map<Address, List<String>> cutOff = Map.of(B, List.of("b:1", "c:1"), C, List.of("b:1", "c:1"));
        assertThat(isRemoved(A, ofTwo, ofTwo.keySet(), B, Resolver.KEEP_OLDEST)).isTrue();
        assertThat(isRemoved(A, ofTwo, ofTwo.keySet(), A, Resolver.KEEP_OLDEST)).isFalse();
        assertThat(isRemoved(A, ofThree, ofThree.keySet(), B, Resolver.KEEP_OLDEST))
                .as("the oldest alone")
                .isFalse();
        assertThat(isRemoved(A, ofThree, ofThree.keySet(), C, Resolver.KEEP_OLDEST))
                .as("the oldest is here")
                .isFalse();
        assertThat(isRemoved(A, cutOff, cutOff.keySet(), B, Resolver.KEEP_OLDEST))
                .isTrue();
        assertThat(isRemoved(A, cutOff, cutOff.keySet(), A, Resolver.KEEP_OLDEST))
                .as("is the oldest, alone")
                .isTrue();
    }

    @Test
    void nobody_goes_on_if_that_is_configured() {
        Map<Address, List<String>> oneHas = Map.of(B, List.of("b:1"), C, ALL);
        Map<Address, List<String>> noneHas = Map.of(B, ALL, C, SILENT);
        assertThat(isRemoved(A, oneHas, oneHas.keySet(), C, Resolver.DOWN_ALL)).isTrue();
        assertThat(isRemoved(A, noneHas, noneHas.keySet(), C, Resolver.DOWN_ALL))
                .isFalse();
    }
}
