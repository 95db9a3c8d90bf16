package io.alphaomega.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.benchmark.cluster.ClusterScript.Outcome;
import io.alphaomega.benchmark.load.Counts;
import io.alphaomega.benchmark.load.Endurance;
import io.alphaomega.benchmark.load.Plan;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(succeeds("status").out())
                            .containsPattern("(?m)^1 +runs +- +yes +Up")
                            .containsPattern("(?m)^2 +runs +- +yes +Up"));
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
        Counts counts = underLoad(task);
        assertThat(counts.failed()).as("%s", counts).isZero();
        assertThat(counts.committed()).as("%s", counts).isEqualTo(counts.started());
    }

    private Counts underLoad(Runnable task) {
        Plan plan = new Plan(
                List.of(cluster.grpc()),
                List.of(cluster.http()),
                Plan.Amount.sagas(1),
                Plan.Pace.perSecond(20, 1_000),
                Plan.Shape.ofBranches(2),
                new Plan.Wiring(2, 2),
                1);
        try (Endurance load = Endurance.begin(plan)) {
            task.run();
            Counts counts = load.end().counts();
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
            """)
    void wrong_use_is_one_sentence(String words, String sentence) {
        Outcome outcome = cluster.run(words.split(" ", -1));

        assertThat(outcome.out()).contains(sentence);
        assertThat(outcome.out().lines()).hasSize(1);
        assertThat(outcome.code()).isEqualTo(sentence.startsWith("There") ? 0 : 2);
    }
}
