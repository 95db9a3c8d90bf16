package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.Behaviors;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nodes that have lost the store, alone or with all others. */
class StoreWatchTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final FaultyRepository store = new FaultyRepository();

    /** A node that says so of the store, and counts how often it would have ended. */
    private final class Watching implements AutoCloseable {
        volatile Duration awayFor = Duration.ZERO;
        volatile Duration storedAgo = Duration.ZERO;
        final AtomicInteger ended = new AtomicInteger();
        final Nodes nodes = new Nodes();
        private final TestNode node;

        Watching(int port, int seed) {
            SimpleMeterRegistry meters = new SimpleMeterRegistry();
            node = new TestNode(store, TestNode.at(port, seed), meters, self -> Behaviors.empty());
            node.cluster.start();
            new NodeLifecycle(
                            node.cluster,
                            nodes,
                            new ShardMetrics(meters),
                            shards -> {},
                            Duration.ofSeconds(5),
                            () -> 0,
                            Quiet.STREAMS,
                            Quiet.CLUSTER,
                            new StoreWatch.Settings(
                                    () -> awayFor, () -> storedAgo, LOOK_EVERY, true, ended::incrementAndGet),
                            Quiet.SINGLETONS)
                    .start();
        }

        @Override
        public void close() {
            nodes.close();
            node.close();
        }
    }

    private static void staysForAWhile(Watching node) {
        await().during(LOOK_EVERY.multipliedBy(8))
                .atMost(Duration.ofSeconds(10))
                .until(() -> node.ended.get() == 0);
    }

    @Test
    void a_node_ends_that_alone_has_lost_the_store_and_none_when_too_few_would_be_left() {
        int first = ServerProcess.freePort();
        try (Watching one = new Watching(first, first);
                Watching two = new Watching(ServerProcess.freePort(), first);
                Watching three = new Watching(ServerProcess.freePort(), first)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> one.nodes.all().size() == 3);
            for (Watching node : List.of(one, two, three)) {
                node.awayFor = Quiet.LONG;
                node.storedAgo = Quiet.LONG;
            }
            staysForAWhile(one);

            three.awayFor = Duration.ZERO;
            three.storedAgo = Duration.ZERO;
            staysForAWhile(one);
            assertThat(two.ended).as("the third alone would end as well").hasValue(0);

            two.awayFor = Duration.ZERO;
            two.storedAgo = Duration.ZERO;
            one.awayFor = LOOK_EVERY.dividedBy(2);
            staysForAWhile(one);

            one.awayFor = Quiet.LONG;
            await().atMost(Duration.ofSeconds(30)).until(() -> one.ended.get() > 0);
            assertThat(one.ended).hasValue(1);
        }
    }

    @Test
    void of_two_nodes_none_ends() {
        int first = ServerProcess.freePort();
        try (Watching one = new Watching(first, first);
                Watching two = new Watching(ServerProcess.freePort(), first)) {
            await().atMost(Duration.ofSeconds(30)).until(() -> one.nodes.all().size() == 2);
            two.awayFor = Quiet.LONG;
            staysForAWhile(two);
            assertThat(one.ended).hasValue(0);
        }
    }

    @Test
    void a_node_that_is_alone_stays_whatever_becomes_of_the_store() {
        int port = ServerProcess.freePort();
        try (Watching alone = new Watching(port, port)) {
            alone.awayFor = Quiet.LONG;
            staysForAWhile(alone);
        }
    }
}
