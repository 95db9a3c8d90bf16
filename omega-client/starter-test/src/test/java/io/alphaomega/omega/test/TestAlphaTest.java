package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaRejectedException;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Abort;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestContextManager;

/** What a team writes about its own service, and what the alpha in memory promises it. */
@SpringBootTest(classes = Travel.class)
@OmegaTest
class TestAlphaTest {
    @Autowired
    private Trips trips;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    @BeforeEach
    void nothing_done() {
        ledger.clear();
    }

    @Test
    void a_saga_commits() {
        trips.book("Ada");

        assertThat(alpha.saga())
                .committed()
                .history()
                .containsExactly(
                        "Trips.book began",
                        "HotelDesk.book began",
                        "HotelDesk.book ended",
                        "CarDesk.book began",
                        "CarDesk.book ended",
                        "commit asked for",
                        "committed",
                        "ended committed");
        assertThat(alpha.saga().operation()).isEqualTo("Trips.book");
        assertThat(alpha.saga().businessKey()).isEqualTo("trip of Ada");
        assertThat(alpha.saga(alpha.saga().id()).state()).isEqualTo(State.COMMITTED);
    }

    @Test
    void what_was_done_before_a_failure_is_undone() {
        alpha.fail("CarDesk.book").with(new IllegalStateException("no car left"));

        assertThatThrownBy(() -> trips.book("Ada")).hasMessage("no car left");

        assertThat(alpha.saga()).compensated("HotelDesk.book");
        assertThat(ledger.all()).containsExactly("room for Ada", "no room for Ada");
    }

    @Test
    void what_was_done_although_its_caller_does_not_know_is_undone_too() {
        alpha.fail("CarDesk.book").afterEffect();

        assertThatExceptionOfType(PlannedFailureException.class).isThrownBy(() -> trips.book("Ada"));

        assertThat(alpha.saga()).compensated("CarDesk.book", "HotelDesk.book");
        assertThat(ledger.all()).containsExactly("room for Ada", "car for Ada", "no car for Ada", "no room for Ada");
    }

    @Test
    void a_compensation_that_fails_is_asked_for_again_when_its_time_has_come() {
        alpha.fail("CarDesk.book");
        alpha.fail("HotelDesk.cancel");

        assertThatThrownBy(() -> trips.book("Ada"));

        assertThat(alpha.saga()).compensating();
        alpha.advance(Duration.ofMinutes(1));
        assertThat(alpha.saga()).compensated("HotelDesk.book");
        assertThat(ledger.all()).containsExactly("room for Ada", "no room for Ada");
    }

    @Test
    void a_compensation_that_goes_on_failing_needs_a_person() {
        alpha.fail("CarDesk.book");
        alpha.fail("HotelDesk.cancel").times(4);

        assertThatThrownBy(() -> trips.book("Ada"));
        alpha.advance(Duration.ofDays(1));

        assertThat(alpha.saga()).suspended();
        assertThat(alpha.saga().suspension().orElseThrow().service()).isEqualTo("travel");
        alpha.retry(alpha.saga());
        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }

    @Test
    void a_compensation_takes_effect_once_however_often_it_is_asked_for() {
        alpha.fail("CarDesk.book").afterEffect();
        alpha.repeat("CarDesk.cancel");
        alpha.loseAnswer("HotelDesk.cancel");

        assertThatThrownBy(() -> trips.book("Ada"));
        alpha.advance(Duration.ofMinutes(5));

        assertThat(alpha.saga()).compensated("CarDesk.book", "HotelDesk.book");
        assertThat(ledger.all()).containsExactly("room for Ada", "car for Ada", "no car for Ada", "no room for Ada");
        assertThat(alpha.saga()).history().contains("HotelDesk.book not compensated: no answer in time");
    }

    @Test
    void a_compensation_that_was_done_and_not_believed_is_not_done_again() {
        alpha.fail("CarDesk.book");
        alpha.fail("HotelDesk.cancel").afterEffect().times(2);

        assertThatThrownBy(() -> trips.book("Ada"));
        alpha.advance(Duration.ofMinutes(1));

        assertThat(alpha.saga()).compensated("HotelDesk.book");
        assertThat(ledger.all()).containsExactly("room for Ada", "no room for Ada");
    }

