package io.alphaomega.benchmark.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.benchmark.agent.Agents.Together;
import io.alphaomega.benchmark.measure.Latency;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.SagaBooks;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What coordinator and agents say to each other, without an alpha: the work of these agents is made up. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AgentsTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final LoadPlan PLAN = LoadPlan.against(List.of("127.0.0.1:8071"))
            .with(LoadPlan.Amount.sagas(100))
            .with(LoadPlan.Pace.atATime(10));

    private final List<Agent> agents = new ArrayList<>();
    private final List<LoadPlan> told = new CopyOnWriteArrayList<>();
    private final AtomicInteger interrupted = new AtomicInteger();

    @AfterEach
    void close() throws IOException {
        for (Agent agent : agents) agent.close();
    }

    // ---- together

    @Test
    void each_agent_makes_its_share_and_the_shares_are_the_plan() throws Exception {
        Together together = run(agent(this::measured), agent(this::measured), agent(this::measured));

        assertThat(told).hasSize(3);
        assertThat(told.stream().mapToLong(plan -> plan.amount().sagas()).sum()).isEqualTo(100);
        assertThat(told.stream().mapToInt(plan -> plan.pace().concurrency()).sum())
                .isEqualTo(10);
        assertThat(told).extracting(LoadPlan::seed).doesNotHaveDuplicates();
        assertThat(together.measurements().counts().committed()).isEqualTo(100);
        assertThat(together.books())
                .isEqualTo(new SagaBooks(together.measurements().counts(), 3));
        assertThat(together.byAgent()).hasSize(3);
    }

    @Test
    void none_begins_before_all_are_prepared() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        AgentWork fast = (plan, progress, start) -> {
            start.await();
            begun.incrementAndGet();
            return result(plan, NOON);
        };
        AgentWork late = (plan, progress, start) -> {
            slow.await();
            assertThat(begun).hasValue(0);
            start.await();
            return result(plan, NOON);
        };
        Agent first = agent(fast);
        Agent second = agent(late);
        Thread freed = Thread.ofVirtual().start(() -> {
            await().until(() -> told.size() == 2);
            slow.countDown();
        });

        Together together = run(first, second);

        freed.join();
        assertThat(begun).hasValue(1);
        assertThat(together.measurements().counts().started()).isEqualTo(100);
    }

    @Test
    void histograms_are_added_and_clocks_that_differ_do_not_matter() throws Exception {
        // The clock of the second machine is an hour ahead; both began 1 s after the go and took 10 s.
        Together together = run(agent(this::measured), agent(this::measured, Duration.ofHours(1)));

        assertThat(together.measurements().seconds()).isEqualTo(10);
        assertThat(together.measurements().firstBegin()).isEqualTo(NOON.plusSeconds(1));
        assertThat(together.measurements().saga().count()).isEqualTo(100);
    }

    @Test
    void a_phase_is_entered_once_the_last_agent_has_and_counts_are_added() throws Exception {
        List<Progress.Phase> phases = new ArrayList<>();
        List<Progress.Snapshot> shown = new ArrayList<>();
        Progress seen = new Progress() {
            @Override
            public void show(Snapshot snapshot) {
                shown.add(snapshot);
            }

            @Override
            public void entered(Phase phase) {
                phases.add(phase);
            }
        };

        coordinator(agent(this::measured), agent(this::measured)).run(PLAN, seen);

        assertThat(phases).containsExactly(Progress.Phase.MEASURING, Progress.Phase.SETTLING);
        Progress.Snapshot last = shown.getLast();
        assertThat(last.counts().committed()).isEqualTo(100);
        assertThat(last.rate()).isEqualTo(20);
        assertThat(last.p99Millis()).isEqualTo(5);
    }

    @Test
    void what_an_agent_found_wrong_is_told_with_its_name() throws Exception {
        Agent liar = agent((plan, progress, start) -> {
            start.await();
            return new AgentWork.Result(
                    Measurements.NONE,
                    new Verification(List.of("counted"), List.of("one saga is missing")),
                    SagaBooks.EMPTY);
        });

        Verification verification = run(agent(this::measured), liar).verification();

        assertThat(verification.verified()).isFalse();
        assertThat(verification.mismatches()).containsExactly(liar.endpoint() + ": one saga is missing");
    }

    // ---- when it does not go well

    @Test
    void an_agent_that_fails_is_named_and_the_others_are_stopped() throws Exception {
        Agent failing = agent((plan, progress, start) -> {
            start.await();
            throw new IllegalArgumentException("Alpha at 127.0.0.1:8071 is away.");
        });
        Agent other = agent(this::endless);

        assertThatThrownBy(() -> run(other, failing))
                .isInstanceOf(AgentFailedException.class)
                .hasMessage(
                        "Agent %s did not do its share: Alpha at 127.0.0.1:8071 is away. The other agents are stopped, and what they measured is discarded.",
                        failing.endpoint());
        await().until(() -> interrupted.get() == 1);
        // It has the work behind it a moment before it takes more.
        await().ignoreExceptionsMatching(e -> e instanceof AgentFailedException
                        && String.valueOf(e.getMessage()).contains("busy"))
                .untilAsserted(() -> assertThat(run(other).measurements()).isNotNull());
    }

    @Test
    void an_agent_that_is_not_there_is_named() throws Exception {
        AgentAddress nobody;
        try (ServerSocket taken = new ServerSocket(0)) {
            nobody = new AgentAddress("127.0.0.1", taken.getLocalPort());
        }

        assertThatThrownBy(() -> coordinator(List.of(agent(this::endless).endpoint(), nobody), AgentToken.NONE)
                        .run(PLAN, Progress.UNSEEN))
                .isInstanceOf(AgentFailedException.class)
                .hasMessageStartingWith("Agent " + nobody + " cannot be reached (Connection refused): start it there");
    }

    @Test
    void a_machine_that_nobody_knows_is_named() {
        AgentAddress nowhere = AgentAddress.parse("--agents", "no-such-machine.invalid");

        assertThatThrownBy(() -> coordinator(List.of(nowhere), AgentToken.NONE).run(PLAN, Progress.UNSEEN))
                .hasMessage(
                        "Agent no-such-machine.invalid:8060 cannot be reached: nobody knows a machine of that name. Nothing was measured.");
    }

    @Test
    void an_agent_that_is_busy_says_with_whose_run() throws Exception {
        Agent busy = agent(this::endless);
        Thread first = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> run(busy)));
        await().until(() -> told.size() == 1);

        assertThatThrownBy(() -> run(busy))
                .isInstanceOf(AgentFailedException.class)
                .hasMessageMatching("Agent .* did not do its share: it is busy with the run of 127.0.0.1:\\d+\\. .*");

        first.interrupt();
        first.join();
    }

    @Test
    void an_agent_of_another_version_is_named_with_both() throws Exception {
        Agent old = agent(new Agent.Settings("0.9.0", AgentToken.NONE, this::measured, Clock.systemUTC(), log()));

        assertThatThrownBy(() -> run(old))
                .hasMessage(
                        "Agent %s is version 0.9.0, and this is version 1.0.0: run one version everywhere. Nothing was measured.",
                        old.endpoint());
    }

    @Test
    void an_agent_that_speaks_another_language_is_named() throws Exception {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket socket = web.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n"
                                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                    socket.getInputStream().skipNBytes(1);
                } catch (IOException e) {
                    // It has gone.
                }
            });
            AgentAddress endpoint = new AgentAddress("127.0.0.1", web.getLocalPort());

            assertThatThrownBy(() ->
                            coordinator(List.of(endpoint), AgentToken.NONE).run(PLAN, Progress.UNSEEN))
                    .hasMessage(
                            "Agent %s is lost: it speaks another language than alpha-benchmark. Nothing was measured.",
                            endpoint);
        }
    }

    @Test
    void when_the_coordinator_goes_its_agents_stop_and_serve_the_next() throws Exception {
        Agent agent = agent(this::endless);
        Thread coordinator = Thread.ofVirtual().start(() -> assertThatThrownBy(() -> run(agent)));
        await().until(() -> told.size() == 1);

        coordinator.interrupt();
        coordinator.join();

        await().until(() -> interrupted.get() == 1);
    }

    @Test
    void fewer_sagas_than_agents_are_refused() throws Exception {
        Agents two = coordinator(agent(this::measured), agent(this::measured));

        assertThatThrownBy(() -> two.run(PLAN.with(LoadPlan.Amount.sagas(1)), Progress.UNSEEN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-n must be at least 1 for each of the 2 agents, but is 1.");
    }

    // ---- who may tell an agent what to do

    @Test
    void beyond_the_loopback_interface_an_agent_wants_a_token() {
        Agent.Settings open = settings(this::measured, AgentToken.NONE);

        assertThatThrownBy(() -> Agent.listening(AgentAddress.parse("--listen", "0.0.0.0:0"), open))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--listen 0.0.0.0:0 can be reached from other machines")
                .hasMessageContaining("--token-file");
    }

    @Test
    void with_the_right_token_an_agent_obeys() throws Exception {
        Agent agent = agent(settings(this::measured, AgentToken.of("sesame")));

        Together together =
                coordinator(List.of(agent.endpoint()), AgentToken.of("sesame")).run(PLAN, Progress.UNSEEN);

        assertThat(together.measurements().counts().started()).isEqualTo(100);
    }

    @Test
    void with_a_wrong_token_or_none_it_does_not(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "barley\n");
        Agent agent = agent(settings(this::measured, AgentToken.of("sesame")));

        assertThatThrownBy(() -> coordinator(List.of(agent.endpoint()), AgentToken.in(file))
                        .run(PLAN, Progress.UNSEEN))
                .hasMessageContaining("the token is another one than the coordinator's");
        assertThatThrownBy(() -> run(agent)).hasMessageContaining("wants a token: give --token-file");
        assertThat(told).isEmpty();
    }

    @Test
    void a_plan_that_is_nonsense_is_refused_by_the_agent_too() throws Exception {
        Agent agent = agent(this::measured);

        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), agent.endpoint().port())) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            in.skipNBytes(in.readInt());
            byte[] plan = "{\"is\":\"prepare\",\"proof\":\"\",\"plan\":{\"addresses\":[]}}"
                    .getBytes(java.nio.charset.StandardCharsets.UTF_8);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(plan.length);
            out.write(plan);

            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(told).isEmpty();
    }

    // ---- the parts

    private AgentWork.Result measured(LoadPlan plan, Progress progress, AgentWork.Start start)
            throws InterruptedException {
        start.await();
        for (Progress.Phase phase : List.of(Progress.Phase.MEASURING, Progress.Phase.SETTLING)) {
            progress.entered(phase);
            OutcomeCounts counts =
                    new OutcomeCounts(plan.amount().sagas(), plan.amount().sagas(), 0, 0, 0, 0);
            progress.show(new Progress.Snapshot(
                    phase, Duration.ofSeconds(10), 1, plan.amount().sagas(), counts, 0, 0, 10, 2, 5));
        }
        return result(plan, NOON);
    }

    private AgentWork.Result endless(LoadPlan plan, Progress progress, AgentWork.Start start)
            throws InterruptedException {
        if (interrupted.get() > 0) return measured(plan, progress, start);
        try {
            start.await();
            new CountDownLatch(1).await();
            return result(plan, NOON);
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
    }

    private static AgentWork.Result result(LoadPlan plan, Instant now) {
        long sagas = plan.amount().sagas();
        Histogram micros = new Histogram(3);
        micros.recordValueWithCount(2_000, sagas);
        Measurements measured = new Measurements(
                new OutcomeCounts(sagas, sagas, 0, 0, 0, 0),
                Latency.of(micros),
                Latency.of(micros),
                Latency.NONE,
                List.of(),
                now.plusSeconds(1),
                now.plusSeconds(11),
                0,
                1);
        return new AgentWork.Result(
                measured, new Verification(List.of("counted"), List.of()), new SagaBooks(measured.counts(), 1));
    }

    private Agent agent(AgentWork work) {
        return agent(settings(work, AgentToken.NONE));
    }

    /** An agent whose clock is so much ahead. */
    private Agent agent(AgentWork work, Duration ahead) {
        Instant now = NOON.plus(ahead);
        AgentWork shifted = (plan, progress, start) -> {
            AgentWork.Result unused = work.make(plan, progress, start);
            return result(plan, now);
        };
        return agent(new Agent.Settings(
                "1.0.0", AgentToken.NONE, remembering(shifted), Clock.fixed(now, ZoneOffset.UTC), log()));
    }

    private Agent.Settings settings(AgentWork work, AgentToken token) {
        return new Agent.Settings("1.0.0", token, remembering(work), Clock.fixed(NOON, ZoneOffset.UTC), log());
    }

    private AgentWork remembering(AgentWork work) {
        return (plan, progress, start) -> {
            told.add(plan);
            return work.make(plan, progress, start);
        };
    }

    private static PrintStream log() {
        return new PrintStream(PrintStream.nullOutputStream());
    }

    private Agent agent(Agent.Settings settings) {
        try {
            Agent agent = Agent.listening(new AgentAddress("127.0.0.1", 0), settings);
            agents.add(agent);
            Thread.ofVirtual().start(() -> {
                try {
                    agent.serve();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            return agent;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Together run(Agent... with) throws AgentFailedException, InterruptedException {
        return coordinator(with).run(PLAN, Progress.UNSEEN);
    }

    private static Agents coordinator(Agent... with) {
        return coordinator(java.util.Arrays.stream(with).map(Agent::endpoint).toList(), AgentToken.NONE);
    }

    private static Agents coordinator(List<AgentAddress> endpoints, AgentToken token) {
        return new Agents(endpoints, token, "1.0.0", Clock.fixed(NOON, ZoneOffset.UTC));
    }
}
