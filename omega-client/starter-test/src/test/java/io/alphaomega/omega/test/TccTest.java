package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaAbortedEvent;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaCommittedEvent;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** What is tried and then confirmed or cancelled, and what follows the decision. */
@SpringBootTest(classes = Evening.class)
@OmegaTest
class TccTest {
    @Autowired
    private Evening.Evenings evenings;

    @Autowired
    private Evening.Letters letters;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    @BeforeEach
    void nothing_done() {
        ledger.clear();
        evenings.decided().clear();
        letters.missSheets(0);
    }

    @Test
    void what_was_tried_is_confirmed_after_the_commit_and_then_comes_what_follows() {
        assertThat(evenings.plan("Ada")).isEqualTo("ticket of Ada");

        assertThat(alpha.saga()).confirmed("Evening.SeatDesk.hold", "CarDesk.book");
        assertThat(alpha.saga().operation()).isEqualTo("Evening.Evenings.plan");
        assertThat(ledger.all())
                .containsExactly(
                        "2 seats held for Ada",
                        "car for Ada",
                        "2 seats sold, ticket of Ada",
                        "2 programmes with the ticket of Ada",
                        "thanks to Ada");
    }

    @Test
    void what_was_tried_is_cancelled_after_an_abort_and_what_failed_has_nothing_to_follow() {
        alpha.fail("CarDesk.book");

        assertThatThrownBy(() -> evenings.plan("Ada")).isInstanceOf(PlannedFailureException.class);

        assertThat(alpha.saga()).compensated("Evening.SeatDesk.hold");
        assertThat(ledger.all()).containsExactly("2 seats held for Ada", "2 seats released");
    }

    @Test
    void a_confirmation_takes_effect_once_however_often_it_is_asked_for() {
        alpha.fail("Evening.SeatDesk.sell");
        alpha.fail("Evening.SeatDesk.sell").afterEffect();
        alpha.repeat("Evening.SeatDesk.sell");
        alpha.loseAnswer("Evening.Letters.thank");

        evenings.plan("Ada");
        assertThat(alpha.saga()).confirming();
        alpha.advance(Duration.ofMinutes(5));

        assertThat(alpha.saga()).confirmed("Evening.SeatDesk.hold", "CarDesk.book");
        assertThat(ledger.all())
                .containsOnlyOnce("2 seats sold, ticket of Ada")
                .containsOnlyOnce("2 programmes with the ticket of Ada")
                .containsOnlyOnce("thanks to Ada");
    }

    @Test
    void a_confirmation_that_goes_on_failing_needs_a_person_and_the_saga_stays_committed() {
        alpha.fail("Evening.SeatDesk.sell").times(4);

        evenings.plan("Ada");
        alpha.advance(Duration.ofDays(1));

        assertThat(alpha.saga()).suspended();
        assertThat(alpha.saga().abort()).isEmpty();
        alpha.retry(alpha.saga());
        assertThat(alpha.saga()).confirmed("Evening.SeatDesk.hold", "CarDesk.book");
    }

    @Test
    void a_try_that_comes_after_its_cancellation_is_refused_and_there_was_nothing_to_cancel() {
        alpha.delay("Evening.SeatDesk.hold", Duration.ofMinutes(2));
        CompletableFuture<String> evening = CompletableFuture.supplyAsync(() -> evenings.plan("Ada"));
        Awaitility.await()
                .until(() ->
                        !alpha.sagas().isEmpty() && alpha.saga().history().contains("Evening.SeatDesk.hold began"));

        alpha.advance(Duration.ofMinutes(1)); // A branch has half a minute.
        assertThat(alpha.saga()).compensated("Evening.SeatDesk.hold");
        alpha.advance(Duration.ofMinutes(1));

        assertThatThrownBy(() -> evening.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(SagaAbortedException.class);
        assertThat(ledger.all()).isEmpty();
    }

    @Test
    void what_follows_an_abort_comes_after_the_compensation() {
        alpha.fail("CarDesk.book").afterEffect();

        assertThatThrownBy(() -> evenings.plan("Ada"));

        assertThat(alpha.saga()).compensated("CarDesk.book", "Evening.SeatDesk.hold");
        assertThat(ledger.all())
                .containsExactly(
                        "2 seats held for Ada",
                        "car for Ada",
                        "no car for Ada",
                        "apologies to Ada",
                        "2 seats released");
    }

    @Test
    void what_follows_and_fails_comes_again_by_itself() {
        letters.missSheets(1);
        alpha.fail("CarDesk.book").afterEffect();
        alpha.repeat("CarDesk.cancel");

        assertThatThrownBy(() -> evenings.plan("Ada"));
        assertThat(alpha.saga()).compensating();
        Awaitility.await().until(() -> ledger.all().contains("no car for Ada"));
        assertThat(ledger.all()).doesNotContain("apologies to Ada");
        alpha.advance(Duration.ofMinutes(1));

        assertThat(alpha.saga()).compensated("CarDesk.book", "Evening.SeatDesk.hold");
        assertThat(ledger.all()).containsOnlyOnce("no car for Ada").containsOnlyOnce("apologies to Ada");
        assertThat(alpha.saga())
                .history()
                .contains(
                        "CarDesk.book not compensated: it is done, but Evening.Letters.apologize(String), which follows"
                                + " it, failed: IllegalStateException: no paper");
    }

    @Test
    void what_follows_a_confirmation_and_fails_comes_again_by_itself() {
        letters.missSheets(1);

        evenings.plan("Ada");
        assertThat(alpha.saga()).confirming();
        alpha.advance(Duration.ofMinutes(1));

        assertThat(alpha.saga()).confirmed("Evening.SeatDesk.hold", "CarDesk.book");
        assertThat(ledger.all())
                .containsOnlyOnce("2 seats sold, ticket of Ada")
                .containsOnlyOnce("2 programmes with the ticket of Ada");
    }

    @Test
    void what_left_nothing_to_undo_has_nothing_to_follow_however_often_alpha_asks() {
        alpha.delay("CarDesk.book", Duration.ofMinutes(2));
        alpha.loseAnswer("CarDesk.cancel");
        CompletableFuture<String> evening = CompletableFuture.supplyAsync(() -> evenings.plan("Ada"));
        Awaitility.await()
                .until(() -> !alpha.sagas().isEmpty() && alpha.saga().history().contains("CarDesk.book began"));

        alpha.advance(Duration.ofMinutes(5));

        assertThatThrownBy(() -> evening.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(SagaAbortedException.class);
        assertThat(alpha.saga()).compensated("CarDesk.book", "Evening.SeatDesk.hold");
        assertThat(ledger.all()).containsExactly("2 seats held for Ada", "2 seats released");
    }

    @Test
    void listeners_hear_of_the_decision() {
        evenings.plan("Ada");
        String first = alpha.saga().id();
        alpha.fail("CarDesk.book").with(new IllegalStateException("no car left"));
        assertThatThrownBy(() -> evenings.plan("Bob"));

        String second = alpha.sagas().getLast().id();
        assertThat(evenings.decided())
                .containsExactly(
                        new SagaCommittedEvent(first, "Evening.Evenings.plan", "Ada"),
                        new SagaAbortedEvent(
                                second,
                                "Evening.Evenings.plan",
                                "Bob",
                                ((SagaAbortedEvent) evenings.decided().get(1)).text()));
        assertThat(((SagaAbortedEvent) evenings.decided().get(1)).text()).contains("no car left");
    }
}
