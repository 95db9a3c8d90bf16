package io.alphaomega.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.ActorRef;
import akka.actor.PoisonPill;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.sharding.ShardRegion;
import akka.pattern.Patterns;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.SagaSharding;
import io.alphaomega.server.saga.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Whoever begins a saga after a node has said that it is ready finds its shard at home. */
class ShardHomesTest {
    private final FaultyRepository store = new FaultyRepository();
    private final int first = ServerProcess.freePort();

    private static ConditionFactory soon() {
        return await().pollInterval(Duration.ofMillis(5));
    }

    private ReportingNode node(int port) {
        return new ReportingNode(store, TestNode.at(port, first));
    }

    /** By what every node says that it has. */
    private static int shardsWithAHome(ReportingNode asked) {
        ShardRegion.ClusterShardingStats stats = (ShardRegion.ClusterShardingStats) Patterns.ask(
                        asked.node.cluster.region(),
                        new ShardRegion.GetClusterShardingStats(scala.concurrent.duration.Duration.fromNanos(
                                Duration.ofSeconds(10).toNanos())),
                        Duration.ofSeconds(20))
                .toCompletableFuture()
                .join();
        return CollectionConverters.asJava(stats.regions()).values().stream()
                .mapToInt(region -> region.getStats().size())
                .sum();
    }

    @Test
    void every_shard_has_a_home_once_a_node_that_is_alone_is_settled_though_no_saga_was_there() {
        try (ReportingNode alone = node(first)) {
            assertThat(alone.homes.isSettled()).isFalse();
            assertThat(alone.homes.missing()).isEqualTo(SagaSharding.SHARDS);
            assertThat(shardsWithAHome(alone)).isZero();
            long began = System.nanoTime();
            alone.seeksHomes();
            soon().until(alone.homes::isSettled);
            System.out.printf("all shards had homes after %d ms%n", (System.nanoTime() - began) / 1_000_000);
            assertThat(shardsWithAHome(alone)).isEqualTo(SagaSharding.SHARDS);
            assertThat(alone.node.sagasInMemory()).isZero();
        }
    }

    @Test
    void every_shard_has_a_home_once_the_first_of_three_is_settled() {
        try (ReportingNode one = node(first);
                ReportingNode two = node(ServerProcess.freePort());
                ReportingNode three = node(ServerProcess.freePort())) {
            List<ReportingNode> all = List.of(one, two, three);
            all.forEach(ReportingNode::reports);
            soon().until(() -> all.stream().allMatch(node -> node.inTouch() == all.size()));
            assertThat(shardsWithAHome(one)).isZero();
            all.forEach(node -> node.node
                    .cluster
                    .system()
                    .systemActorOf(
                            HomeSeeker.create(node.homes, HomeSeeker.LOOK_EVERY),
                            "home-seeker",
                            akka.actor.typed.Props.empty()));
            soon().until(() -> all.stream().anyMatch(node -> node.homes.isSettled()));
            assertThat(shardsWithAHome(one)).isEqualTo(SagaSharding.SHARDS);
            soon().until(() -> all.stream().allMatch(node -> node.homes.isSettled()));
        }
    }

    @Test
    void a_node_that_joins_those_that_were_settled_once_does_not_wait_for_what_they_do_not_find_either() {
        try (ReportingNode one = node(first)) {
            one.reports();
            ActorRef coordinator = Adapter.toClassic(one.node.cluster.system())
                    .actorSelection("/system/sharding/sagaCoordinator")
                    .resolveOne(Duration.ofSeconds(10))
                    .toCompletableFuture()
                    .join();
            coordinator.tell(PoisonPill.getInstance(), ActorRef.noSender());
            try (ReportingNode two = node(ServerProcess.freePort())) {
                two.seeksHomes();
                await().during(Duration.ofSeconds(1)).until(() -> !two.homes.isSettled());
                one.homes.missing(0);
                soon().until(two.homes::isSettled);
                assertThat(shardsWithAHome(two)).isZero();
            }
        }
    }

    @Test
    void a_node_does_not_wait_for_ever() throws Exception {
        ShardHomes homes = new ShardHomes();
        homes.missing(37);
        homes.await(Duration.ofMillis(1));
        assertThat(homes.isSettled()).isTrue();
        assertThat(homes.missing()).isEqualTo(37);
    }

    @Test
    void only_what_was_given_away_is_looked_after() {
        ShardHomes homes = new ShardHomes();
        homes.counted(Set.of("1", "2"));
        homes.counted(Set.of("2", "3"));
        assertThat(homes.given()).containsExactly("1");
        assertThat(homes.given()).isEmpty();
    }
}
