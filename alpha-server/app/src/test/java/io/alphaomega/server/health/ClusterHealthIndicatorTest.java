package io.alphaomega.server.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class ClusterHealthIndicatorTest {
    private final FaultyRepository store = new FaultyRepository();

    private static ConditionFactory soon() {
        return await().pollInterval(Duration.ofMillis(20));
    }

    private TestNode node(int port, int seedPort) {
        return new TestNode(store, TestNode.at(port, seedPort), new SimpleMeterRegistry(), self -> Behaviors.empty());
    }

    private static Health health(TestNode node) {
        return new ClusterHealthIndicator(node.cluster).health();
    }

    @Test
    void a_node_is_ready_while_it_is_a_member_and_neither_before_nor_after() {
        int port = ServerProcess.freePort();
        try (TestNode node = node(port, port)) {
            assertThat(health(node).getStatus()).isEqualTo(Status.DOWN);
            node.cluster.start();
            assertThat(health(node).getStatus()).isEqualTo(Status.UP);
            node.cluster.stop();
            assertThat(health(node).getStatus()).isEqualTo(Status.DOWN);
        }
    }

    @Test
    void a_node_is_ready_without_a_minority_and_not_without_the_majority() {
        int[] ports =
                IntStream.generate(ServerProcess::freePort).limit(3).sorted().toArray();
        int highest = ports[2]; // Of two halves the one with the lowest address goes on.
        try (TestNode one = node(highest, highest);
                TestNode two = node(ports[1], highest);
                TestNode three = node(ports[0], highest)) {
            one.cluster.start();
            two.cluster.start();
            three.cluster.start();

            three.cluster.system().terminate(); // Without a word to the others.
            soon().until(() -> !health(three).getStatus().equals(Status.UP));
            soon().untilAsserted(() -> {
                Health seen = health(one);
                assertThat(seen.getDetails()).containsKey("unreachable");
                assertThat(seen.getStatus()).isEqualTo(Status.UP);
            });

            two.cluster.system().terminate();
            soon().untilAsserted(() -> assertThat(health(one).getStatus()).isEqualTo(Status.DOWN));
        }
    }
}
