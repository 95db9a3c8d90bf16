package io.alphaomega.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.benchmark.cluster.ClusterScript.Outcome;
import io.alphaomega.benchmark.load.ContinuousLoad;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("processes")
final class ClusterScriptTest {
    private final ClusterScript cluster = new ClusterScript();
    private final Path directory = ServerProcess.newDirectory("build");

    @AfterEach
    void down() {
        cluster.close();
        ServerProcess.delete(directory);
    }

    private Outcome succeeds(String... words) {
        return succeeded(cluster.run(words));
    }

    private static Outcome succeeded(Outcome outcome) {
        assertThat(outcome.code()).as(outcome.out()).isZero();
        return outcome;
    }

    @Test
    void a_cluster_loses_a_node_and_gets_it_back_and_restarts_and_goes_and_no_saga_is_lost() throws IOException {
        Outcome up =
                succeeded(cluster.up("--nodes", "2", "--jar", anotherBuild().toString()));
        assertThat(up.out()).contains(cluster.grpc(), cluster.http(), "alpha-benchmark run");
        assertThat(table(succeeded(cluster.up())))
                .as("up changes nothing of what is up")
                .isEqualTo(table(up));
        Set<String> before = jars();
        assertThat(before).hasSize(1);

        underLoad(() -> {
            succeeds("kill", "2");
            assertThat(succeeds("status").out()).containsPattern("(?m)^2 +dead").containsPattern("(?m)^1 +runs");
            succeeds("heal");
            shows("(?m)^1 +runs +- +yes +Up");
            shows("(?m)^2 +runs +- +yes +Up");
            assertThat(cluster.processes())
                    .as("nodes, of which heal started one, have the options of up")
                    .filteredOn(line -> line.contains("alpha-server.jar"))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains(ClusterScript.JVM));
            assertThat(jars()).as("heal starts no other build").isEqualTo(before);
        });
        nobodyNotices(() -> assertThat(succeeds("rolling-restart").out()).contains("node-1 left in", "node-2 left in"));
        assertThat(jars()).hasSize(1).doesNotContainAnyElementsOf(before);

