package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.Props;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes that have more than their share of the streams. */
class StreamBalanceTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final FaultyRepository store = new FaultyRepository();

    /** A node that says that it has so many streams, and does not care itself. */
    private final class Crowd implements AutoCloseable {
        /** How often the node has looked. */
        final AtomicInteger looks = new AtomicInteger();

        final ReportingNode node;
        final AtomicInteger streams;

        Crowd(int port, int seed) {
            node = new ReportingNode(store, TestNode.at(port, seed)).reports();
            streams = node.streams;
        }

        /** From now on it looks, and asks so. */
        void cares(IntConsumer move) {
            StreamBalance.Settings settings = new StreamBalance.Settings(
                    () -> {
                        looks.incrementAndGet();
                        return streams.get();
                    },
                    move,
                    LOOK_EVERY);
            node.node.cluster.system().systemActorOf(StreamBalance.create(settings), "caring", Props.empty());
        }

        @Override
        public void close() {
            node.close();
        }
    }

    private static void awaitNodes(Crowd one, int count) {
        await().until(() -> one.node.inTouch() == count);
    }

    @Test
    void a_node_asks_a_few_at_a_time_to_move_until_it_has_its_share() {
        int first = ServerProcess.freePort();
        try (Crowd one = new Crowd(first, first);
                Crowd two = new Crowd(ServerProcess.freePort(), first);
                Crowd three = new Crowd(ServerProcess.freePort(), first)) {
            one.streams.set(40);
            two.streams.set(20);
            awaitNodes(one, 3);
            List<Integer> asked = new CopyOnWriteArrayList<>();

            one.cares(count -> {
                asked.add(count);
                one.streams.addAndGet(-count);
                three.streams.addAndGet(count);
            });

            await().until(() -> one.streams.get() <= 22);
            int looks = one.looks.get();
            await().until(() -> one.looks.get() > looks + 5);
            assertThat(asked)
                    .as("of 40, a twentieth at a time, at least one, until a tenth too many")
                    .startsWith(2, 1, 1)
                    .hasSize(17);
        }
    }

    @Test
    void omegas_that_come_back_are_asked_ever_more_rarely() {
        int first = ServerProcess.freePort();
        try (Crowd one = new Crowd(first, first);
                Crowd two = new Crowd(ServerProcess.freePort(), first)) {
            one.streams.set(10);
            awaitNodes(one, 2);
            List<Integer> when = new CopyOnWriteArrayList<>();

            one.cares(count -> when.add(one.looks.get()));

            await().until(() -> when.size() == 4);
            List<Integer> between = IntStream.range(1, 4)
                    .mapToObj(i -> when.get(i) - when.get(i - 1))
                    .toList();
            assertThat(between.get(0)).isGreaterThan(6);
            assertThat(between.get(1)).isGreaterThan(12);
            assertThat(between.get(2)).isGreaterThan(24);
            assertThat(two.streams).hasValue(0);
        }
    }

    @Test
    void nobody_is_asked_while_a_node_does_not_say_how_many_it_has() {
        int first = ServerProcess.freePort();
        try (Crowd one = new Crowd(first, first);
                ReportingNode silent = new ReportingNode(store, TestNode.at(ServerProcess.freePort(), first))) {
            one.streams.set(10);
            await().until(() -> one.node.nodes.all().size() == 2);
            await().until(() -> Cluster.get(silent.node.cluster.system())
                    .selfMember()
                    .status()
                    .equals(MemberStatus.up()));
            assertThat(one.node.inTouch()).as("those that say").isLessThan(2);
            AtomicInteger asked = new AtomicInteger();

            one.cares(asked::addAndGet);

            await().until(() -> one.looks.get() > 5);
            assertThat(asked).hasValue(0);
        }
    }
}
