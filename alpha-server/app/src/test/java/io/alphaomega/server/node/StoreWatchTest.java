package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that have lost the store, alone or with all others. */
class StoreWatchTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofHours(1);

    private final FaultyRepository store = new FaultyRepository();

    /** A node that says so of the store. */
    private final class Watching implements AutoCloseable {
        volatile Duration awayFor = Duration.ZERO;
        final ReportingNode node;

        Watching(int port, int seed) {
            node = new ReportingNode(store, TestNode.at(port, seed));
            StoreWatch.Settings settings = new StoreWatch.Settings(
                    () -> awayFor, () -> node.storedAgo, LOOK_EVERY, true, node.ended::incrementAndGet);
            node.watches(Map.of("store-watch", StoreWatch.create(settings)));
        }

        @Override
        public void close() {
            node.close();
        }
    }

    private static void staysForAWhile(Watching node) {
        await().during(LOOK_EVERY.multipliedBy(8)).until(() -> node.node.ended.get() == 0);
    }

    @Test
    void a_node_ends_that_alone_has_lost_the_store_and_none_when_too_few_would_be_left() {
        int first = ServerProcess.freePort();
        try (Watching one = new Watching(first, first);
                Watching two = new Watching(ServerProcess.freePort(), first);
                Watching three = new Watching(ServerProcess.freePort(), first)) {
            await().until(() -> one.node.nodes.all().size() == 3);
            for (Watching node : List.of(one, two, three)) {
                node.awayFor = LONG;
                node.node.storedAgo = LONG;
            }
            staysForAWhile(one);

            three.awayFor = Duration.ZERO;
            three.node.storedAgo = Duration.ZERO;
            staysForAWhile(one);
            assertThat(two.node.ended).as("the third alone would end as well").hasValue(0);

            two.awayFor = Duration.ZERO;
            two.node.storedAgo = Duration.ZERO;
            one.awayFor = LOOK_EVERY.dividedBy(2);
            staysForAWhile(one);

            one.awayFor = LONG;
            await().until(() -> one.node.ended.get() > 0);
            assertThat(one.node.ended).hasValue(1);
        }
    }

    @Test
    void of_two_nodes_none_ends() {
        int first = ServerProcess.freePort();
        try (Watching one = new Watching(first, first);
                Watching two = new Watching(ServerProcess.freePort(), first)) {
            await().until(() -> one.node.nodes.all().size() == 2);
            two.awayFor = LONG;
            staysForAWhile(two);
            assertThat(one.node.ended).hasValue(0);
        }
    }

    @Test
    void a_node_that_is_alone_stays_whatever_becomes_of_the_store() {
        int port = ServerProcess.freePort();
        try (Watching alone = new Watching(port, port)) {
            alone.awayFor = LONG;
            staysForAWhile(alone);
        }
    }
}