        succeeds("down");
        assertThat(cluster.processes()).isEmpty();
        assertThat(succeeds("status").out()).containsPattern("(?m)^balancer +dead");
    }

    @Test
    @Tag("long")
    void nodes_that_are_paused_or_cut_off_are_shown_as_such_and_heal_and_no_saga_is_lost() {
        boolean canCut = succeeded(cluster.up()).out().contains(" 198.18.");
        assertThat(succeeds("logs", "2").out()).contains("alpha ready: grpc ");
        assertThat(succeeds("logs", "balancer").out()).isNotBlank();

        underLoad(() -> {
            assertThat(succeeds("pause", "1").out()).contains("node-1 is paused until 'heal'.");
            assertThat(succeeds("status").out()).containsPattern("(?m)^1 +paused");
            succeeds("heal", "1");
            shows("(?m)^1 +runs +- +yes +Up");

            assertThat(succeeds("pause", "1", "1").out()).contains("node-1 is paused for 1 s.");
            // Nobody heals it.
            shows("(?m)^1 +runs +- +yes +Up");

            succeeds("pause", "balancer");
            Outcome up = cluster.up();
            assertThat(up.code()).as(up.out()).isEqualTo(1);
            assertThat(up.out()).contains("balancer is paused: 'scripts/cluster heal' first.");
            succeeds("heal");

            if (canCut) cutAndHeal();
            else refusesToCut();
        });
    }

    private void cutAndHeal() {
        assertThat(succeeds("cut", "1", "clients", "in").out()).contains("node-1 is cut off: clients (in).");
        shows("(?m)^1 +runs +clients +no");
        shows("alpha-1 down");
        succeeds("heal", "1");
        shows("alpha-1 up");

        assertThat(succeeds("cut", "3").out()).contains("node-3 is cut off: peers.");
        assertThat(succeeds("cut", "2", "store", "out").out()).contains("node-2 is cut off: store (out).");
        shows("(?m)^2 +runs +store +no");
        await().untilAsserted(() -> assertThat(succeeds("logs", "3").out())
                .as("the smaller part ends")
                .contains("== The process ended with code 4."));
        assertThat(succeeds("status").out()).containsPattern("(?m)^3 +\\w+ +peers");
        assertThat(succeeds("heal").out()).contains("All is well again.");
        for (int node = 1; node <= 3; node++) shows("(?m)^" + node + " +runs +- +yes +Up");
    }

    private void refusesToCut() {
        Outcome cut = cluster.run("cut", "1");
        assertThat(cut.code()).isEqualTo(1);
        assertThat(cut.out()).contains("on the loopback network, where nothing can be cut");
    }

    /** In the end. */
    private void shows(String pattern) {
        await().untilAsserted(() -> assertThat(succeeds("status").out()).containsPattern(pattern));
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"mariadb", "mysql", "postgresql", "elasticsearch"})
    void a_cluster_on_each_other_store_loses_it_for_a_moment_and_a_node_and_no_saga(String store) {
        succeeded(cluster.up("--nodes", "2", "--store", store, "--network", "loopback"));
        underLoad(() -> {
            succeeds("pause", "store", "2");
            shows(store + " runs");
            succeeds("kill", "store");
            succeeds("kill", "2");
            assertThat(succeeds("status").out()).contains(store + " dead").containsPattern("(?m)^2 +dead");
            succeeds("heal");
            shows("(?m)^2 +runs +- +yes +Up");
            refusesToCut();
        });
    }

    @Tag("long")
    @Test
    void five_hundred_streams_are_back_soon_after_a_node_was_killed_and_started_again() {
        succeeded(cluster.up());
        Outcome storm = cluster.disturb(
                List.of("kill 1", "heal"),
                "--services=10",
                "--connections=50",
                "--rate=50",
                "--warmup=30s",
                "--watch=30s",
                "--threshold=streamsBackMillis.max<=15000");
        assertThat(storm.code()).as(storm.out()).isZero();
        assertThat(storm.out())
                .containsPattern("[1-9]\\d* streams were lost of 500, and all were back")
                .contains("Threshold met: streamsBackMillis.max <= 15000")
                .contains("Verified: ");
    }

    @Tag("long")
    @Test
    void a_cluster_restarts_node_by_node_and_nobody_notices() {
        succeeded(cluster.up());

        nobodyNotices(() -> assertThat(succeeds("rolling-restart").out())
                .contains("node-1 left in", "node-2 left in", "node-3 left in"));
    }

    /** The checkout's, made at another time. */
    private Path anotherBuild() throws IOException {
        Path built = Path.of(System.getProperty("alpha.target"));
        Command.of("cp", "-r", built.resolve("alpha-server.jar"), built.resolve("lib"), directory)
                .run(directory);
        return directory.resolve("alpha-server.jar");
    }

    /** Which the nodes run. */
    private Set<String> jars() {
        return cluster.processes().stream()
                .flatMap(line -> Arrays.stream(line.split(" ", -1)))
                .filter(word -> word.endsWith("/alpha-server.jar"))
                .collect(Collectors.toSet());
    }

    /** No begin is refused, no saga aborted. */
    private void nobodyNotices(Runnable task) {
        OutcomeCounts counts = underLoad(task);
        assertThat(counts.failed()).as("%s", counts).isZero();
        assertThat(counts.committed()).as("%s", counts).isEqualTo(counts.started());
    }

    private OutcomeCounts underLoad(Runnable task) {
        LoadPlan plan = new LoadPlan(
                List.of(cluster.grpc()),
                List.of(cluster.http()),
                LoadPlan.Amount.sagas(1),
                LoadPlan.Pace.perSecond(20, 1_000),
                LoadPlan.Shape.ofBranches(2),
                new LoadPlan.Wiring(2, 2),
                1);
        try (ContinuousLoad load = ContinuousLoad.begin(plan)) {
            task.run();
            OutcomeCounts counts = load.end().counts();
            assertThat(counts.started()).isPositive();
            assertThat(counts.settled()).isEqualTo(counts.started());
            assertThat(counts.unknown() + counts.suspended()).isZero();
            assertThat(load.verify().mismatches()).isEmpty();
            return counts;
        }
    }

    private static List<String> table(Outcome up) {
        return up.out()
                .lines()
                .filter(line -> line.matches("(\\d|balancer|redis) .*"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            up --nodes 0        | --nodes must be 1 to 9, not '0'.
            up --nodes          | --nodes needs a value.
            up --store embedded | --store must be one of
            up --colour blue    | 'up' does not know '--colour'.
            down --gently       | There is no cluster in
            disturb             | does not know 'disturb'.
            pause 2             | There is no cluster in
            cut 1 everything    | There is no cluster in
            logs 1              | There is no cluster in
            """)
    void wrong_use_is_one_sentence(String words, String sentence) {
        Outcome outcome = cluster.run(words.split(" ", -1));

        assertThat(outcome.out()).contains(sentence);
        assertThat(outcome.out().lines()).hasSize(1);
        int code = words.startsWith("down") ? 0 : sentence.startsWith("There") ? 1 : 2;
        assertThat(outcome.code()).isEqualTo(code);
    }
}
