package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.redis.RedisSagaRepository;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.http.WrittenSaga;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three alphas, each a process, of which one is killed, or paused until the others take it for dead. */
@Tag("long")
class FailoverTest {
    /** Two seconds are the promise, and a busy machine has three times that. */
    private static final double TOLD_WITHIN_SECONDS = 6;

    private static final int SAGAS = 60;

    @TempDir
    Path directory;

    private final RedisServer redis = RedisServer.start();
    private final int[] ports = {ServerProcess.freePort(), ServerProcess.freePort(), ServerProcess.freePort()};
    private final List<AlphaProcess> started = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();

    @AfterEach
    void stop() {
        started.forEach(AlphaProcess::close);
        redis.close();
    }

    private static ConditionFactory soon() {
        return await().pollInterval(Duration.ofMillis(20));
    }

    private AlphaProcess start(int node) {
        AlphaProcess alpha = AlphaProcess.start(
                directory,
                "--alpha.repository.type=redis",
                "--alpha.repository.redis.uri=redis://127.0.0.1:" + redis.port(),
                "--alpha.cluster.port=" + ports[node],
                "--alpha.cluster.seed-nodes=127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1]);
        started.add(alpha);
        return alpha;
    }

    private static TestOmega omega(AlphaProcess alpha) {
        return TestOmega.welcomed(port(alpha), "hotel", UUID.randomUUID().toString());
    }

    /** Asks again until there is an answer that is one. */
    private static void insist(TestOmega omega, List<Input> inputs, long since, List<Double> seconds) {
        Set<Long> open = new HashSet<>();
        inputs.forEach(input -> open.add(input.getCorrelation()));
        omega.send(inputs.toArray(new Input[0]));
        while (!open.isEmpty()) {
            for (Ack ack : omega.acks(1)) {
                if (ack.hasUnavailable()) {
                    omega.send(inputs.get((int) ack.getCorrelation()));
                } else {
                    assertThat(ack.hasAccepted()).as("%s", ack).isTrue();
                    if (open.remove(ack.getCorrelation())) seconds.add((System.nanoTime() - since) / 1e9);
                }
            }
        }
    }

    @Test
    void sagas_go_on_without_a_node_that_was_killed_or_paused_and_it_comes_back() throws IOException {
        List<AlphaProcess> nodes = List.of(start(0), start(1), start(2));
        nodes.forEach(AlphaProcess::awaitReady);

        List<Input> begins = new ArrayList<>();
        List<Input> branches = new ArrayList<>();
        List<Input> others = new ArrayList<>();
        for (int i = 0; i < SAGAS; i++) {
            String saga = UUID.randomUUID().toString();
            begins.add(begin(i, saga));
            branches.add(beginBranch(i, saga, "one"));
            others.add(beginBranch(i, saga, "two"));
        }
        try (TestOmega omega = omega(nodes.get(1))) {
            insist(omega, begins, 0, new ArrayList<>());
            nodes.get(0).kill();
            long killed = System.nanoTime();
            insist(omega, branches, killed, seconds);
            print("the first node was killed");

            AlphaProcess again = start(0).awaitReady();
            assertThat(again.get("/actuator/health/readiness").statusCode()).isEqualTo(200);

            AlphaProcess paused = nodes.get(2);
            signal(paused, "STOP");
            insist(omega, others, System.nanoTime(), seconds);
            print("the third node was paused");
            signal(paused, "CONT");
            assertThat(paused.exitCode(Patience.LIMIT)).isEqualTo(4);
            assertThat(paused.err()).contains("alpha ends with 4", "start it again");

            int before = again.out().length();
            int beforeAtOther = nodes.get(1).out().length();
            assertThat(again.terminate().exitCode(Patience.LIMIT)).isZero();
            assertThat(nodes.get(1).out().substring(beforeAtOther))
                    .contains("Node 127.0.0.1:" + ports[0] + " has left the cluster")
                    .doesNotContain("was lost");
            assertThat(again.out().substring(before)).doesNotContain("UNREACHABLE", "SBR");
        }
    }

    private static void signal(AlphaProcess alpha, String signal) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(alpha.pid())).start();
        soon().until(() -> !kill.isAlive());
    }

    private void print(String what) {
        List<Double> sorted = seconds.stream().sorted().toList();
        System.out.printf(
                "%s: %d sagas went on after p50 %.1f s, p95 %.1f s, max %.1f s%n",
                what,
                sorted.size(),
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() * 95 / 100),
                sorted.getLast());
        seconds.clear();
    }

    /** What a node says of services, but for when those that are there were seen: now. */
    private static String services(AlphaProcess alpha) {
        return alpha.get("/api/v1/services").body().replaceAll("\"seen\":\"[^\"]*\"", "");
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    @Test
    void builds_and_what_they_offer_are_told_together_whichever_nodes_they_are_connected_to() {
        AlphaProcess first = start(0).awaitReady();
        AlphaProcess second = start(1).awaitReady();
        List<AlphaProcess> all = List.of(first, second);
        String saga = UUID.randomUUID().toString();
        String lacking = "\"lacking\":[{\"callback\":\"cancel\",\"sagas\":1,\"more\":false}]";
        try (TestOmega old = TestOmega.welcomed(port(first), "hotel", "h-1", "1.0");
                TestOmega next = TestOmega.offering(port(second), "hotel", "h-2", "1.1", "undo")) {
            assertThat(old.ask(begin(1, saga)).hasAccepted()).isTrue();
            old.run(saga, "b");
            await().until(() ->
                    all.stream().allMatch(alpha -> services(alpha).contains("\"builds\":{\"1.0\":1,\"1.1\":1}")));
            try (TestOmega further = TestOmega.offering(port(second), "hotel", "h-3", "1.2", "undo")) {
                await().until(() -> services(first).contains("\"1.2\":1"));
                assertThat(further.ask(beginBranch(1, saga, "c")).hasAccepted()).isTrue();
            }
            await().until(() -> all.stream().noneMatch(alpha -> services(alpha).contains("\"1.2\":1")));
            assertThat(all).as("the other node has an instance that offers it").allSatisfy(alpha -> {
                assertThat(services(alpha)).contains("\"lacking\":[]");
                assertThat(alpha.out()).doesNotContain("without callback cancel");
            });

            try (TestOmega same = TestOmega.offering(port(first), "hotel", "h-4", "1.1", "undo")) {
                old.vanish();

                await().until(() ->
                        all.stream().allMatch(alpha -> services(alpha).contains(lacking)));
                assertThat(first.out()).contains("Service hotel is connected without callback cancel");
                assertThat(same.callbacks).as("nobody has been asked").isEmpty();
                assertThat(next.callbacks).isEmpty();
            }
        }
    }

    private static int port(AlphaProcess alpha) {
        return Integer.parseInt(alpha.grpcAddress().replaceAll(".*:", ""));
    }

    @Test
    void every_node_says_the_same_of_services_within_two_seconds_and_what_is_stuck_is_known_soon_after_a_kill() {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS);
        try (SagaRepository store = new RedisSagaRepository(
                new RedisSagaRepository.Settings("redis://127.0.0.1:" + redis.port(), 0, true, Optional.empty()))) {
            for (int i = 0; i < 3; i++) new WrittenSaga(store, "s-" + i, now).suspended("trip " + i, "hotel");
        }
        AlphaProcess oldest = start(0).awaitReady();
        AlphaProcess second = start(1).awaitReady();
        AlphaProcess third = start(2).awaitReady();
        List<AlphaProcess> all = List.of(oldest, second, third);
        await().until(() -> services(third).contains("\"stuck\":3"));

        double cameWithin;
        double wentWithin;
        try (TestOmega hotel = omega(second)) {
            long connects = System.nanoTime();
            assertThat(hotel.ended).isNotDone();
            soon().until(() -> all.stream().allMatch(alpha -> services(alpha).contains("\"connected\":true")));
            cameWithin = since(connects);
            soon().until(() ->
                    all.stream().map(FailoverTest::services).distinct().count() == 1);
        }
        long leaves = System.nanoTime();
        soon().until(() -> all.stream().allMatch(alpha -> services(alpha).contains("\"connected\":false")));
        wentWithin = since(leaves);

        String stuck = "alpha_sagas_stuck{reason=\"SUSPENDED\",service=\"hotel\"} 3.0";
        assertThat(oldest.get("/actuator/prometheus").body()).contains(stuck);
        oldest.kill();
        long killed = System.nanoTime();
        soon().until(() -> Stream.of(second, third)
                .anyMatch(alpha -> alpha.get("/actuator/prometheus").body().contains(stuck)));
        System.out.printf(
                "all three nodes: a service was there within %.1f s, gone within %.1f s; stuck sagas known again %.1f s after a kill -9%n",
                cameWithin, wentWithin, since(killed));
        assertThat(cameWithin).isLessThan(TOLD_WITHIN_SECONDS);
        assertThat(wentWithin).isLessThan(TOLD_WITHIN_SECONDS);
    }
}
