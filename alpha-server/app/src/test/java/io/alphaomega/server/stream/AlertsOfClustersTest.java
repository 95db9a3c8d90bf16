package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.Dashboards;
import io.alphaomega.server.clock.BehindClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** As {@link AlertsOfOneAlphaTest}, of several. */
@Tag("long")
class AlertsOfClustersTest {
    private static final Duration LOADED_FOR = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private final RedisServer redis = RedisServer.start("appendfsync always");
    private final List<AlphaProcess> started = new ArrayList<>();
    private final int[] ports =
            IntStream.generate(ServerProcess::freePort).limit(3).toArray();
    private final int[] http =
            IntStream.generate(ServerProcess::freePort).limit(3).toArray();

    @AfterEach
    void stop() {
        started.forEach(AlphaProcess::close);
        redis.close();
    }

    private AlphaProcess start(String... arguments) {
        AlphaProcess alpha = AlphaProcess.start(
                directory,
                // Small enough for a collection now and then, of which a panel tells.
                Map.of("JDK_JAVA_OPTIONS", "-Xmx256m"),
                Stream.concat(
                                Stream.of(
                                        "--alpha.repository.type=redis",
                                        "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis.port()),
                                Stream.of(arguments))
                        .toArray(String[]::new));
        started.add(alpha);
        return alpha;
    }

    /** One of three. */
    private AlphaProcess member(int number, String... arguments) {
        String seeds = IntStream.of(ports).mapToObj(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        return start(Stream.concat(
                        Stream.of(
                                "--alpha.cluster.seed-nodes=" + seeds,
                                "--alpha.cluster.port=" + ports[number],
                                "--server.port=" + http[number]),
                        Stream.of(arguments))
                .toArray(String[]::new));
    }

    @Test
    @Fires(
            value = "AlphaClockOff",
            also = {"AlphaNotReachable", "AlphaTwoClusters"})
    void of_three_nodes_one_whose_clock_is_behind_and_that_is_killed(TestInfo test) throws Exception {
        AlphaProcess one = member(0).awaitReady();
        AlphaProcess two = member(1);
        AlphaProcess three = member(2, "--spring.main.sources=" + BehindClock.class.getName());
        two.awaitReady();
        three.awaitReady();
        try (Alarms alarms = new Alarms(test, directory, one, two, three)) {
            String node = "instance=" + three.httpAddress();
            assertThat(alarms.fires("AlphaClockOff", node).annotations().get("summary"))
                    .matches("The clock of %s is [5-9]\\d\\dms off".formatted(three.httpAddress()));
            assertThat(alarms.firing("AlphaClockOff"))
                    .as("the clocks of the other two are right")
                    .hasSize(1);

            three.kill();
            alarms.fires("AlphaNotReachable", node);
            alarms.fires("AlphaTwoClusters", "instance=" + one.httpAddress());
            alarms.fires("AlphaTwoClusters", "instance=" + two.httpAddress());
            member(2).awaitReady();
            alarms.resolves("AlphaNotReachable", "AlphaTwoClusters", "AlphaClockOff");
            alarms.wereAll();
        }
    }

    /** An alpha suspects a rival when its cluster has not changed for a minute. */
    @Test
    @Fires({"AlphaTwoClusters", "AlphaConflicts"})
    void two_alphas_on_one_store_that_know_nothing_of_each_other(TestInfo test) throws Exception {
        AlphaProcess one = start().awaitReady();
        AlphaProcess other = start().awaitReady();
        try (Alarms alarms = new Alarms(test, directory, one, other)) {
            try (Quarrel quarrel = new Quarrel(one, other)) {
                assertThat(quarrel).isNotNull();
                alarms.fires("AlphaConflicts");
                alarms.fires("AlphaTwoClusters");
            }
            alarms.resolves("AlphaConflicts");
            alarms.wereAll();
        }
    }

    /** As by a balancer that has both alphas: what one has in memory the other goes on with, twenty times a second. */
    private static final class Quarrel implements AutoCloseable {
        private static final int BRANCHES = 100;
        private static final long EVERY_MILLIS = 100;

        private final Rounds rounds = new Rounds(1);
        private final TestOmega here;
        private final TestOmega there;
        private String saga = "";
        private int branches = BRANCHES;

        Quarrel(AlphaProcess one, AlphaProcess other) {
            here = AnsweringOmega.of(one, "booking");
            there = AnsweringOmega.of(other, "booking");
            rounds.apart(EVERY_MILLIS, this::goOn);
        }

        private void goOn() {
            if (branches++ == BRANCHES) {
                branches = 0;
                saga = UUID.randomUUID().toString();
                here.ask(TestOmega.begin(1, saga));
            }
            here.ask(TestOmega.beginBranch(1, saga, "here-" + branches));
            there.ask(TestOmega.beginBranch(1, saga, "there-" + branches));
        }

        @Override
        public void close() {
            try {
                rounds.close();
            } finally {
                here.close();
                there.close();
            }
        }
    }

    /** For six times as long as any alert waits in haste. */
    @Test
    @Fires({})
    void three_nodes_under_load_fire_nothing_and_each_panel_has_data(TestInfo test) throws Exception {
        AlphaProcess one = member(0).awaitReady();
        AlphaProcess two = member(1);
        AlphaProcess three = member(2);
        two.awaitReady();
        three.awaitReady();
        try (Balancer balancer = new Balancer(directory, one, two, three);
                Alarms alarms = new Alarms(test, directory, balancer, one, two, three);
                Trips trips = new Trips(balancer.grpcPort())) {
            await().until(() -> trips.lasted(LOADED_FOR) && trips.made() > 1_000);
            assertThat(Dashboards.queries())
                    .filteredOn(query -> !query.isOfSearch())
                    .allSatisfy(
                            query -> assertThat(alarms.series(query.toAsk())).isPositive());
            alarms.wereAll();
        }
    }
}
