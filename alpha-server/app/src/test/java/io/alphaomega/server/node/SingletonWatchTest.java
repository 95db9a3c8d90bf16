package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.ActorRef;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.singleton.protobuf.ClusterSingletonMessageSerializer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that are left without what the cluster has one of. */
class SingletonWatchTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    /** Some of these a node gets to take over what a lost one had. */
    private static final Duration PATIENT = Duration.ofSeconds(1);

    /** As it travels between nodes; Akka's class of it has no name in Java. */
    private static final String HAND_OVER_TO_ME = "A";

    private final FaultyRepository store = new FaultyRepository();

    private static ConditionFactory soon() {
        return await();
    }

    /** A node that watches, and counts how often it would have ended. */
    private final class Watching implements AutoCloseable {
        final AtomicInteger ended = new AtomicInteger();
        final TestNode node;

        Watching(int port, int seed, Duration lookEvery) {
            node = new TestNode(store, TestNode.at(port, seed), new SimpleMeterRegistry(), self -> Behaviors.empty());
            node.cluster.start();
            node.cluster
                    .system()
                    .systemActorOf(
                            SingletonWatch.create(
                                    node.cluster.singletonPaths(),
                                    new SingletonWatch.Settings(lookEvery, ended::incrementAndGet)),
                            "singleton-watch",
                            Props.empty());
        }

        /** Somebody who is at work, and looks at nothing else meanwhile. */
        ActorRef isBusyUntil(CountDownLatch over) {
            var busy = node.cluster
                    .system()
                    .<String>systemActorOf(
                            Behaviors.receiveMessage(work -> {
                                over.await();
                                return Behaviors.same();
                            }),
                            "busy",
                            DispatcherSelector.blocking());
            busy.tell("work");
            return Adapter.toClassic(busy);
        }

        AtomicInteger alsoWatches(ActorRef singleton) {
            AtomicInteger ends = new AtomicInteger();
            node.cluster
                    .system()
                    .systemActorOf(
                            SingletonWatch.create(
                                    List.of(singleton.path().toStringWithoutAddress()),
                                    new SingletonWatch.Settings(LOOK_EVERY, ends::incrementAndGet)),
                            "another-watch",
                            Props.empty());
            return ends;
        }

        boolean scans() {
            return !Double.isNaN(
                    node.meters.get("alpha.saga.due.lag").timeGauge().value());
        }

        /** By a node that takes this one for the one before it, whether it belongs to the cluster or not. */
        void isAskedToHandOver(String manager) {
            ActorSystem system = Adapter.toClassic(node.cluster.system());
            Object handOverToMe = new ClusterSingletonMessageSerializer((ExtendedActorSystem) system)
                    .fromBinary(new byte[0], HAND_OVER_TO_ME);
            system.actorSelection(manager).tell(handOverToMe, ActorRef.noSender());
        }

        @Override
        public void close() {
            node.close();
        }
    }

    @Test
    void the_oldest_node_stays_while_what_the_cluster_has_one_of_is_too_busy_to_answer() {
        int port = ServerProcess.freePort();
        CountDownLatch over = new CountDownLatch(1);
        try (Watching one = new Watching(port, port, LOOK_EVERY)) {
            soon().until(one::scans);
            AtomicInteger ends = one.alsoWatches(one.isBusyUntil(over));
            try {
                await().during(Nodes.ANSWER_WITHIN.plus(LOOK_EVERY.multipliedBy(8)))
                        .until(() -> ends.get() == 0);
            } finally {
                over.countDown();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/system/sharding/sagaCoordinator", "/system/singletonManagerdue-scanner"})
    void the_oldest_node_ends_that_has_given_up_what_the_cluster_has_one_of_and_the_next_takes_it_up(String manager) {
        int first = ServerProcess.freePort();
        Watching one = new Watching(first, first, LOOK_EVERY);
        try (Watching two = new Watching(ServerProcess.freePort(), first, PATIENT)) {
            soon().until(one::scans);
            await().during(LOOK_EVERY.multipliedBy(8)).until(() -> one.ended.get() == 0);

            one.isAskedToHandOver(manager);
            soon().until(() -> one.ended.get() > 0);
            assertThat(two.ended).as("is not the oldest").hasValue(0);

            one.close();
            soon().until(two::scans);
            await().during(PATIENT.multipliedBy(8)).until(() -> two.ended.get() == 0);
        } finally {
            one.close();
        }
    }
}