    @Test
    void a_compensation_may_come_late() {
        alpha.fail("CarDesk.book");
        alpha.delay("HotelDesk.cancel", Duration.ofSeconds(10));

        assertThatThrownBy(() -> trips.book("Ada"));

        alpha.advance(Duration.ofSeconds(9));
        assertThat(alpha.saga()).compensating();
        assertThat(ledger.all()).containsExactly("room for Ada");
        alpha.advance(Duration.ofSeconds(1));
        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }

    @Test
    void a_saga_that_takes_too_long_is_aborted_by_alpha() {
        alpha.delay("HotelDesk.book", Duration.ofMinutes(2));
        CompletableFuture<Void> booking = CompletableFuture.runAsync(() -> trips.book("Ada"));

        alpha.awaitSagas(1);
        assertThat(alpha.saga()).active();
        Instant before = alpha.now();
        alpha.advance(Duration.ofMinutes(3));
        assertThat(alpha.clock().instant()).isEqualTo(before.plus(Duration.ofMinutes(3)));

        assertThatThrownBy(() -> booking.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(SagaAbortedException.class);
        assertThat(alpha.saga()).compensated();
        assertThat(alpha.saga().abort().orElseThrow().cause()).isEqualTo(Abort.Cause.SAGA_TIMED_OUT);
        assertThat(ledger.all()).doesNotContain("car for Ada");
    }

    @Test
    void a_branch_that_alpha_refuses_does_not_run() {
        alpha.refuse("CarDesk.book");

        assertThatExceptionOfType(SagaRejectedException.class).isThrownBy(() -> trips.book("Ada"));

        assertThat(alpha.saga()).compensated("HotelDesk.book");
        assertThat(ledger.all()).doesNotContain("car for Ada");
    }

    @Test
    void a_test_that_ends_with_an_alpha_that_is_away_or_with_work_under_way_leaves_the_next_one_alone()
            throws Exception {
        alpha.delay("CarDesk.book", Duration.ofMinutes(1));
        CompletableFuture<Void> booking = CompletableFuture.runAsync(() -> trips.book("Ada"));
        alpha.awaitSagas(1);
        Awaitility.await().until(() -> alpha.saga().history().contains("CarDesk.book began"));
        alpha.reset();

        assertThatThrownBy(() -> booking.get(1, TimeUnit.MINUTES))
                .hasRootCauseMessage("The test is over, and its clock with it.");
        assertThat(ledger.all()).doesNotContain("car for Ada");
        alpha.goAway();
        alpha.reset();
        ledger.clear();

        trips.book("Bob");
        assertThat(ledger.all()).containsExactly("room for Bob", "car for Bob");
    }

    @Test
    void a_delay_must_be_one() {
        assertThatIllegalArgumentException().isThrownBy(() -> alpha.delay("CarDesk.book", Duration.ZERO));
    }

    @Test
    void an_expectation_that_is_not_met_tells_the_whole_story() {
        trips.book("Ada");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(alpha.saga()).compensated())
                .withMessageContainingAll("to be COMPENSATED", "of Trips.book, COMMITTED", "CarDesk.book ended");
    }

    @Test
    void the_only_saga_must_be_the_only_one() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(alpha::saga)
                .withMessageContaining("There is no saga");
        trips.book("Ada");
        trips.book("Bob");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(alpha::saga)
                .withMessageContaining("There are 2 sagas");
        assertThat(alpha.sagas()).extracting(TestSaga::state).containsOnly(State.COMMITTED);
    }

    /** As a test of somebody's who has misspelt a name. */
    @Test
    void a_trouble_that_never_happens_fails_its_test_and_the_next_begins_anew() throws Exception {
        TestContextManager manager = new TestContextManager(TestAlphaTest.class);
        manager.prepareTestInstance(this);
        var method = TestAlphaTest.class.getDeclaredMethod("a_saga_commits");

        manager.beforeTestMethod(this, method);
        trips.book("Ada");
        alpha.fail("CarDesk.bok");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> manager.afterTestMethod(this, method, null))
                .withMessageContainingAll("CarDesk.bok", "CarDesk.book began");

        manager.beforeTestMethod(this, method);
        assertThat(alpha.sagas()).isEmpty();
        manager.afterTestMethod(this, method, null);
    }
}
