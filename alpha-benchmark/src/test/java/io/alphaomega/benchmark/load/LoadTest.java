package io.alphaomega.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.repository.servers.Patience;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Loads against a real alpha in a process of its own. */
@Tag("processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LoadTest {
    private static final LoadPlan.Shape COMMITTING = LoadPlan.Shape.ofBranches(3);

    private AlphaUnderTest alpha;

    @BeforeAll
    void start() {
        alpha = new AlphaUnderTest();
    }

    @AfterAll
    void stop() {
        alpha.close();
    }

    private static LoadPlan.Shape shape(double aborts, double failing, boolean tcc, int async) {
        return new LoadPlan.Shape(3, 20, aborts, failing, tcc, Duration.ofMillis(async > 0 ? 10 : 0), async, false);
    }

    private static void assertVerified(Verification verification) {
        assertThat(verification.mismatches()).isEmpty();
        assertThat(verification.checked()).anyMatch(each -> each.contains("as many sagas of each state"));
    }

    @Test
    void a_closed_loop_runs_as_many_sagas_as_it_should_and_alpha_says_so_too() {
        LoadPlan plan = alpha.plan(
                LoadPlan.Amount.sagas(300).afterWarmup(Duration.ofMillis(300)), LoadPlan.Pace.atATime(20), COMMITTING);
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            Measurements measured = load.run();

            assertThat(measured.counts()).isEqualTo(new OutcomeCounts(300, 300, 0, 0, 0, 0));
            assertThat(measured.saga().count()).isEqualTo(300);
            assertThat(measured.ack().count()).isEqualTo(2_400);
            assertThat(measured.throughput()).isPositive();
            assertThat(measured.series().stream()
                            .mapToLong(Measurements.Second::ended)
                            .sum())
                    .isEqualTo(300);
            assertVerified(load.verify(true));
        }
    }

    @Test
    void sagas_that_abort_are_compensated_or_suspended_as_planned() {
        LoadPlan plan = alpha.plan(LoadPlan.Amount.sagas(300), LoadPlan.Pace.atATime(20), shape(0.4, 0.3, false, 0));
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            OutcomeCounts counts = load.run().counts();

            assertThat(counts.settled()).isEqualTo(300);
            assertThat(counts.unknown()).isZero();
            assertThat(counts.compensated()).isBetween(40L, 130L);
            assertThat(counts.suspended()).isBetween(10L, 70L);
            assertVerified(load.verify(true));
        }
    }

    @Test
    void reports_that_travel_make_four_messages_of_a_saga_of_three_branches() {
        LoadPlan plan = alpha.plan(LoadPlan.Amount.sagas(300), LoadPlan.Pace.atATime(20), carried(0, 0));
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            Measurements measured = load.run();

            assertThat(measured.counts()).isEqualTo(new OutcomeCounts(300, 300, 0, 0, 0, 0));
            assertThat(measured.ack().count()).isEqualTo(1_200);
            assertVerified(load.verify(true));
        }
    }

    @Test
    void of_sagas_that_abort_while_ends_travel_nothing_is_left() {
        LoadPlan plan = alpha.plan(LoadPlan.Amount.sagas(300), LoadPlan.Pace.atATime(20), carried(0.4, 0.3));
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            OutcomeCounts counts = load.run().counts();

            assertThat(counts.settled()).isEqualTo(300);
            assertThat(counts.unknown()).isZero();
            assertThat(counts.compensated()).isPositive();
            assertThat(counts.suspended()).isPositive();
            assertVerified(load.verify(true));
        }
    }

    private static LoadPlan.Shape carried(double aborts, double failing) {
        return new LoadPlan.Shape(3, 20, aborts, failing, false, Duration.ZERO, 0, true);
    }

    @Test
    void confirmations_and_asynchronous_branches_are_waited_for() {
        LoadPlan plan = alpha.plan(LoadPlan.Amount.sagas(200), LoadPlan.Pace.atATime(20), shape(0.2, 0, true, 2));
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            OutcomeCounts counts = load.run().counts();

            assertThat(counts.ended()).isEqualTo(200);
            assertThat(counts.compensated()).isPositive();
            assertVerified(load.verify(true));
        }
    }

    @Test
    void an_open_loop_counts_from_the_moment_at_which_a_saga_should_have_begun() {
        // One at a time, and many more per second than that allows: the later ones wait.
        LoadPlan plan = alpha.plan(LoadPlan.Amount.sagas(200), LoadPlan.Pace.perSecond(100_000, 1), COMMITTING);
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            Measurements measured = load.run();

            assertThat(measured.counts().committed()).isEqualTo(200);
            assertThat(measured.saga().percentileMillis(50))
                    .isGreaterThan(measured.sagaUncorrected().percentileMillis(50));
            assertVerified(load.verify(true));
        }
    }

    @Test
    void sagas_that_are_kept_open_stay_open_until_the_end_and_are_no_figure() {
        LoadPlan plan = alpha.plan(
                new LoadPlan.Amount(50, Duration.ZERO, Duration.ZERO, 200), LoadPlan.Pace.atATime(5), COMMITTING);
        try (Load load = Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN)) {
            assertThat(load.run().counts()).isEqualTo(new OutcomeCounts(50, 50, 0, 0, 0, 0));
            assertVerified(load.verify(true));
        }
    }

    @Test
    void when_alpha_is_killed_in_the_middle_every_saga_is_still_accounted_for() {
        AtomicReference<OutcomeCounts> seen = new AtomicReference<>(OutcomeCounts.NONE);
        LoadPlan plan = alpha.plan(
                LoadPlan.Amount.lasting(Duration.ofHours(1)), LoadPlan.Pace.atATime(20), shape(0.2, 0, false, 0));
        try (Load load = Load.connect(plan, Clock.systemUTC(), snapshot -> seen.set(snapshot.counts()))) {
            CompletableFuture<Measurements> running = CompletableFuture.supplyAsync(load::run);
            await().until(() -> seen.get().ended() > 50);
            alpha.kill();
            alpha.startAgain();
            long before = seen.get().ended();
            await().until(() -> seen.get().ended() > before + 50);
            load.crew().lanes().forEach(LoadLane::stop);
            Measurements measured = running.join();

            assertThat(measured.errors()).isPositive();
            assertThat(measured.counts().started()).isEqualTo(measured.counts().settled());
            assertThat(measured.counts().unknown()).isZero();
            assertThat(load.verify(true).mismatches()).isEmpty();
        }
    }

    @Test
    void what_was_open_when_alpha_was_killed_is_undone_after_it_has_started_again() {
        LoadPlan plan = alpha.plan(
                new LoadPlan.Amount(1, Duration.ZERO, Duration.ZERO, 50), LoadPlan.Pace.atATime(20), COMMITTING);
        // Long enough for all to begin and for the kill, however busy the machine is.
        try (Recovery recovery = Recovery.leave(plan, Duration.ofSeconds(15), Clock.systemUTC(), Progress.UNSEEN)) {
            alpha.kill();
            await().until(() -> !recovery.isServed());
            alpha.startAgain();
            await().until(recovery::isServed);

            Recovery.Result result = recovery.drain(Patience.LIMIT, drained -> {});

            assertThat(result.drained()).isEqualTo(50);
            assertThat(result.toLast()).isGreaterThanOrEqualTo(result.toFirst());
            assertThat(recovery.verify().mismatches()).isEmpty();
        }
    }

    @Test
    void an_alpha_that_is_not_there_is_told_in_a_sentence() {
        List<String> nowhere = List.of("127.0.0.1:1");
        LoadPlan plan = new LoadPlan(
                nowhere,
                nowhere,
                LoadPlan.Amount.sagas(1),
                LoadPlan.Pace.atATime(1),
                COMMITTING,
                new LoadPlan.Wiring(1, 1),
                1);

        assertThatThrownBy(() -> Load.connect(plan, Clock.systemUTC(), Progress.UNSEEN))
                .isInstanceOf(Load.UnreachableException.class)
                .hasMessageContaining("--http says where alpha answers REST");
    }
}
