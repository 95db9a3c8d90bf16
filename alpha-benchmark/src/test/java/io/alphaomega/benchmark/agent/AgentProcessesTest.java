package io.alphaomega.benchmark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Three agents and a coordinator, each a process, and a real alpha. */
@Tag("processes")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AgentProcessesTest {
    private static final String READY = "^agent ready: (\\S+)$";

    @TempDir
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // Before all.
    private static Jar alpha;

    private static String grpc = "";
    private static String http = "";

    private static final List<Jar> agents = new ArrayList<>();

    @BeforeAll
    static void start() {
        alpha = Jar.alpha(directory);
        for (int i = 0; i < 3; i++) agents.add(agent());
        Matcher ready = alpha.says("^alpha ready: grpc (\\S+), http (\\S+), repository");
        grpc = ready.group(1);
        http = ready.group(2);
    }

    @AfterAll
    static void stop() {
        agents.forEach(Jar::close);
        alpha.close();
    }

    /** First: while the sagas of a run that was broken off are open, alpha's counts say nothing. */
    @Test
    @Order(1)
    void three_agents_make_one_load_and_one_verified_report() throws IOException {
        Path json = directory.resolve("report.json");

        Jar run = coordinator(agents, "-n", "601", "-c", "30", "--abort-ratio", "0.2", "--json", json.toString());

        assertThat(run.exitCode()).as("%s%s", run.out(), run.err()).isZero();
        JsonNode report = JsonMapper.shared().readTree(Files.readString(json));
        assertThat(report.path("verified").asBoolean()).isTrue();
        assertThat(report.path("verification")
                        .valueStream()
                        .map(check -> check.path("text").asString()))
                .contains("Alpha counts as many sagas of each state.");
        JsonNode sagas = report.path("sagas");
        assertThat(sagas.path("started").asLong()).isEqualTo(601);
        assertThat(sagas.path("committed").asLong() + sagas.path("compensated").asLong())
                .isEqualTo(601);
        assertThat(sagas.path("compensated").asLong()).isPositive();
        assertThat(report.path("agents")
                        .valueStream()
                        .map(agent -> agent.path("name").asString()))
                .isEqualTo(agents.stream().map(AgentProcessesTest::address).toList());
        assertThat(report.path("agents")
                        .valueStream()
                        .map(agent -> agent.path("sagas").path("started").asLong()))
                .containsExactly(201L, 200L, 200L);
    }

    @Test
    void when_an_agent_is_killed_it_is_named_and_the_others_stop_and_serve_the_next_run() {
        List<Jar> others = agents.subList(0, 2);
        try (Jar victim = agent()) {
            Jar run = coordinator(List.of(others.get(0), victim, others.get(1)), "--duration", "10m", "-c", "30");
            victim.says("^measuring");

            victim.kill();

            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .contains("Agent " + address(victim) + " is lost: ")
                    .contains("The other agents are stopped, and what they measured is discarded.");
        }
        for (Jar agent : others) agent.says("^run of \\S+ was stopped");
        assertThat(coordinator(others, "-n", "30", "-c", "10").exitCode()).isZero();
    }

    @Test
    void when_the_coordinator_is_stopped_its_agents_stop() {
        try (Jar agent = agent()) {
            Jar run = coordinator(List.of(agent), "--duration", "10m", "-c", "30");
            agent.says("^measuring");

            assertThat(run.terminate().exitCode()).isNotZero();

            agent.says("^run of \\S+ was stopped");
        }
    }

    private static Jar agent() {
        return Jar.benchmark(directory, "agent", "--listen", "127.0.0.1:0");
    }

    private static Jar coordinator(List<Jar> agents, String... arguments) {
        List<String> all = new ArrayList<>(List.of("run", "--address", grpc, "--http", http, "--agents"));
        all.add(String.join(
                ",", agents.stream().map(AgentProcessesTest::address).toList()));
        all.addAll(List.of(arguments));
        return Jar.benchmark(directory, all.toArray(String[]::new));
    }

    private static String address(Jar agent) {
        return agent.says(READY).group(1);
    }
}
